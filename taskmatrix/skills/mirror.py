"""Exchanging left and right in a posture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array
from taskmatrix.robots import Robot


def mirrored(robot: Robot, posture: Mapping[int, float]) -> Mapping[int, float] | None:
    """The posture on the joints of the other side.

    Chains are partners when their names differ in ``left`` and ``right`` only; joints are partners in the order of
    their chains. Whether a joint's sign turns is read off the model: the mirror image of its axis.

    Args:
        robot: The robot.
        posture: Positions by joint index.

    Returns:
        Positions by joint index; None if a joint belongs to no chain with a partner.
    """
    partners: dict[int, int] = {}
    for name, chain in robot.chains.items():
        other = name.replace("left", "\0").replace("right", "left").replace("\0", "right")
        if other != name and other in robot.chains and len(robot.chains[other]) == len(chain):
            partners.update(zip(chain, robot.chains[other], strict=True))
    if any(index not in partners for index in posture):
        return None
    axes = _axes(robot)
    result = {}
    for index, position in posture.items():
        partner = partners[index]
        # an axis is a pseudovector: its image in the plane y = 0 keeps y and turns x and z
        image = np.array([-axes[index][0], axes[index][1], -axes[index][2]])
        result[partner] = position if image @ axes[partner] > 0 else -position
    return result


def _axes(robot: Robot) -> dict[int, Array]:
    """(3,) each, in the world: the axes of the joints in the stance's zero posture."""
    data = robot.model.createData()
    pin.computeJointJacobians(robot.model, data, robot.expand(np.zeros(len(robot.joints))))
    axes = {}
    for index, name in enumerate(robot.joints):
        joint = robot.model.getJointId(name)
        J = pin.getJointJacobian(robot.model, data, joint, pin.LOCAL_WORLD_ALIGNED)
        column = J[3:, robot.model.joints[joint].idx_v]
        axes[index] = np.asarray(column)
    return axes

