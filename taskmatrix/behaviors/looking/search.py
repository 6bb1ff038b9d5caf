"""Look for an object that nobody has seen yet (beyond the thesis, whose programs know where everything is)."""

from __future__ import annotations

from taskmatrix.conditions import Known
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..locomotion.random_walk import RandomWalk
from .explorer import SWEEPS
from .fixate import Fixate
from .next_best_view import NextBestView
from .notice import Notice
from .scan import Scan


class Search(Machine):
    """Go and look until it is known where an object is, and then look at it for a moment.

    With a map of space it goes where most is to be seen; without one it walks about at random, among the furniture that
    it knows. Where the object is known already, there is nothing to do. Fails with ``unknown_object`` where it is not
    found in time.
    """

    object = Parameter(str, doc="id of the object to look for")
    duration = Parameter(float, default=120.0, minimum=0.0, doc="[s] how long at most")

    notice = State(Notice, object=object, duration=duration, final=True)
    explore = State(NextBestView, duration=duration)
    scan = State(Scan, sweeps=SWEEPS, down=0.9, optional=True)
    walk = State(RandomWalk, duration=duration)
    fixate = State(Fixate, target=object, recurrent=True, optional=True)

    transitions = (
        start(notice),
        start(explore, when=~Known(object)),
        on(explore.failed(kind="not_able"), start=(scan, walk)),
        on(notice.parameter_set, start=fixate, stop=(explore, scan, walk)),
    )
