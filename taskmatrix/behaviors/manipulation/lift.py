"""Lift what a hand holds."""

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
    """Lift what a hand holds off what it stands on or in, straight up, so that whatever comes next has room to move.

    By 8 cm at least and until nothing is nearer than 2 cm, as far as there is room: the event ``retreat`` tells how
    far, and what was in the way.
    """

    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time of the movement")

    def required_chains(self) -> Sequence[str]:
        """Arm and fingers of the hand, and the trunk if it is free."""
        self.note_held()
        return self.chains_to_withdraw()

    def plan(self) -> Failure | None:
        """Start to plan the motion of the hand upwards."""
        self._X_HO = self._in_hand()
        return self.plan_withdrawal(self.duration)

    def step(self) -> bool:
        """Move the hand up along the plan."""
        return self.withdraw()

    def achieved(self) -> Failure | bool:
        """Whether the object has come along."""
        slipped = pose_error(self._X_HO, self._in_hand())[0]
        if slipped <= LIFT_SLIP:
            return True
        message = f"'{self._held}' has slipped by {slipped * 1000:.0f} mm in the {self._hand} hand"
        return self.fail(FailureKind.LOST_OBJECT, message, object=self._held, hand=self._hand, slipped=slipped)

    def _in_hand(self) -> Array:
        """X_HO (4, 4) of the object in the hand."""
        context = self.context
        return inverse(context.skills.forward_kinematics(self._hand)) @ context.perception.pose(self._held)
