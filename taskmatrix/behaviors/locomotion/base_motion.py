"""What travel and turn have in common: the base follows a plan, if there is time for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Job, Plan

from ..common.tracking import arrived


class BaseMotion(TaskBehavior):
    """Base of behaviors that move the base on a planned way without collisions; subclasses plan it."""

    needs = ("base",)

    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")
    until = Parameter(float, default=None, doc="[s] on the clock: a motion that would not be over by then is not begun")

    def required_chains(self) -> Sequence[str]:
        """Require the base."""
        return ["base"]

    def plan_to(self, goal: Mapping[int, float]) -> Job | Failure:
        """Start to plan a motion of joints of the base, by their indices, to positions [m, rad]."""
        seed = int(self.random.integers(2**31))
        return self.context.skills.plan_to_configuration(goal, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Follow it, if there is time."""
        end = self.context.clock.now() + plan.trajectory.duration
        self._plan = plan if self.until is None or end <= self.until else None

    def step(self) -> Failure | bool:
        """Move, or wait for the time where there is too little of it left."""
        if self._plan is None:
            return self.until is None or self.context.clock.now() >= self.until
        return self.follow(self._plan)

    def achieved(self) -> Failure | bool:
        """Whether the base is where its way ends, if it has moved."""
        return self._plan is None or arrived(self.context, self.path, self._plan.trajectory, self.elapsed)
