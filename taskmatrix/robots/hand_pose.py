"""Where a hand is: the one piece of kinematics that plants and judges need without the skills."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array

from .robot import Robot


def hand_pose(robot: Robot, hand: str, q: Array) -> Array:
    """X_WH: (4, 4) pose of a hand's grasp frame at joint positions q (n,)."""
    data = robot.data
    pin.forwardKinematics(robot.model, data, robot.expand(q))
    index = robot.model.getFrameId(robot.hands[hand].frame)
    X_WL = np.asarray(pin.updateFramePlacement(robot.model, data, index).homogeneous)
    X_WH: Array = X_WL @ robot.hands[hand].X_LH
    return X_WH
