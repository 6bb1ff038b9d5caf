"""Wipe a surface."""

from __future__ import annotations

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..along.rub import HoldOn, Rub, no_room, patches
from ..manipulation.lift import Lift
from ..manipulation.pickup import Pickup


class Wipe(Machine):
    """Fetch a sponge or a brush, hold it on a surface, rub a patch of it lane by lane, and lift it.

    What is held already is not fetched. Where the robot does not get along a patch it tries another, three times at
    most. What it wipes with stays in the hand.
    """

    object = Parameter(str, known=True, doc="id of the sponge, or of what to wipe with")
    on = Parameter(str, known=True, doc="id of the surface")
    length = Parameter(float, default=0.2, minimum=0.01, maximum=2.0, doc="[m] of a lane")
    width = Parameter(float, default=0.1, minimum=0.0, maximum=2.0, doc="[m] from the first lane to the last")
    speed = Parameter(float, default=0.1, minimum=0.001, maximum=1.0, doc="[m/s] along a lane, at most")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement before")
    force = Parameter(float, default=None, minimum=0.1, doc="[N] to press with; no force is controlled unless given")
    stiffness = Parameter(float, default=None, minimum=1.0, doc="[N/m] of a spring that draws the hand along")

    pickup = State(Pickup, object=object, duration=duration)
    hold = State(HoldOn, object=object, on=on, length=length, width=width, duration=duration, stiffness=stiffness)
    rub = State(
        Rub,
        object=object,
        on=on,
        length=length,
        width=width,
        yaw=hold.yaw_of_lanes,
        speed=speed,
        force=force,
        stiffness=stiffness,
    )
    lift = State(Lift, object=object, final=True)

    transitions = (
        start(pickup, when=~Grasping(object)),
        start(hold, when=Grasping(object)),
        upon(pickup.task_successful, start=hold),
        upon(hold.task_successful, start=rub),
        upon(rub.task_successful, start=lift),
        upon(rub.failed(kind=("ik_exhausted", "collision", "planner_exhausted", "not_achieved")), start=hold, times=3),
    )

    def plan(self) -> Failure | None:
        """See whether it can be wiped with, and whether there is room for the patch."""
        size, joint = (self.length, self.width), self.context.perception.object(self.object).model.joint
        if self.object == self.on:
            return self.fail(FailureKind.PARAMETER, f"'{self.on}' cannot be wiped with itself")
        if joint is not None:
            message = f"'{self.object}' moves on '{joint.parent}', and nothing can be wiped with it"
            return self.fail(FailureKind.PARAMETER, message)
        if not patches(self.context, self.object, self.on, size, self.random):
            return self.fail(FailureKind.NO_PLACE, no_room(self.on, self.object, size))
        return super().plan()
