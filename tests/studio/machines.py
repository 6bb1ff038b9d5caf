"""Machines to be drawn, with everything that a drawing can have."""

from __future__ import annotations

from taskmatrix.behaviors import Fixate, Pickup, Postural
from taskmatrix.conditions import Grasping
from taskmatrix.core import Machine, Parameter, State, all_of, on, start, whenever


class Serve(Machine):
    """Fetch an object, unless it is held already; several times if need be."""

    object = Parameter(str)

    look = State(Fixate, target=object, optional=True)
    fetch = State(Pickup, object=object)
    rest = State(Postural, posture="rest", final=True)

    transitions = (
        start(look),
        on(look.task_complete, start=fetch, when=~Grasping(object)),
        on(look.task_complete, start=rest, when=Grasping(object)),
        on(fetch.failed(kind=("collision", "ik_exhausted")), start=fetch, times=3),
        on(fetch.failed(kind="lost_object"), fail='the "object" is gone & nobody <knows> where it is'),
        on(fetch.task_successful, start=rest),
        whenever(Grasping(object), stop=look),
    )


class Party(Machine):
    """A machine in a machine in a machine, after two others have met."""

    object = Parameter(str)

    look = State(Fixate, target=object)
    ready = State(Postural, posture="ready")
    serve = State(Serve, object=object, final=True)

    transitions = (
        start(look, ready),
        on(all_of(look.task_successful, ready.task_successful), start=serve),
        on(ready.failed),
        on(serve.failed, start=ready),
    )
