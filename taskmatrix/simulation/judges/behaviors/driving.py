"""Judges forward, reverse and turn."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from taskmatrix.core.world.objects import Array

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.contacts import in_contact
from ..measures.scene import Scene

LEAST = 0.02  # [m]
BESIDE = 0.02  # [m] off the line, off the place, or beyond the distance
AT = 0.05  # [m] between a hand and what it is at, at most
HEADING = float(np.deg2rad(2.0))  # [rad]
LEAST_TURN = 1e-3  # [rad]
STANDS, COASTS = 1e-4, 5e-4  # [m], [rad] in a step, and the base stands, or was moving already


class ForwardJudge(Judge):
    """Success of forward (thesis 4.3.6).

    The base moves along its heading by 2 cm or more, and by no more than ``distance`` if that is given; it stays within
    2 cm of the line and within 2 degrees of its heading. Where something else moves it still as the
    run begins, that is where it heads once it stands.
    """

    sense: ClassVar[float] = 1.0

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the base did not go straight on."""
        base = record.positions()[:, :3]
        moved = np.abs(np.diff(base, axis=0)).max(axis=1)
        base = base[int(np.argmax(moved <= STANDS)) :] if moved[0] > COASTS else base
        along, beside = self.sense * _seen(base).T
        facts.update(driven=float(along[-1]), beside=float(np.abs(beside).max()))
        if along[-1] < LEAST:
            return f"the base moved by {along[-1] * 100:.1f} cm"
        distance = parameters.get("distance")
        if distance is not None and along[-1] > float(str(distance)) + BESIDE:
            return f"the base moved by {along[-1]:.2f} m, not by {float(str(distance)):.2f}"
        if np.abs(beside).max() > BESIDE:
            return f"the base is {np.abs(beside).max() * 100:.1f} cm beside its line"
        turned = float(np.abs(base[:, 2] - base[0, 2]).max())
        return "" if turned <= HEADING else f"the base turned by {np.rad2deg(turned):.1f} deg"


class ReverseJudge(ForwardJudge):
    """Success of reverse: as of forward, the other way."""

    sense: ClassVar[float] = -1.0


class TurnJudge(Judge):
    """Success of turn (thesis 4.3.6): the base has another heading at the end, and stayed within 2 cm of its place.

    One that started in contact may leave that first: its place is where it touched nothing for the first time, and it
    may be 4 cm from there. A hand that is at something at the start may back off, with the base: its place is where it
    begins to turn then.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the base did not turn on the spot."""
        base = record.positions()[:, :3]
        turned = float(abs(np.angle(np.exp(1j * (base[-1, 2] - base[0, 2])))))
        first = _first_clear(record)
        if _hand_is_at_something(record):
            first = max(first, int(np.argmax(np.abs(base[:, 2] - base[0, 2]) > LEAST_TURN)))
        gone = float(np.linalg.norm(base[first:, :2] - base[first, :2], axis=1).max())
        facts.update(turned=turned, gone=gone)
        if gone > (2.0 if first else 1.0) * BESIDE:
            return f"the base moved by {gone * 100:.1f} cm"
        return "" if turned >= LEAST_TURN else "the base has the same heading"


def _hand_is_at_something(record: Record) -> bool:
    """Whether an empty hand is within 5 cm of an object at the start of a run."""
    scene, step = Scene(record.robot, record.objects), record.start
    scene.place(step.q, step.poses)
    empty = [hand for hand in record.robot.hands if hand not in step.held]
    links = [link for hand in empty for link in record.robot.hands[hand].touch]
    pairs = [pair for link in links for id in step.poses for pair in scene.pairs_of(link, id)]
    return min(scene.distances(pairs), default=np.inf) < AT


def _first_clear(record: Record) -> int:
    """The number of the first step of a run in which the robot touches nothing; the first where it never does."""
    scene = Scene(record.robot, record.objects)
    return next((k for k, step in enumerate(record.run) if not in_contact(scene, step)), 0)


def _seen(base: Array) -> Array:
    """(steps, 2) [m] Positions of the base (steps, 3) along the first heading, and to its left."""
    c, s = np.cos(base[0, 2]), np.sin(base[0, 2])
    seen: Array = (base[:, :2] - base[0, :2]) @ np.array([[c, -s], [s, c]])
    return seen
