"""Fetch an object and put it somewhere else (thesis figure 3.3)."""

from __future__ import annotations

from taskmatrix.conditions import Grasping
from taskmatrix.core.machine import Machine, State, start
from taskmatrix.core.machine import on as upon  # `on` is the surface
from taskmatrix.core.parameter import Parameter

from .pickup import Pickup
from .putdown import Putdown


class PickAndPlace(Machine):
    """Fetch an object, unless it is held already, and put it on a surface; first put down whatever else is held."""

    object = Parameter(str, known=True, doc="id of the object")
    on = Parameter(str, known=True, doc="id of what to put it on")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    clear = State(Putdown, on=on, duration=duration)
    pickup = State(Pickup, object=object, duration=duration)
    putdown = State(Putdown, object=object, on=on, duration=duration, final=True)

    transitions = (
        start(pickup, when=~Grasping()),
        start(clear, when=Grasping() & ~Grasping(object)),
        start(putdown, when=Grasping(object)),
        upon(clear.task_successful, start=pickup),
        upon(pickup.task_successful, start=putdown),
    )
