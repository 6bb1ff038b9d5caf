"""Whether legs that step have room."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import Space
from taskmatrix.robots import Robot

from ..collision.bodies import Body
from ..collision.collision import CollisionChecker

ROOM = 0.08  # [m] to all but the floor
APART = (0.004, 0.002)  # [m] between a leg and the robot itself: motors under load are off by some of it


class StepClearance:
    """Tells whether the legs of a robot are some centimetres away from everything; always, of one without legs.

    Args:
        robot: The robot.
    """

    def __init__(self, robot: Robot) -> None:
        self._checker = CollisionChecker(robot, ROOM) if robot.legs else None
        self._own = _own(robot) if robot.legs else None
        if self._checker is not None:
            self._checker.set_moving(_joints(robot))

    def set_bodies(self, bodies: Iterable[Body]) -> None:
        """Replace the objects that legs have to keep clear of."""
        if self._checker is not None:
            self._checker.set_bodies(bodies)

    def set_space(self, space: Space | None) -> None:
        """Take up a map of space, or none."""
        if self._checker is not None:
            self._checker.set_space(space)

    def __call__(self, Q: Array) -> bool:
        """Whether there is room at all of Q (m, n)."""
        return self._checker is None or self._checker.first_not_free(Q) is None

    def apart(self, q: Array) -> bool:
        """Whether legs are some millimetres from each other and the rest of the robot, or as far as in its stance."""
        return self._own is None or self._own.is_free(q)


def _joints(robot: Robot) -> Indices:
    """(k,) Those of the legs."""
    return np.unique([joint for leg in robot.legs for joint in leg.joints])


def _own(robot: Robot) -> CollisionChecker:
    """Of the legs with the robot alone, with as much between them as the stance has."""
    stance = robot.posture(robot.stance)
    for apart in (*APART, 0.0):
        checker = CollisionChecker(robot, 0.0, apart)
        checker.set_moving(_joints(robot))
        if checker.is_free(stance):
            break
    return checker
