"""Put something away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taskmatrix.conditions import Grasping, HasJoint, Inside, Opened
from taskmatrix.conditions.places import bottoms
from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..manipulation.pickup import Pickup
from ..manipulation.put_into import PutInto
from .open import Close, Open

WIDE = 0.8  # open enough


class Store(Machine):
    """Open a drawer or a cupboard, fetch an object, put it in, and close it again.

    What is open already is not opened, and what is held already not fetched. What opens is the drawer itself unless a
    ``door`` is named. What has no inside, or another door, and what is there already, is refused before
    anything moves.
    """

    object = Parameter(str, known=True, doc="id of the object")
    into = Parameter(str, known=True, doc="id of what to put it into")
    at = Parameter(str, default=None, doc="name of the shelf of that: one of its frames; any unless given")
    door = Parameter(str, known=True, doc="id of the part that opens; of a drawer the same as ``into``, unless given")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    open = State(Open, object=door)
    fetch = State(Pickup, object=object, into=into, duration=duration)
    put = State(PutInto, object=object, into=into, at=at, duration=duration)
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

    def set_parameters(self, **values: Any) -> None:
        """Set parameters; a drawer is its own door."""
        if values.get("into") is not None and values.get("door") is None:
            values["door"] = values["into"]
        super().set_parameters(**values)

    def plan(self) -> Failure | None:
        """See whether it can be put there at all."""
        seen = self.context.perception.object
        joint = seen(self.door).model.joint
        if self.door != self.into and (joint is None or joint.parent != self.into):
            return self.fail(FailureKind.PARAMETER, f"'{self.door}' is no door of '{self.into}'")
        if self.door != self.into and bottoms(seen(self.door)):
            return self.fail(FailureKind.PARAMETER, f"'{self.door}' is a drawer: into has to be '{self.door}' itself")
        if self.object == self.into:
            return self.fail(FailureKind.PARAMETER, f"'{self.object}' cannot be put into itself")
        try:
            floors = bottoms(seen(self.into), self.at)
        except NotFoundError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        if not floors:
            where = f" at its '{self.at}'" if self.at is not None else ""
            return self.fail(FailureKind.NO_PLACE, f"'{self.into}' has no inside{where}", object=self.into)
        if Inside(self.object, self.into, self.at).evaluate(self.context):
            return self.fail(FailureKind.PRECONDITION, f"'{self.object}' is there already", object=self.object)
        return super().plan()

    def preconditions(self) -> Sequence[Condition]:
        """There is something that opens."""
        return [HasJoint(self.door)]
