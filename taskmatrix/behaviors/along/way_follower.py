"""A hand that goes along a given way."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.core.world.objects import Array

from ..common.limbs import are_free, trunk_of
from ..common.tolerances import SETTLING_TIME


class WayFollower(TaskBehavior):
    """Base of behaviors in which a hand takes given poses one after the other, with arm, trunk and base.

    The whole way is planned before anything moves.
    """

    duration = Parameter(float, default=3.0, minimum=0.0, doc="[s] shortest time of the movement")

    @abstractmethod
    def moving_hand(self) -> str:
        """Name of the hand."""

    @abstractmethod
    def way(self) -> Array:
        """(t, 4, 4) Poses of the hand's grasp frame in the world, from where it is."""

    @abstractmethod
    def is_there(self) -> bool:
        """Whether it is where it was to go."""

    def required_chains(self) -> Sequence[str]:
        """Arm and fingers of the hand, and the trunk if it is free."""
        self._hand = self.moving_hand()
        trunk = trunk_of(self.context)
        return [*self.context.skills.chains_of_hand(self._hand), *(trunk if are_free(self.context, trunk) else ())]

    def plan(self) -> Job | Failure:
        """Plan the way of the hand, whose fingers stay as they are."""
        skills, fingers = self.context.skills, self._fingers()
        chains = [chain for chain in self.context.arbiter.granted(self.path) if chain not in fingers]
        seed = int(self.random.integers(2**31))
        return skills.plan_along(self._hand, self.way(), chains, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Begin to move."""
        self._plan = plan

    def step(self) -> Failure | bool:
        """Move along the plan."""
        followed = self.follow(self._plan)
        if followed is not True:
            return followed
        return self.is_there() or self.elapsed > self._plan.duration + SETTLING_TIME

    def _fingers(self) -> list[str]:
        """Chains of the hand that are not those of its arm."""
        skills = self.context.skills
        fingers = set(skills.hand_posture(self._hand, None))
        return [c for c in skills.chains_of_hand(self._hand) if fingers & set(skills.joints(c).tolist())]
