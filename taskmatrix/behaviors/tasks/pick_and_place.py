"""Fetch an object and put it somewhere else (thesis figure 3.3)."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.inversion import UP
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..common.kept import KINDS, at_odds
from ..common.tolerances import DISPLACED
from ..manipulation.pickup import Pickup
from ..manipulation.putdown import Putdown


class PickAndPlace(Machine):
    """Fetch an object, unless it is held already, and put it on a surface; first put down whatever else is held.

    Where it stands on that surface already it goes to another place there; it fails with ``not_achieved`` where there
    is none.
    """

    object = Parameter(str, known=True, doc="id of the object")
    on = Parameter(str, known=True, doc="id of what to put it on")
    up = Parameter(str, default=None, choices=UP, doc="which of its axes is up there; z unless given")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")
    keep = Parameter(str, default=None, choices=KINDS, doc="what is kept of the object on the way")
    tilt = Parameter(float, default=0.17, minimum=0.02, maximum=math.pi, doc="[rad] by which it may be off on the way")

    clear = State(Putdown, on=on, duration=duration)
    pickup = State(Pickup, object=object, onto=on, up=up, duration=duration)
    putdown = State(Putdown, object=object, on=on, up=up, duration=duration, keep=keep, tilt=tilt, final=True)

    transitions = (
        start(pickup, when=~Grasping()),
        start(clear, when=Grasping() & ~Grasping(object)),
        start(putdown, when=Grasping(object)),
        upon(clear.task_successful, start=pickup),
        upon(pickup.task_successful, start=putdown),
    )

    def plan(self) -> Failure | None:
        """Note where the object is, and see that what is kept lets it be put as it is to be."""
        why = at_odds(self.keep, self.tilt, self.up)
        if why:
            return self.fail(FailureKind.PARAMETER, why)
        self._before = self.context.perception.pose(self.object)[:3, 3]
        return super().plan()

    def achieved(self) -> Failure | bool:
        """Whether it is at another place."""
        moved = float(np.linalg.norm(self.context.perception.pose(self.object)[:3, 3] - self._before))
        if moved > DISPLACED:
            return True
        message = f"'{self.object}' is where it was: no other place was found for it on '{self.on}'"
        return self.fail(FailureKind.NOT_ACHIEVED, message, object=self.object, moved=moved)
