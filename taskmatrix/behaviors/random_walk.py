"""Walk about (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.core.failure import Failure
from taskmatrix.core.machine import Machine, State, on, start
from taskmatrix.core.parameter import Parameter

from .bounds import wrong_region
from .forward import Forward
from .reverse import Reverse
from .timer import Timer
from .turn import Turn


class RandomWalk(Machine):
    """Turn to a random heading, go straight ahead until something is in the way, turn again, and so on.

    Where the robot cannot turn, or cannot go ahead at all, it goes back a little first. At the end it stands still.
    The base starts in the region and stays there; from outside, it only goes towards it.
    """

    duration = Parameter(float, default=30.0, minimum=0.0, doc="[s] how long")
    xmin = Parameter(float, default=None, doc="[m] of the region in which the base stays; no bound unless given")
    ymin = Parameter(float, default=None, doc="[m] the same")
    xmax = Parameter(float, default=None, doc="[m] the same")
    ymax = Parameter(float, default=None, doc="[m] the same")

    timer = State(Timer, duration=duration, final=True)
    turn = State(Turn, until=timer.end)
    forward = State(Forward, until=timer.end, xmin=xmin, ymin=ymin, xmax=xmax, ymax=ymax)
    reverse = State(Reverse, until=timer.end, xmin=xmin, ymin=ymin, xmax=xmax, ymax=ymax)

    transitions = (
        start(timer),
        on(timer.parameter_set, start=turn),
        on(turn.task_successful, start=forward),
        on(turn.failed, start=reverse),
        on(forward.task_successful, start=turn),
        on(forward.failed, start=reverse),
        on(reverse.task_successful, start=turn),
        on(reverse.failed, start=turn),
    )

    def required_chains(self) -> Sequence[str] | Failure:
        """None; the states have the base in turn."""
        return wrong_region(self) or ()
