"""Which contacts a task asks for."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from taskmatrix.core.world.objects import Array

from ..ground_truth import Record
from .grasps import at_grasp, hand_in_object, nearest_grasp
from .scene import FLOOR

BEFORE = 0.030  # [m] from where the hand is when it takes the object
LEAVING = 0.020  # [m] from where what stood in contact was taken
AFTER = 0.035  # [m] from where the hand was when it let the object go


class IntendedContacts:
    """The contacts that a task on some objects asks for.

    The links that a hand lists as touching may touch an object of the task while the hand holds it; on the last 30 mm
    to where the hand takes it, or at the end stays at one of its grasps; and on the first 35 mm from where it let it
    go. A hand that is at a grasp of anything when the record begins may leave it likewise. What is held may touch what
    the task puts it on, no deeper than 1 mm. Where things stand without a gap, what no hand holds may touch others, and
    what one has taken too until it is 2 cm from there.

    Args:
        record: The run.
        objects: Ids of what the task handles.
        supports: Ids of what it may put them on.
    """

    def __init__(self, record: Record, objects: Collection[str], supports: Collection[str] = ()) -> None:
        self._record, self._supports = record, set(supports)
        leaving = _at_grasps(record)
        self._objects = {id for id in objects if id in record.objects} | {id for _, id in leaving}
        self._hands: dict[tuple[str, str], list[str]] = {}
        self._taken: dict[tuple[str, str], list[tuple[int, Array]]] = {}
        self._left: dict[tuple[str, str], list[tuple[int, Array]]] = {}
        for name, hand in record.robot.hands.items():
            for link in hand.touch:
                for id in self._objects:
                    self._hands.setdefault((link, id), []).append(name)
        steps = record.steps
        for name, id in leaving:
            self._mark(self._left, 0, name, id)
        for k in range(1, len(steps)):
            if steps[k].held is not steps[k - 1].held:
                for hand_name in record.robot.hands:
                    before, now = steps[k - 1].held.get(hand_name), steps[k].held.get(hand_name)
                    if now != before:
                        self._mark(self._taken, k, hand_name, now)
                        self._mark(self._left, k - 1, hand_name, before)
        for id in self._objects & set(record.end.poses):
            for hand_name in record.robot.hands:
                _, distance, angle = nearest_grasp(record, record.end, hand_name, id)
                if at_grasp(record, distance, angle):
                    self._mark(self._taken, len(steps) - 1, hand_name, id)

    def __call__(self, k: int, first: str, second: str, depth: float) -> bool:
        """Whether the contact of two names at step k of the record is asked for."""
        step = self._record.steps[k]
        for link, id in ((first, second), (second, first)):
            for hand in self._hands.get((link, id), ()):
                if step.held.get(hand) == id or self._passes(k, hand, id):
                    return True
            if id in self._supports and link in self._objects and step.holders(link):
                return depth <= self._record.tolerance.penetration
        return depth < self._record.tolerance.standing and self._stands(k, first, second)

    def _stands(self, k: int, first: str, second: str) -> bool:
        """Whether two things, or one and the floor, are in no hand, or near where a hand has taken them."""
        things = [name for name in (first, second) if name in self._record.objects]
        if not things or not {first, second} <= {*things, FLOOR}:
            return False
        return all(not self._record.steps[k].holders(id) or self._leaves(k, id) for id in things)

    def _leaves(self, k: int, id: str) -> bool:
        """Whether what a hand holds is still near where that took it."""
        steps, at = self._record.steps, k
        while at > 0 and steps[at].holders(id):
            at -= 1
        return float(np.linalg.norm((steps[k].poses[id] - steps[at].poses[id])[:3, 3])) <= LEAVING

    def _passes(self, k: int, hand: str, id: str) -> bool:
        """Whether a hand is on its way to where it takes an object, or from where it let it go."""
        here = hand_in_object(self._record, self._record.steps[k], hand, id)[:3, 3]
        coming = [p for at, p in self._taken.get((hand, id), ()) if at >= k]
        going = [p for at, p in self._left.get((hand, id), ()) if at < k]
        return any(np.linalg.norm(here - p) <= BEFORE for p in coming) or any(
            np.linalg.norm(here - p) <= AFTER for p in going
        )

    def _mark(self, marks: dict[tuple[str, str], list[tuple[int, Array]]], k: int, hand: str, id: str | None) -> None:
        if id in self._objects and id in self._record.steps[k].poses:
            p = hand_in_object(self._record, self._record.steps[k], hand, str(id))[:3, 3]
            marks.setdefault((hand, str(id)), []).append((k, p))


def _at_grasps(record: Record) -> list[tuple[str, str]]:
    """Hands that are at grasps of objects before the first step and do not hold them, with these objects."""
    start = record.steps[0]
    found = []
    for hand in record.robot.hands:
        for id in start.poses:
            if start.held.get(hand) != id and record.objects[id].movable:
                _, distance, angle = nearest_grasp(record, start, hand, id)
                if at_grasp(record, distance, angle):
                    found.append((hand, id))
    return found
