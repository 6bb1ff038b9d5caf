"""Where the robot was: the poses of its recent motion, with those among them that it may be taken back to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..world.objects import Array


class PoseHistory:
    """The last poses, one for each control step in which the robot moved (MoBeE algorithm 4).

    Args:
        capacity: How many are remembered.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._poses: list[Array] = []
        self._marks: list[int] = []

    def __len__(self) -> int:
        return len(self._poses)

    def clear(self) -> None:
        """Forget all."""
        self._poses, self._marks = [], []

    def record(self, q: Array) -> None:
        """Add a pose (n,), unless it is the last one."""
        if self._poses and np.array_equal(self._poses[-1], q):
            return
        self._poses.append(q)
        gone = len(self._poses) - self._capacity
        if gone > 0:
            del self._poses[:gone]
            self._marks = [mark - gone for mark in self._marks if mark >= gone]

    def mark(self) -> None:
        """Note that the robot may be taken back to the last pose."""
        newest = len(self._poses) - 1
        if newest >= 0 and newest not in self._marks[-1:]:
            self._marks.append(newest)

    def marked(self) -> Iterator[tuple[int, Array]]:
        """Number and pose (n,) of those to which it may be taken back, the newest first."""
        for mark in reversed(self._marks):
            yield mark, self._poses[mark]

    def at(self, place: float) -> Array:
        """(n,) The pose at a place among them: 0 is the oldest, and between two it is on the line between them."""
        low = min(int(place), len(self._poses) - 1)
        share = place - low
        if share <= 0.0:
            return self._poses[low]
        pose: Array = (1.0 - share) * self._poses[low] + share * self._poses[low + 1]
        return pose

    def go_back_to(self, place: int) -> None:
        """Forget what came after a place."""
        del self._poses[place + 1 :]
        self._marks = [mark for mark in self._marks if mark <= place]
