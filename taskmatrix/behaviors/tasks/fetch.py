"""Look for an object, and pick it up (beyond the thesis, whose programs know where everything is)."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..looking.search import Search
from ..manipulation.pickup import Pickup


class Fetch(Machine):
    """Pick up an object wherever it is: go and look for it first, where that is not known.

    An object that turns out to be elsewhere, or not to be there, is looked for once more.
    """

    object = Parameter(str, doc="id of the object to fetch")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the reaching movement")
    search_time = Parameter(float, default=120.0, minimum=0.0, doc="[s] how long to look for it at most")

    search = State(Search, object=object, duration=search_time)
    pickup = State(Pickup, object=object, duration=duration, final=True)

    transitions = (
        start(search),
        on(search.task_successful, start=pickup),
        on(pickup.failed(kind=("unknown_object", "lost_object")), start=search, times=1),
    )
