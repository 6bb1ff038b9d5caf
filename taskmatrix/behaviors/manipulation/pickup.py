"""Fetch an object (thesis 5.7.1, figure 5.39)."""

from __future__ import annotations

from taskmatrix.conditions import Visible
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.inversion import UP
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..common.tolerances import LOOKED_AT
from ..looking.fixate import Fixate
from .grasp import Grasp
from .lift import Lift
from .reach import Reach


class Pickup(Machine):
    """Reach for an object, look at it all the while, grasp it, and lift it as far as there is room.

    A way that is not found is looked for once more, and what the fingers push away is reached for once more. Where the
    hand is there before the eyes, it waits for them as long as the head comes nearer.
    """

    object = Parameter(str, doc="id of the object to fetch")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the reaching movement")
    onto = Parameter(str, default=None, doc="id of what to put it on next: it takes a grasp that will do there, if any")
    up = Parameter(str, default=None, choices=UP, doc="which of its axes is up there; z unless given")
    into = Parameter(str, default=None, doc="id of what to put it into next: likewise")

    reach = State(Reach, object=object, onto=onto, up=up, into=into, duration=duration)
    fixate = State(Fixate, target=object, recurrent=True, optional=True)
    look = State(Fixate, target=object, base=False, optional=True)
    grasp = State(Grasp, object=object, hand=reach.hand, grasp=reach.grasp)
    lift = State(Lift, object=object, final=True)

    transitions = (
        start(reach),
        on(reach.planning_started, start=fixate),  # so late that reach has the base
        on(reach.failed(kind=("collision", "planner_exhausted", "ik_exhausted")), start=reach, times=1),
        on(reach.task_successful, start=grasp, when=Visible(object, LOOKED_AT)),
        on(reach.task_successful, start=look, stop=fixate, when=~Visible(object, LOOKED_AT)),
        on(look.task_complete, start=grasp),
        on(grasp.failed(kind=("incondition", "lost_object", "precondition")), start=reach, times=1),
        on(grasp.task_successful, start=lift),
        on(grasp.task_complete, stop=fixate),
    )
