"""Exchanges left and right, by the names of joints and the turn that each gives to what it carries."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array
from taskmatrix.robots import Robot

_IMAGE = np.diag([1.0, -1.0, 1.0])
_ANGLE = 0.1  # [rad] of the turn that is compared


def mirror_image(robot: Robot, joints: Mapping[str, float]) -> dict[str, float] | None:
    """The positions [rad] or [m] of the joints on the other side; None if no joint has a partner there."""
    if all(partner(robot, joint) == joint for joint in joints):
        return None
    return {partner(robot, joint): mirrored(robot, joint, position) for joint, position in joints.items()}


def partner(robot: Robot, joint: str) -> str:
    """The joint with left and right exchanged in its name; a joint without such a one is its own partner."""
    other = joint.replace("left", "\0").replace("right", "left").replace("\0", "right")
    return other if other in robot.joints else joint


def mirrored(robot: Robot, joint: str, position: float) -> float:
    """Where [rad] or [m] the partner of a joint is in the mirror image."""
    other = partner(robot, joint)
    here, there = _finger(robot, joint), _finger(robot, other)
    if other != joint and here and there:  # hands need not be mirror images: as far closed
        return there[0] + (position - here[0]) / (here[1] - here[0]) * (there[1] - there[0])
    return position * _sign(robot, joint, other)


def _finger(robot: Robot, joint: str) -> tuple[float, float] | None:
    for hand in robot.hands.values():
        if joint in hand.open and hand.open[joint] != hand.closed[joint]:
            return hand.open[joint], hand.closed[joint]
    return None


def _sign(robot: Robot, joint: str, other: str) -> float:
    """1 if a joint and its partner turn as mirror images in the same direction, otherwise -1."""
    wanted = _IMAGE @ _turn(robot, joint, _ANGLE) @ _IMAGE
    return min((1.0, -1.0), key=lambda sign: float(np.abs(_turn(robot, other, sign * _ANGLE) - wanted).sum()))


def _turn(robot: Robot, joint: str, angle: float) -> Array:
    """(3, 3) By how much a joint at an angle turns what it carries, in the world, with all other joints at zero."""
    data, rotations = robot.model.createData(), []
    for position in (0.0, angle):
        q = np.zeros(robot.n)
        q[robot.joints.index(joint)] = position
        pin.forwardKinematics(robot.model, data, robot.expand(q))
        rotations.append(np.array(data.oMi[robot.model.getJointId(joint)].rotation))
    turn: Array = rotations[1] @ rotations[0].T
    return turn
