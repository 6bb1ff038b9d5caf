"""Take the base to a place on the floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.core.world.geometry import wrap

from ..common.tracking import arrived


class Travel(TaskBehavior):
    """Take the base to a place and a heading, on a planned way without collisions."""

    needs = ("base",)

    x = Parameter(float, doc="[m] in the world")
    y = Parameter(float, doc="[m] in the world")
    yaw = Parameter(float, default=None, doc="[rad] heading there; as it is now unless given")
    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")
    until = Parameter(float, default=None, doc="[s] on the clock: a way that would not be over by then is not begun")

    def required_chains(self) -> Sequence[str]:
        """Require the base."""
        return ["base"]

    def plan(self) -> Job | Failure:
        """Start to plan the motion of the base to its goal."""
        skills = self.context.skills
        base = skills.joints("base")
        here, lower, upper = (values[base] for values in (skills.position(), *skills.limits()[:2]))
        yaw = float(here[2]) if self.yaw is None else wrap(self.yaw, float(here[2]))
        yaw += 2 * np.pi * ((yaw < lower[2]) - float(yaw > upper[2]))
        goal = dict(zip(base.tolist(), (self.x, self.y, yaw), strict=True))
        seed = int(self.random.integers(2**31))
        return skills.plan_to_configuration(goal, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Follow it, if there is time."""
        end = self.context.clock.now() + plan.trajectory.duration
        self._plan = plan if self.until is None or end <= self.until else None

    def step(self) -> Failure | bool:
        """Go, or wait for the time where there is too little of it left."""
        if self._plan is None:
            return self.until is None or self.context.clock.now() >= self.until
        return self.follow(self._plan)

    def achieved(self) -> Failure | bool:
        """Whether the base is where its way ends, if it has gone."""
        return self._plan is None or arrived(self.context, self.path, self._plan.trajectory, self.elapsed)
