"""The force on a hand, from the torques of its arm's joints."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.objects import Array


def contact_force(skills: SkillSet, hand: str, joints: Indices) -> Array | None:
    """(3,) [N] In the world, with which something pushes a hand; None where the plant senses no torques.

    Exact for arms of six joints and more, as far as the torques are, wherever on the hand it is pushed. Of shorter ones
    it is the least force that the torques are of, if nothing else pushes the arm.

    Args:
        skills: Of the robot.
        hand: Its name.
        joints: (k,) Of its arm.
    """
    torque = skills.contact_torque()
    if torque is None:
        return None
    X_WH, J = skills.differential_kinematics(hand)
    rows = J[:, joints] if len(joints) >= 6 else J[:3, joints]
    wrench = np.linalg.lstsq(rows.T, torque[joints], rcond=1e-3)[0]
    force: Array = X_WH[:3, :3] @ wrench[:3]
    return force
