"""A hand that goes along a given way."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array

from ..common.limbs import are_free, chains_of, hands_with, trunk_of
from ..common.tolerances import HAND_HELD_OFF, SETTLING_TIME
from ..force.compliant_motion import CompliantMotion


class WayFollower(CompliantMotion):
    """Base of behaviors in which a hand takes given poses one after the other, with arm, trunk and base.

    The whole way is planned before anything moves. Another hand that holds the same thing goes with it.
    """

    duration = Parameter(float, default=3.0, minimum=0.0, doc="[s] shortest time of the movement")

    @abstractmethod
    def moving_hand(self) -> str:
        """Name of the hand."""

    @abstractmethod
    def way(self) -> Array:
        """(t, 4, 4) Poses of the hand's grasp frame in the world, from where it is."""

    def compliant_hands(self) -> Sequence[str]:
        """That which moves, and the other one that holds the same."""
        return hands_with(self.context, self._hand)

    def shortest(self) -> float:
        """[s] That the movement takes at least."""
        return self.duration

    def is_there(self) -> bool:
        """Whether the hand is where it was to go."""
        distance, angle = self._off()
        return distance <= HAND_HELD_OFF[0] and angle <= HAND_HELD_OFF[1]

    def achieved(self) -> Failure | bool:
        """Whether the hand has arrived."""
        if self.is_there():
            return True
        distance, angle = self._off()
        message = f"the hand stays {distance * 1000:.1f} mm and {np.rad2deg(angle):.2f} deg from where it was to go"
        return self.fail(FailureKind.TRACKING, message, distance=distance, angle=angle)

    def required_chains(self) -> Sequence[str] | Failure:
        """Arm and fingers of the hand, and of the other one that holds the same; the trunk if it is free."""
        self._hand = self.moving_hand()
        trunk, skills = trunk_of(self.context), self.context.skills
        mine = [chain for hand in hands_with(self.context, self._hand) for chain in skills.chains_of_hand(hand)]
        return [*mine, *(trunk if are_free(self.context, trunk) else ())]

    def plan(self) -> Job | Failure | None:
        """Plan the way of the hand, whose fingers stay as they are."""
        skills, fingers = self.context.skills, self._fingers()
        chains = [chain for chain in self.context.arbiter.granted(self.path) if chain not in fingers]
        seed, way = int(self.random.integers(2**31)), self.way()
        self._goal = way[-1]
        ends = self.ends_at(), self.enough(), self.pushes()
        return skills.plan_along(self._hand, way, chains, self.shortest(), seed, self.planning_time, *ends)

    def ends_at(self) -> str | None:
        """Id of an object at which the way ends when it is touched; None where it ends at its last pose."""
        return None

    def pushes(self) -> str | None:
        """Id of an object that the hand pushes along the way."""
        return None

    def enough(self) -> float:
        """Share of the way that will do where the hand cannot go on."""
        return 1.0

    def planned(self, plan: Plan) -> None:
        """Begin to move."""
        self._plan = plan

    def step(self) -> Failure | bool:
        """Move along the plan."""
        followed = self.follow(self._plan)
        if followed is not True:
            return followed
        return self.is_there() or self.elapsed > self._plan.duration + SETTLING_TIME

    def _off(self) -> tuple[float, float]:
        return pose_error(self._goal, self.context.skills.forward_kinematics(self._hand))

    def _fingers(self) -> list[str]:
        """Chains of the hands that are not those of their arms."""
        context = self.context
        hands = hands_with(context, self._hand)
        return [chain for hand in hands for chain in chains_of(context, context.skills.hand_posture(hand, None))]
