"""Move a part that a hand holds along its joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Grasping, HasJoint
from taskmatrix.conditions.opened import opening
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.requirement import Hands, Requirement
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array

from ..common.limbs import are_free, trunk_of
from ..common.tolerances import SETTLING_TIME
from .part_way import part_way

ARRIVED = 0.02  # of the whole way of the part, by which it may be off in the end


class MovePart(TaskBehavior):
    """Open or close a drawer or a door that a hand holds, to a share of its way.

    The hand goes along the line or the arc on which the part leads it, with arm, trunk and base, planned as a whole
    before anything moves.
    """

    object = Parameter(str, doc="id of the part")
    share = Parameter(float, default=1.0, minimum=0.0, maximum=1.0, doc="how far open: 0 closed, 1 open")
    duration = Parameter(float, default=3.0, minimum=0.0, doc="[s] shortest time of the movement")

    opened = Output(float, doc="how far open it is in the end")

    def requirements(self) -> Sequence[Requirement]:
        """A hand to hold it with."""
        return [Hands()]

    def preconditions(self) -> Sequence[Condition]:
        """A hand holds what moves on something."""
        return [HasJoint(self.object), Grasping(self.object)]

    def inconditions(self) -> Sequence[Condition]:
        """The hand goes on holding it."""
        return [Grasping(self.object, self._hand)]

    def required_chains(self) -> Sequence[str]:
        """Arm and fingers of the hand, and the trunk if it is free."""
        self._hand = str(Grasping(self.object).evaluate(self.context).values["hand"])
        trunk = trunk_of(self.context)
        mine = self.context.skills.chains_of_hand(self._hand)
        return [*mine, *(trunk if are_free(self.context, trunk) else ())]

    def plan(self) -> Failure | None:
        """Start to plan the way of the hand."""
        skills = self.context.skills
        chains = [chain for chain in self.context.arbiter.granted(self.path) if chain not in self._fingers()]
        seed = int(self.random.integers(2**31))
        job = skills.plan_along(self._hand, self._way(), chains, self.duration, seed, self.planning_time)
        self._plan: Plan | None = None
        self._planning: Job | None = None if isinstance(job, Failure) else job
        return job if isinstance(job, Failure) else None

    def step(self) -> Failure | bool:
        """Move along the plan."""
        if self._plan is None:
            if self._planning is None or not self._planning.done():
                return False
            plan = self._planning.result()
            if isinstance(plan, Failure):
                return plan
            self._plan, self._since = plan, self.elapsed
        blocked, time = self.context.arbiter.blocked(self.path), self.elapsed - self._since
        if blocked is not None and time > 0.0:
            return self.fail(FailureKind.COLLISION, f"'{self.object}' cannot be moved on", blocked)
        self.command_along(self._plan, min(time, self._plan.duration))
        return time > self._plan.duration and (self._is_there() or time > self._plan.duration + SETTLING_TIME)

    def achieved(self) -> Failure | bool:
        """Whether the part is where it was asked to be."""
        share = self._share()
        self.publish(opened=share)
        if self._is_there():
            return True
        message = f"'{self.object}' is {share:.0%} open, not {self.share:.0%}"
        return self.fail(FailureKind.NOT_ACHIEVED, message, object=self.object, share=share)

    def finish(self) -> None:
        """Nobody waits for a plan any more."""
        if self._planning is not None:
            self._planning.cancel()

    def _fingers(self) -> list[str]:
        """Chains of the hand that are not those of its arm."""
        skills = self.context.skills
        fingers = set(skills.hand_posture(self._hand, None))
        return [c for c in skills.chains_of_hand(self._hand) if fingers & set(skills.joints(c).tolist())]

    def _way(self) -> Array:
        """(t, 4, 4) Poses of the hand's grasp frame, as the part leads it from where it holds it."""
        X_OH = inverse(self.context.perception.pose(self.object)) @ self.context.skills.forward_kinematics(self._hand)
        return part_way(self.context, self.object, X_OH, self.share)

    def _share(self) -> float:
        share = opening(self.context, self.object)
        return np.nan if isinstance(share, Verdict) else share

    def _is_there(self) -> bool:
        return abs(self._share() - self.share) <= ARRIVED
