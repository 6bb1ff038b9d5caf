"""Vacuum debris off a surface (thesis 5.7.4, figure 5.46)."""

from __future__ import annotations

from taskmatrix.conditions import Carrying, Grasping
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..looking.find import Find
from ..looking.fixate import Fixate
from ..manipulation.pickup import Pickup
from ..manipulation.position import Position
from ..manipulation.putdown import Putdown


class Vacuum(Machine):
    """Fetch a vacuum cleaner, hold its tip over one piece of debris after the other, and put it back.

    Debris that cannot be reached is tried as often as ``attempts`` says and then left: the vacuum cleaner is put back,
    and the machine fails and says what is left.
    """

    object = Parameter(str, known=True, doc="id of the vacuum cleaner")
    on = Parameter(
        str,
        known=True,
        doc="id of the surface from which to vacuum, and on which to put the vacuum cleaner in the end",
    )
    debris = Parameter(str, default="debris", doc="type of what to vacuum")
    frame = Parameter(str, default="tip", doc="task frame of the vacuum cleaner to hold over it")
    attempts = Parameter(int, default=2, minimum=1, doc="how often one piece is tried")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement with it")

    pickup = State(Pickup, object=object, duration=duration)
    find = State(Find, type=debris, on=on, attempts=attempts)
    fixate = State(Fixate, target=find.object, optional=True)
    position = State(Position, object=object, above=find.object, frame=frame, duration=duration)
    putdown = State(Putdown, object=object, on=on, duration=duration, final=True)

    transitions = (
        start(pickup),
        upon(pickup.task_successful, start=find),
        upon(find.task_successful, start=fixate),
        upon(fixate.task_complete, start=position),
        upon(position.task_successful, start=find),
        upon(
            position.failed(kind=("collision", "planner_exhausted", "ik_exhausted", "no_grasp", "no_place")), start=find
        ),
        # the piece is gone or moves on
        upon(position.failed(kind=("unknown_object", "lost_object")), start=find, when=Grasping(object)),
        upon(find.failed(kind="nothing_found"), start=putdown),
        upon(putdown.task_successful, fail="debris is left", when=Carrying(on, debris)),
    )
