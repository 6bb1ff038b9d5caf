"""Take the base to a place on the floor."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.robot.plans import Job
from taskmatrix.core.world.geometry import wrap

from .base_motion import BaseMotion


class Travel(BaseMotion):
    """Take the base to a place and a heading, on a planned way without collisions."""

    x = Parameter(float, doc="[m] in the world")
    y = Parameter(float, doc="[m] in the world")
    yaw = Parameter(float, default=None, doc="[rad] heading there; as it is now unless given")

    def plan(self) -> Job | Failure:
        """Start to plan the motion of the base to its goal."""
        skills = self.context.skills
        base = skills.joints("base")
        here, lower, upper = (values[base] for values in (skills.position(), *skills.limits()[:2]))
        yaw = float(here[2]) if self.yaw is None else wrap(self.yaw, float(here[2]))
        yaw += 2 * np.pi * ((yaw < lower[2]) - float(yaw > upper[2]))
        goal = dict(zip(base.tolist(), (self.x, self.y, yaw), strict=True))
        return self.plan_to(goal)
