"""Push an object without grasping it."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..along.move import Move
from ..along.shove import Shove
from ..manipulation.reach_behind import AXES, ReachBehind


class Push(Machine):
    """Bring a free hand behind an object, push it straight over what it stands on, and take the hand back.

    It needs no grasp: what is too wide or too heavy for a hand can be pushed. What would fall off, roll away or run
    into something is refused before anything moves.
    """

    object = Parameter(str, known=True, doc="id of the object")
    x = Parameter(float, default=0.0, minimum=-2.0, maximum=2.0, doc="[m] how far: ahead, as the robot stands")
    y = Parameter(float, default=0.0, minimum=-2.0, maximum=2.0, doc="[m] likewise, to the left")
    relative_to = Parameter(str, default="robot", choices=AXES, doc="whose axes")
    using = Parameter(str, default=None, doc="name of the hand to use; any that is free unless given")
    speed = Parameter(float, default=0.1, minimum=0.001, maximum=1.0, doc="[m/s] of the push, at most")
    duration = Parameter(float, default=3.0, minimum=0.0, doc="[s] shortest time of each movement before")

    reach = State(ReachBehind, object=object, x=x, y=y, relative_to=relative_to, using=using, duration=duration)
    shove = State(Shove, object=object, hand=reach.hand, x=reach.way_x, y=reach.way_y, speed=speed)
    back = State(
        Move,
        hand=reach.hand,
        x=reach.back_x,
        y=reach.back_y,
        relative_to="world",
        duration=1.0,
        final=True,
        optional=True,
    )

    transitions = (
        start(reach),
        on(reach.task_successful, start=shove),
        on(shove.task_successful, start=back),
    )
