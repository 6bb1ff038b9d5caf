"""Hold an object in another way (MTM-1's regrasp, which thesis 4.3.3 calls readily possible)."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from .grasp import Grasp
from .position import Position
from .reach import Reach
from .release import Release


class Regrasp(Machine):
    """Put an object down and take it up again by another of its grasps."""

    object = Parameter(str, known=True, doc="id of the object, which a hand holds")
    on = Parameter(str, known=True, doc="id of what to put it on meanwhile")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    position = State(Position, object=object, on=on, duration=duration)
    release = State(Release, object=object)
    reach = State(Reach, object=object, avoid=release.grasp, duration=duration)
    grasp = State(Grasp, object=object, hand=reach.hand, grasp=reach.grasp, final=True)

    transitions = (
        start(position),
        upon(position.task_successful, start=release),
        upon(release.task_successful, start=reach),
        upon(reach.task_successful, start=grasp),
    )
