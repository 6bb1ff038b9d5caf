"""Put something away."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.conditions import Grasping, HasJoint, Opened
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..manipulation.pickup import Pickup
from ..manipulation.put_into import PutInto
from .open import Close, Open

WIDE = 0.8  # open enough


class Store(Machine):
    """Open a drawer or a cupboard, fetch an object, put it in, and close it again.

    What is open already is not opened, and what is held already not fetched. A drawer is itself what opens; of a
    cupboard that is its ``door``.
    """

    object = Parameter(str, known=True, doc="id of the object")
    into = Parameter(str, known=True, doc="id of what to put it into")
    door = Parameter(str, known=True, doc="id of the part that opens: of a drawer the same")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    open = State(Open, object=door)
    fetch = State(Pickup, object=object, into=into, duration=duration)
    put = State(PutInto, object=object, into=into, duration=duration)
    close = State(Close, object=door, final=True)

    transitions = (
        start(open, when=~Opened(door, WIDE)),
        start(fetch, when=Opened(door, WIDE) & ~Grasping(object)),
        start(put, when=Opened(door, WIDE) & Grasping(object)),
        on(open.task_successful, start=fetch, when=~Grasping(object)),
        on(open.task_successful, start=put, when=Grasping(object)),
        on(fetch.task_successful, start=put),
        on(put.task_successful, start=close),
    )

    def preconditions(self) -> Sequence[Condition]:
        """There is something that opens."""
        return [HasJoint(self.door)]
