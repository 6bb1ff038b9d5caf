"""How objects move by script: pure functions of time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import scipy

from taskmatrix.core.world.objects import Array

BRAKING = 0.3  # [m/s^2] with which what moves along waypoints comes to rest
_LOOK = 0.2  # [m] before and behind, between which a walker's heading is taken, so that it turns before a corner


class ObjectMotion(Protocol):
    """Where an object is, seen from where it started."""

    def at(self, time: float) -> tuple[Array, Array]:
        """The displacement (3,) [m] and the turn (3, 3) since time 0 [s], both in the axes of the support."""
        ...

    def travelled(self, time: float) -> float:
        """[m] How far it has gone at a time [s]."""
        ...


@dataclass(frozen=True, eq=False)
class Route:
    """Straight lines from one waypoint to the next."""

    points: Array
    """(k, 2) [m] Waypoints from the start, which is the first, (0, 0); two that follow each other differ."""
    speed: float
    """[m/s]"""
    repeat: bool = False
    """Whether it leads from the last waypoint to the first and on for ever, instead of to rest at the last."""

    @cached_property
    def corners(self) -> Array:
        """(m, 2) [m] The waypoints, and where it repeats the first again."""
        corners: Array = np.vstack([self.points, self.points[:1]]) if self.repeat else self.points
        return corners

    @cached_property
    def marks(self) -> Array:
        """(m,) [m] How far along the path the corners are."""
        marks: Array = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.corners, axis=0), axis=1))])
        return marks

    @property
    def length(self) -> float:
        """[m] From the first corner to the last."""
        return float(self.marks[-1])

    def travelled(self, time: float) -> float:
        """[m] How far it has gone at a time [s]: at constant speed, at last braking evenly to rest."""
        if self.repeat:
            return self.speed * time
        braking = max(BRAKING, self.speed**2 / (2 * self.length))
        way = self.speed**2 / (2 * braking)
        cruise, stop = (self.length - way) / self.speed, self.speed / braking
        left = min(max(cruise + stop - time, 0.0), stop)
        return self.length - braking * left**2 / 2 if time > cruise else self.speed * time

    def point(self, distance: float) -> Array:
        """(2,) [m] Where it is after a distance [m]."""
        along = distance % self.length if self.repeat else distance
        return np.array([np.interp(along, self.marks, self.corners[:, axis]) for axis in (0, 1)])


@dataclass(frozen=True, eq=False)
class Roll:
    """A ball along a path: it turns as it rolls."""

    route: Route
    """Where it rolls."""
    radius: float
    """[m] Of the ball."""

    def at(self, time: float) -> tuple[Array, Array]:
        """Displacement and turn, see :class:`ObjectMotion`."""
        route = self.route
        distance = route.travelled(time)
        rounds, along = divmod(distance, route.length) if route.repeat else (0.0, distance)
        turn = scipy.spatial.transform.Rotation.from_rotvec(rounds * self._turned(route.length).as_rotvec())
        return np.append(route.point(distance), 0.0), (self._turned(along) * turn).as_matrix()

    def travelled(self, time: float) -> float:
        """[m] How far it has gone at a time [s]."""
        return self.route.travelled(time)

    def _turned(self, along: float) -> scipy.spatial.transform.Rotation:
        """The turn after a distance [m] of the first round."""
        turn = scipy.spatial.transform.Rotation.identity()
        ways = np.diff(self.route.corners, axis=0)
        for way, begin, end in zip(ways, self.route.marks, self.route.marks[1:], strict=False):
            rolled = min(along, float(end)) - float(begin)
            if rolled > 0.0:
                axis = np.array([-way[1], way[0], 0.0]) / (end - begin)
                turn = scipy.spatial.transform.Rotation.from_rotvec(axis * rolled / self.radius) * turn
        return turn


@dataclass(frozen=True, eq=False)
class Walk:
    """Along a path, x ahead."""

    route: Route
    """Where it walks."""

    def at(self, time: float) -> tuple[Array, Array]:
        """Displacement and turn, see :class:`ObjectMotion`."""
        distance = self.route.travelled(time)
        return np.append(self.route.point(distance), 0.0), _turn(self.heading(distance) - self.heading(0.0))

    def travelled(self, time: float) -> float:
        """[m] How far it has gone at a time [s]."""
        return self.route.travelled(time)

    def heading(self, distance: float) -> float:
        """[rad] After a distance [m]."""
        ends = (distance - _LOOK, distance + _LOOK)
        if not self.route.repeat:
            ends = (max(ends[0], 0.0), min(ends[1], self.route.length))
        way = self.route.point(ends[1]) - self.route.point(ends[0])
        return float(np.arctan2(way[1], way[0]))


@dataclass(frozen=True, eq=False)
class FigureEight:
    """Round and round a figure of eight, x ahead; it starts at the crossing."""

    size: tuple[float, float]
    """[m] Length along its axis, and width."""
    period: float
    """[s] Of one round."""
    yaw: float = 0.0
    """[rad] Of its axis."""

    def at(self, time: float) -> tuple[Array, Array]:
        """Displacement and turn, see :class:`ObjectMotion`."""
        angle = 2 * np.pi * time / self.period
        place = np.array([self.size[0] * np.sin(angle), self.size[1] * np.sin(2 * angle), 0.0]) / 2
        return _turn(self.yaw) @ place, _turn(self.heading(time) - self.heading(0.0))

    def travelled(self, time: float) -> float:
        """[m] How far it has gone at a time [s]."""
        rounds, within = divmod(time, self.period)
        table = self._lengths
        return float(rounds * table[-1] + np.interp(within / self.period, np.linspace(0, 1, len(table)), table))

    @cached_property
    def _lengths(self) -> Array:
        """(k,) [m] Along the figure, at equal times of one round."""
        angle = np.linspace(0, 2 * np.pi, 201)
        x, y = self.size[0] / 2 * np.sin(angle), self.size[1] / 2 * np.sin(2 * angle)
        lengths: Array = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
        return lengths

    def heading(self, time: float) -> float:
        """[rad] At a time [s]."""
        angle = 2 * np.pi * time / self.period
        return self.yaw + float(np.arctan2(2 * self.size[1] * np.cos(2 * angle), self.size[0] * np.cos(angle)))


def _turn(yaw: float) -> Array:
    """(3, 3) About z [rad]."""
    matrix: Array = scipy.spatial.transform.Rotation.from_rotvec([0.0, 0.0, yaw]).as_matrix()
    return matrix
