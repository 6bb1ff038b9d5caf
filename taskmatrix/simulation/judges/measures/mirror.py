"""Exchanges left and right, by where joints are and the turn that each gives to what it carries."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.cache import remembered
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

_IMAGE = np.diag([1.0, -1.0, 1.0])
_ANGLE = 0.1  # [rad] of the turn that is compared
ALIKE = 0.03  # [m] off the mirror image, at most
LEVER = 0.1  # [m] by which a radian between axes counts


def mirror_image(robot: Robot, joints: Mapping[str, float]) -> dict[str, float] | None:
    """The positions [rad] or [m] of the joints on the other side; None if no joint has a partner there."""
    if all(partner(robot, joint) == joint for joint in joints):
        return None
    return {partner(robot, joint): mirrored(robot, joint, position) for joint, position in joints.items()}


def partner(robot: Robot, joint: str) -> str:
    """The joint whose axis is the mirror image with all joints at zero; a joint without such a one is its own.

    That of a finger is the finger of another hand that comes nearest to it.
    """
    return _partners(robot)[joint]


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


@remembered
def _partners(robot: Robot) -> dict[str, str]:
    """By joint the one on the other side."""
    data, q = robot.model.createData(), robot.expand(np.zeros(robot.n))
    pin.forwardKinematics(robot.model, data, q)
    places = {joint: np.array(data.oMi[robot.model.getJointId(joint)].translation) for joint in robot.joints}
    axes = {joint: _axis(robot, joint) for joint in robot.joints}
    hands = {joint: name for name, hand in robot.hands.items() for joint in hand.open}
    carried = {joint: _carried(robot, joint) for joint in robot.joints}
    partners = {}
    for joint in robot.joints:
        place, axis = _IMAGE @ places[joint], _IMAGE @ axes[joint]
        others = [other for other in hands if joint in hands and hands[other] != hands[joint]]
        off: dict[str, float] = {
            other: float(np.linalg.norm(places[other] - place))
            + LEVER * math.acos(min(abs(float(axes[other] @ axis)), 1.0))
            for other in others or robot.joints
            if len(carried[joint]) != 1 or carried[other] != carried[joint]  # both collar bones turn about one point
        }
        nearest = min(off, key=lambda other: (off[other], other != joint))
        partners[joint] = nearest if others or off[nearest] < ALIKE else joint
    return partners


def _carried(robot: Robot, joint: str) -> frozenset[str]:
    """The hands that a joint moves."""
    moved = set(robot.model.subtrees[robot.model.getJointId(joint)])
    frames = {name: robot.model.frames[robot.model.getFrameId(hand.frame)] for name, hand in robot.hands.items()}
    return frozenset(name for name, frame in frames.items() if frame.parentJoint in moved)


def _axis(robot: Robot, joint: str) -> Array:
    """(3,) Unit vector about which a joint turns, in the world with all joints at zero; zero if it slides."""
    turn = _turn(robot, joint, _ANGLE)
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return np.asarray(axis / max(float(np.linalg.norm(axis)), 1e-9))


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
