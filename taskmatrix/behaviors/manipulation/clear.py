"""Come out of contact."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Job, Plan

from ..common.limbs import are_free


class Clear(TaskBehavior):
    """Take the robot out of contact with whatever it touches and should not, and hands away from what they are at.

    Whatever the reason: a stool was put there, somebody pushed the robot, an object came into a hand. Contacts come
    apart all the way, no other arises, and the robot moves as little as it can. All that is free takes part. Where
    there is no way out the failure says what holds the robot. Everything else that plans begins like this by itself;
    to do it alone is for who wants the robot clear before a pause, say.
    """

    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")

    def required_chains(self) -> Sequence[str]:
        """Require all chains that no other behavior owns."""
        self._chains = [chain for chain in self.context.skills.chains if are_free(self.context, [chain])]
        return self._chains

    def plan(self) -> Job | Failure:
        """Start to plan a motion out of contact."""
        seed = int(self.random.integers(2**31))
        return self.context.skills.plan_to_clear(self._chains, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Keep the plan, to follow it from its beginning."""
        self._plan = plan

    def step(self) -> Failure | bool:
        """Follow the way out, if it takes one."""
        return self.follow(self._plan) if self._plan.duration > 0.0 else True

    def achieved(self) -> Failure | bool:
        """Whether nothing touches any more."""
        contact = next(iter(self.context.skills.contacts()), None)
        if contact is None:
            return True
        message = f"{contact.first} and {contact.second} still touch"
        return self.fail(FailureKind.COLLISION, message, pair=contact.pair, distance=contact.distance)
