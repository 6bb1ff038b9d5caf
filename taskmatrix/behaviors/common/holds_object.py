"""What is done with an object that a hand holds."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.behavior.requirement import Hands, Requirement


class HoldsObject(TaskBehavior):
    """Base of behaviors that need an object in a hand, and that it stays there.

    A subclass calls :meth:`note_held` where it says which chains it needs.
    """

    object = Parameter(str, default=None, doc="id of the object; what a hand holds unless given")

    def requirements(self) -> Sequence[Requirement]:
        """A hand to hold it with."""
        return [*super().requirements(), Hands()]

    def preconditions(self) -> Sequence[Condition]:
        """The object is held."""
        return [Grasping(self.object)]

    def inconditions(self) -> Sequence[Condition]:
        """Each hand goes on holding it."""
        return [Grasping(self._held, hand) for hand in self._hands]

    def note_held(self) -> str:
        """Take note of what is held, and return the name of the hand that does; the first of two."""
        grasping = Grasping(self.object).evaluate(self.context).values
        self._held = str(grasping["object"])
        self._hands = self.context.perception.object(self._held).holders or (str(grasping["hand"]),)
        self._hand = self._hands[0]
        return self._hand
