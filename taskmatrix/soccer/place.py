"""Places and directions on the floor, seen from a base."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.robot.skills.body import BodySkills
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.geometry import wrap
from taskmatrix.core.world.objects import Array


@dataclass(frozen=True)
class Direction:
    """Where somebody looks, in the frame of the base."""

    pan: float
    """[rad] To the left."""
    tilt: float
    """[rad] Below the horizon."""


@dataclass(frozen=True)
class Base:
    """Where a base is in the world."""

    x: float
    """[m]"""
    y: float
    """[m]"""
    yaw: float
    """[rad]"""

    @property
    def place(self) -> Array:
        """(2,) [m] On the floor."""
        return np.array([self.x, self.y])

    def seen(self, way: Array) -> Array:
        """(2,) A vector (2,) of the world in the base's axes: ahead, to the left."""
        return turned(way, -self.yaw)


def turned(way: Array, angle: float) -> Array:
    """(2,) A vector (2,) turned to the left by an angle [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])


def bearing(way: Array) -> float:
    """[rad] Of a vector (2,)."""
    return math.atan2(float(way[1]), float(way[0]))


def direction(ray: Array, yaw: float) -> Direction:
    """Of a ray (3,) of the world, for a base that heads at yaw [rad]."""
    x, y, z = ray.tolist()
    return Direction(wrap(math.atan2(y, x) - yaw), math.atan2(-z, math.hypot(x, y)))


def ray(direction: Direction, yaw: float) -> Array:
    """(3,) Unit vector of the world, for a base that heads at yaw [rad]."""
    c, angle = math.cos(direction.tilt), direction.pan + yaw
    return np.array([c * math.cos(angle), c * math.sin(angle), -math.sin(direction.tilt)])


def turn_to(skills: SkillSet, heading: float, before: float = 0.0) -> float:
    """[rad] By how much to turn the base to a heading [rad]: the shorter way for which its limits have room.

    Or the way that it is on: by how much it was to turn ``before`` [rad].
    """
    joint = skills.joints("base")[2]
    lower, upper = (float(limit[joint]) for limit in skills.limits()[:2])
    yaw = float(skills.position()[joint])
    by = wrap(heading - yaw)
    ways = by, by - math.copysign(2.0 * math.pi, by)
    free = [way for way in ways if lower <= yaw + way <= upper]
    return min(free or ways, key=lambda way: abs(way - before))


def way_round(skills: BodySkills) -> float:
    """[-] 1 or -1: to which side the base turns further, left or right."""
    return -1.0 if float(skills.position()[skills.joints("base")[2]]) > 0.0 else 1.0
