"""What an arm has to bear while its hand holds something still."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.robots.capabilities import GRAVITY

from .kinematics import Kinematics


def load(kinematics: Kinematics, hand: str, q: Array, mass: float) -> float:
    """The torque of an arm's joint that is nearest to its limit, as a share of it; zero where no limits are known.

    Args:
        kinematics: Of the robot.
        hand: Its name.
        q: (n,) Configuration.
        mass: [kg] Of what is in the middle of its grasp.
    """
    robot = kinematics.robot
    arm = np.array(robot.indices(robot.hands[hand].arm), dtype=np.intp)
    placement, J = kinematics.placement_and_jacobian(hand, q, arm)
    held = J[:3].T @ (placement.rotation.T @ np.array([0.0, 0.0, mass * GRAVITY]))
    sprung = np.array([robot.joints[joint] in robot.counterbalanced for joint in arm])
    torques = held + np.where(sprung, 0.0, kinematics.weight(q)[arm])
    return float(np.max(np.abs(torques) / robot.effort[arm]))
