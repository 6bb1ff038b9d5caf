"""Sweeps of the eyes from one side to the other."""

from __future__ import annotations

import math

from taskmatrix.conditions.visible import HALF_ANGLE

from .head import Head

OVERLAP = 0.7  # of the field of view is the way from one level to the next
THERE = math.radians(3.0)  # off a place where the eyes turn back


class Sweep:
    """Looks from one side to the other, level by level, beginning with the side that is nearer.

    Args:
        head: Which turns the eyes.
        tilts: [rad] Below the horizon, of the levels.
    """

    def __init__(self, head: Head, tilts: list[float]) -> None:
        side = math.copysign(widest(head), head.looks.pan)
        self._ways: list[tuple[float, float]] = []
        self._asked: tuple[float, float] | None = None
        for tilt in tilts:
            self._ways += [(side, tilt), (-side, tilt)]
            side = -side

    @property
    def over(self) -> bool:
        """Whether all has been looked at."""
        return not self._ways

    def go(self, head: Head, pace: float) -> None:
        """Modulate the head: the next look, with a pace [rad/s]."""
        while self._ways and head.looks_at(*self._ways[0], THERE):
            self._ways.pop(0)
        if self._ways and self._asked == self._ways[0] and head.arrived:
            self._ways.pop(0)
        if self._ways:
            head.pan, head.tilt = self._asked = self._ways[0]
        head.pace = pace


def widest(head: Head) -> float:
    """[rad] How far a sweep goes to each side: what is behind is for the body to turn to."""
    return min(head.widest, math.pi / 2.0)


def levels(highest: float, lowest: float, half_angle: float = HALF_ANGLE) -> list[float]:
    """[rad] Below the horizon, from the highest level to what the eyes come down to, so that nothing is left out."""
    found, step = [min(highest, lowest)], 2.0 * OVERLAP * half_angle
    while found[-1] < lowest - 1e-6:
        found.append(min(found[-1] + step, lowest))
    return found
