"""Move a part that a hand holds along its joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Grasping, HasJoint
from taskmatrix.conditions.opened import opening
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.requirement import Hands, Requirement
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array

from .part_way import part_way
from .way_follower import WayFollower

ARRIVED = 0.02  # of the whole way of the part, by which it may be off in the end


class MovePart(WayFollower):
    """Open or close a drawer or a door that a hand holds, to a share of its way.

    The hand goes along the line or the arc on which the part leads it, with arm, trunk and base, planned as a whole
    before anything moves. With ``least`` it goes as far as it can where it cannot go all the way, if that is at least
    this share of it.
    """

    object = Parameter(str, doc="id of the part")
    share = Parameter(float, default=1.0, minimum=0.0, maximum=1.0, doc="how far open: 0 closed, 1 open")
    least = Parameter(float, default=1.0, minimum=0.0, maximum=1.0, doc="share of its way that will do")

    opened = Output(float, doc="how far open it is in the end")

    def requirements(self) -> Sequence[Requirement]:
        """A hand to hold it with."""
        return [*super().requirements(), Hands()]

    def preconditions(self) -> Sequence[Condition]:
        """A hand holds what moves on something."""
        return [HasJoint(self.object), Grasping(self.object)]

    def inconditions(self) -> Sequence[Condition]:
        """The hand goes on holding it."""
        return [Grasping(self.object, self._hand)]

    def achieved(self) -> Failure | bool:
        """Whether the part is where it was asked to be."""
        share = self._share()
        self.publish(opened=share)
        if self.is_there() or abs(share - self._began) >= self.least * abs(self.share - self._began) - ARRIVED:
            return True
        message = f"'{self.object}' is {share:.0%} open, not {self.share:.0%}"
        return self.fail(FailureKind.NOT_ACHIEVED, message, object=self.object, share=share)

    def moving_hand(self) -> str:
        """That which holds the part."""
        return str(Grasping(self.object).evaluate(self.context).values["hand"])

    def enough(self) -> float:
        """As was asked for."""
        return float(self.least)

    def way(self) -> Array:
        """As the part leads the hand from where it holds it."""
        self._began = self._share()
        X_OH = inverse(self.context.perception.pose(self.object)) @ self.context.skills.forward_kinematics(self._hand)
        return part_way(self.context, self.object, X_OH, self.share)

    def is_there(self) -> bool:
        """Whether the part is as far open as asked."""
        return abs(self._share() - self.share) <= ARRIVED

    def _share(self) -> float:
        share = opening(self.context, self.object)
        return np.nan if isinstance(share, Verdict) else share
