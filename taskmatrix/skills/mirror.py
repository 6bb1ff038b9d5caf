"""Exchanging left and right in a posture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array
from taskmatrix.robots import Robot

# How the image in the plane y = 0 keeps or turns the components of a velocity: an arrow's y; an axis is a pseudovector.
_IMAGE = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])


def mirrored(robot: Robot, posture: Mapping[int, float]) -> Mapping[int, float] | None:
    """The posture with left and right exchanged.

    Chains are partners when their names differ in ``left`` and ``right`` only; joints are partners in the order of
    their chains, and the joints of all other chains (trunk, head) are their own. Whether a joint's sign turns is read
    off the model: from the mirror image of its axis. Fingers are as far closed on the other hand, whatever their signs:
    hands need not be mirror images.

    Args:
        robot: The robot.
        posture: Positions by joint index.

    Returns:
        Positions by joint index; None if none of the joints has a partner on the other side.
    """
    partners: dict[int, int] = {}
    for name, chain in robot.chains.items():
        other = name.replace("left", "\0").replace("right", "left").replace("\0", "right")
        if other != name and other in robot.chains and len(robot.chains[other]) == len(chain):
            partners.update(zip(chain, robot.chains[other], strict=True))
    if not any(index in partners for index in posture):
        return None
    motions, fingers = _motions(robot), _fingers(robot)
    result = {}
    for index, position in posture.items():
        partner = partners.get(index, index)
        if index in fingers and partner in fingers:
            (opened, closed), (there_opened, there_closed) = fingers[index], fingers[partner]
            result[partner] = there_opened + (position - opened) / (closed - opened) * (there_closed - there_opened)
            continue
        result[partner] = position if (_IMAGE * motions[index]) @ motions[partner] > 0 else -position
    return result


def _motions(robot: Robot) -> dict[int, Array]:
    """(6,) each: how each active joint moves what it carries, in the world with all joints at zero."""
    data = robot.model.createData()
    pin.computeJointJacobians(robot.model, data, robot.expand(np.zeros(robot.n)))
    motions = {}
    for index, name in enumerate(robot.joints):
        joint = robot.model.getJointId(name)
        J = pin.getJointJacobian(robot.model, data, joint, pin.LOCAL_WORLD_ALIGNED)
        motions[index] = np.array(J[:, robot.model.joints[joint].idx_v])
    return motions


def _fingers(robot: Robot) -> dict[int, tuple[float, float]]:
    """By joint of the fingers, where it is when the hand is open and when it is closed."""
    return {
        robot.joints.index(joint): (hand.open[joint], hand.closed[joint])
        for hand in robot.hands.values()
        for joint in hand.open
        if hand.open[joint] != hand.closed[joint]
    }
