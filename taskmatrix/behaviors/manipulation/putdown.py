"""Put an object on a surface (thesis 5.7.2, figure 5.40)."""

from __future__ import annotations

import math

from taskmatrix.conditions import Grasping, RestingOn
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.inversion import UP
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..common.kept import KINDS
from ..looking.fixate import Fixate
from .position import Position
from .release import Release


class Putdown(Machine):
    """Take a held object to some free place on a surface, look at the surface all the while, and let go."""

    object = Parameter(str, default=None, known=True, doc="id of the object; what a hand holds unless given")
    on = Parameter(str, known=True, doc="id of what to put it on")
    up = Parameter(str, default=None, choices=UP, doc="which of its axes is up there; z unless given")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the movement")
    keep = Parameter(str, default=None, choices=KINDS, doc="what is kept of the object on the way")
    tilt = Parameter(float, default=0.17, minimum=0.02, maximum=math.pi, doc="[rad] by which it may be off on the way")

    position = State(Position, object=object, on=on, up=up, duration=duration, keep=keep, tilt=tilt)
    fixate = State(Fixate, target=on, recurrent=True, optional=True)
    release = State(Release, object=object, on=on, final=True)

    transitions = (
        start(position),
        upon(position.planning_started, start=fixate),  # so late that position has the base
        upon(position.failed(kind=("collision", "planner_exhausted", "ik_exhausted")), start=position, times=1),
        upon(position.task_successful, start=release),
        upon(release.task_complete, stop=fixate),
    )

    def plan(self) -> Failure | None:
        """Note what is held."""
        self._carried = self.object or Grasping().evaluate(self.context).values.get("object")
        return super().plan()

    def achieved(self) -> Failure | bool:
        """Whether it lies where it was put."""
        lies = RestingOn(self._carried, self.on, self.up).evaluate(self.context)
        return (
            True if lies else self.fail(FailureKind.NOT_ACHIEVED, f"it did not stay: {lies.why}", None, **lies.values)
        )
