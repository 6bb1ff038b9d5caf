"""Take something out of where it is stored."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.conditions import HasJoint, Inside, Opened
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..manipulation.pickup import Pickup
from .open import Close, Open
from .store import WIDE

BOTH = 2  # hands that are free


class TakeOut(Machine):
    """Open a drawer or a cupboard, fetch what is in it, and close it again with a hand that is free.

    It takes two hands that hold nothing. What is open already is not opened. What is known to be elsewhere is not
    looked for there: that fails with ``precondition`` before anything moves.
    """

    object = Parameter(str, doc="id of the object, which may be out of sight until it is open")
    onto = Parameter(str, default=None, doc="id of what to put it on next: it takes a grasp that will do there, if any")
    door = Parameter(str, known=True, doc="id of the part that opens: the drawer, or the cupboard's door")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    open = State(Open, object=door)
    fetch = State(Pickup, object=object, onto=onto, duration=duration)
    close = State(Close, object=door, final=True)

    transitions = (
        start(open, when=~Opened(door, WIDE)),
        start(fetch, when=Opened(door, WIDE)),
        on(open.task_successful, start=fetch),
        on(fetch.task_successful, start=close),
    )

    def plan(self) -> Failure | None:
        """See whether it is in there, if that is known."""
        perception, skills = self.context.perception, self.context.skills
        joint = perception.object(self.door).model.joint
        inside = [self.door] if joint is None else [self.door, joint.parent]
        if self.object in perception and not any(Inside(self.object, id).evaluate(self.context) for id in inside):
            message = f"'{self.object}' is neither in {' nor in '.join(repr(id) for id in inside)}"
            return self.fail(FailureKind.PRECONDITION, message, object=self.object, door=self.door)
        laden = {hand: skills.held(hand) for hand in skills.hands if skills.held(hand) is not None}
        if len(skills.hands) - len(laden) < BOTH:
            holds = f"; {' and '.join(f'the {hand} holds {held!r}' for hand, held in laden.items())}" if laden else ""
            message = f"it takes two free hands, one for '{self.object}' and one to close '{self.door}'{holds}"
            return self.fail(FailureKind.PRECONDITION, message, hands=tuple(skills.hands))
        return super().plan()

    def preconditions(self) -> Sequence[Condition]:
        """There is something that opens."""
        return [HasJoint(self.door)]
