"""Contacts that a run begins with."""

from __future__ import annotations

from ..ground_truth import Record
from .scene import Scene


class InitialContacts:
    """Excuses the contacts that were there before the first step of a record: whoever starts in them did not make them.

    They are excused as long as they last without a break, and do not get deeper than at the start by more than what
    rests on something may be in it (1 mm, with physics 3 mm). One that was left and comes again is a contact like any.
    A hand that somebody has pushed into an object may touch it with other links too while it comes out, less deep.

    Args:
        record: The run.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._scene: Scene | None = None
        self._known: dict[tuple[str, str], tuple[int, float]] = {}

    def __call__(self, k: int, first: str, second: str, depth: float) -> bool:
        """Whether the contact of two names at step k of the record, ``depth`` [m] deep, lasts from the start."""
        pair = first, second
        if pair not in self._known:
            self._known[pair] = self._follow(*pair)
        last, deep = self._known[pair]
        return k <= last and depth <= deep + self._record.tolerance.penetration

    @property
    def left(self) -> list[tuple[str, str]]:
        """The contacts of those asked for that are still there at the end."""
        return [pair for pair, (last, _) in self._known.items() if last == len(self._record.steps) - 1]

    def _follow(self, first: str, second: str) -> tuple[int, float]:
        """Index of the last step until which a contact lasts, -1 if it is none at the start, and how deep it is [m]."""
        if self._scene is None:
            self._scene = Scene(self._record.robot, self._record.objects)
        scene, last, deep = self._scene, -1, 0.0
        hands = (hand.touch for hand in self._record.robot.hands.values())
        links = next((touch for touch in hands if first in touch), (first,))
        pairs = [pair for link in links for pair in scene.pairs_of(link, second)]
        for k, step in enumerate(self._record.steps):
            if not {first, second}.intersection(scene.objects) <= set(step.poses):
                break
            scene.place(step.q, step.poses)
            if not any(scene.touches(pair) for pair in pairs):
                break
            if k == 0:
                deep = max(-scene.distance(pair) for pair in pairs)
            last = k
        return last, deep
