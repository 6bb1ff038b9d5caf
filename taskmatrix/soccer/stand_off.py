"""How near to a ball a robot goes before it knows how to kick it."""

from __future__ import annotations

import math

from taskmatrix.conditions.visible import HALF_ANGLE
from taskmatrix.core.robot.skillset import SkillSet

SHARE = 0.6  # of half the field of view, below its middle, at which the ball still is well in the image
STEEPEST = math.radians(80.0)  # below the horizon is looked at the ball
ROOM = 1.2  # times as far from the axis as anything of the robot


def stand_off(skills: SkillSet, lowest: float, half_angle: float = HALF_ANGLE) -> float:
    """[m] From the axis of the base to a ball on the floor: where the eyes still see it, and nothing touches it.

    Args:
        skills: Of the robot.
        lowest: [rad] How far below the horizon its eyes look.
        half_angle: [rad] Of the field of view.
    """
    base, eyes = skills.position()[skills.joints("base")], skills.view_position()
    ahead = math.hypot(*(eyes[:2] - base[:2]))
    steepest = min(lowest + SHARE * half_angle, STEEPEST)
    return max(ahead + float(eyes[2]) / math.tan(steepest), ROOM * skills.extent()[0])
