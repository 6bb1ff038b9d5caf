"""Lift what hands hold."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array

from ..common.holds_object import HoldsObject
from ..common.tolerances import LIFT_SLIP
from .withdrawal import Withdrawal


class Lift(HoldsObject, Withdrawal):
    """Lift what a hand holds, or two, off what it stands on or in, straight up: whatever comes next has room to move.

    By 8 cm at least and until nothing is nearer than 2 cm, as far as there is room: the event ``retreat`` tells how
    far, and what was in the way.
    """

    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time of the movement")

    def required_chains(self) -> Sequence[str]:
        """Arm and fingers of each hand, and the trunk if it is free."""
        self.note_held()
        return self.chains_to_withdraw()

    def plan(self) -> Failure | None:
        """Start to plan the motion upwards."""
        self._X_HO = self._in_hands()
        return self.plan_withdrawal(self.duration)

    def step(self) -> bool:
        """Move up along the plan."""
        return self.withdraw()

    def achieved(self) -> Failure | bool:
        """Whether the object has come along."""
        for hand, before, now in zip(self._hands, self._X_HO, self._in_hands(), strict=True):
            slipped = pose_error(before, now)[0]
            if slipped > LIFT_SLIP:
                message = f"'{self._held}' has slipped by {slipped * 1000:.0f} mm in the {hand} hand"
                return self.fail(FailureKind.LOST_OBJECT, message, object=self._held, hand=hand, slipped=slipped)
        return True

    def _in_hands(self) -> list[Array]:
        """X_HO (4, 4) of the object in each hand."""
        X_WO, skills = self.context.perception.pose(self._held), self.context.skills
        return [inverse(skills.forward_kinematics(hand)) @ X_WO for hand in self._hands]
