"""Bring the other hand to a grasp of what a hand holds (the first half of MTM-1's transfer grasp, thesis 4.3.3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.behavior.requirement import Holds, Requirement
from taskmatrix.core.robot.plans import AllowedContact, Job, Plan

from ..common.limbs import trunk_of
from ..common.tolerances import APPROACH
from ..common.tracking import there


class Meet(TaskBehavior):
    """Hold an object out with one hand and bring the other to where it can grasp it."""

    needs = ("base",)

    object = Parameter(str, doc="id of the object, which a hand holds")
    avoid = Parameter(str, default=None, doc="name of a grasp to leave out")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")

    giver = Output(str, doc="name of the hand that holds it")
    hand = Output(str, doc="name of the hand that can grasp it now")
    grasp = Output(str, doc="name of the grasp that it is at")

    def requirements(self) -> Sequence[Requirement]:
        """Require two hands that can hold the object."""
        return [*super().requirements(), Holds(self.object, count=2)]

    def preconditions(self) -> Sequence[Condition]:
        """The object is held."""
        return [Grasping(self.object)]

    def inconditions(self) -> Sequence[Condition]:
        """It is held all the while."""
        return [Grasping(self.object, self._giver)]

    def required_chains(self) -> Sequence[str] | Failure:
        """The trunk, arms and fingers of both hands."""
        skills = self.context.skills
        self._giver = str(Grasping(self.object).evaluate(self.context).values["hand"])
        free = [hand for hand in skills.hands if skills.held(hand) is None]
        if not free:
            held = {hand: skills.held(hand) for hand in skills.hands}
            return self.fail(FailureKind.CHAIN_BUSY, "no other hand is free", held=held)
        self._taker = free[0]
        self._trunk = trunk_of(self.context)
        return [*self._trunk, *skills.chains_of_hand(self._giver), *skills.chains_of_hand(self._taker)]

    def plan(self) -> Job | Failure:
        """Plan for both arms."""
        self._announced = False
        seed = int(self.random.integers(2**31))
        return self.context.skills.plan_handover(
            self.object,
            self._giver,
            self._taker,
            self.avoid,
            APPROACH,
            self._trunk,
            self.duration,
            seed,
            self.planning_time,
        )

    def planned(self, plan: Plan) -> None:
        """Keep the plan, to follow it from its beginning."""
        self._plan = plan

    def step(self) -> Failure | bool:
        """Move both arms along the plan."""
        plan, skills = self._plan, self.context.skills
        assert plan.goal is not None
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the way is blocked", blocked)
        if not self._announced:
            self.publish(giver=self._giver, hand=self._taker, grasp=plan.goal.label)
            self._announced = True
        time = self.elapsed + self.context.dt
        self.command_along(plan, time)
        if time >= plan.approach:
            skills.allow_contact(AllowedContact(self._taker, self.object), self._taker)
        return self.elapsed >= plan.trajectory.duration

    def achieved(self) -> Failure | bool:
        """Whether both hands are where they meet."""
        skills = self.context.skills
        joints = np.setdiff1d(self._plan.trajectory.indices, skills.joints("base"))  # which is not so exact
        late = self.elapsed - self._plan.trajectory.duration
        return there(self.context, self.path, joints, self.context.arbiter.last[joints], late, "where the hands meet")
