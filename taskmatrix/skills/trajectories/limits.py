"""What joints may do."""

from __future__ import annotations

from dataclasses import dataclass

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot


@dataclass(frozen=True, eq=False)
class Limits:
    """Limits of some joints."""

    lower: Array
    """(k,) [m, rad]"""
    upper: Array
    """(k,) [m, rad]"""
    velocity: Array
    """(k,) [m/s, rad/s]"""
    acceleration: Array
    """(k,) [m/s^2, rad/s^2]"""

    @classmethod
    def of(cls, robot: Robot, joints: Indices) -> Limits:
        """Those of a robot's joints (k,)."""
        return cls(robot.lower[joints], robot.upper[joints], robot.velocity[joints], robot.acceleration[joints])
