"""Put an object into another."""

from __future__ import annotations

import math

from taskmatrix.conditions import Grasping, Inside
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..common.kept import KINDS
from ..looking.fixate import Fixate
from .position import Position
from .release import Release


class PutInto(Machine):
    """Take a held object to some free place in another - a drawer, a cupboard, a tray -, and let go.

    It looks there all the while. What closes has to be open: :class:`~taskmatrix.behaviors.tasks.store.Store` sees to
    that.
    """

    object = Parameter(str, default=None, known=True, doc="id of the object; what a hand holds unless given")
    into = Parameter(str, known=True, doc="id of what to put it into")
    at = Parameter(str, default=None, doc="name of the shelf of that: one of its frames; any unless given")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the movement")
    keep = Parameter(str, default=None, choices=KINDS, doc="what is kept of the object on the way")
    tilt = Parameter(float, default=0.17, minimum=0.02, maximum=math.pi, doc="[rad] by which it may be off on the way")

    position = State(Position, object=object, into=into, at=at, duration=duration, keep=keep, tilt=tilt)
    fixate = State(Fixate, target=into, recurrent=True, optional=True)
    release = State(Release, object=object, into=into, final=True)

    transitions = (
        start(position),
        on(position.planning_started, start=fixate),
        on(position.failed(kind=("collision", "planner_exhausted", "ik_exhausted")), start=position, times=1),
        on(position.task_successful, start=release),
        on(release.task_complete, stop=fixate),
    )

    def plan(self) -> Failure | None:
        """Note what is held."""
        self._carried = self.object or Grasping().evaluate(self.context).values.get("object")
        return super().plan()

    def achieved(self) -> Failure | bool:
        """Whether it stands where it was put."""
        stands = Inside(self._carried, self.into, self.at).evaluate(self.context)
        if stands:
            return True
        return self.fail(FailureKind.NOT_ACHIEVED, f"it did not stay: {stands.why}", None, **stands.values)
