"""Walk about (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.requirement import MovesBase, Requirement
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..common.bounds import wrong_region
from ..common.timer import Timer
from .forward import Forward
from .reverse import Reverse
from .turn import Turn

PACE = 0.02  # [m/s] least mean speed of what is a walk
LEAST = np.deg2rad(10.0)  # [rad] that it turns by in all, at least
A_LITTLE = 0.5  # [m] that it goes where it cannot turn, and that are free where it turns to, if they can be
STRIDE = (0.02, np.deg2rad(1.0))  # [m], [rad] less than this to and fro is no way


class RandomWalk(Machine):
    """Turn to a random heading, go straight ahead until something is in the way, turn again, and so on.

    Headings with room ahead are taken first. Where the robot cannot turn, or cannot go ahead at all, it goes back a
    little first; where it cannot go back either, ahead as it stands. At the end it stands still. The base starts in the
    region and stays there; from outside, it only goes towards it. Fails with ``not_achieved``
    where that was no walk: less than 2 cm for each second, or 10 degrees in all.
    """

    duration = Parameter(float, default=30.0, minimum=0.0, doc="[s] how long")
    xmin = Parameter(float, default=None, doc="[m] of the region in which the base stays; no bound unless given")
    ymin = Parameter(float, default=None, doc="[m] the same")
    xmax = Parameter(float, default=None, doc="[m] the same")
    ymax = Parameter(float, default=None, doc="[m] the same")

    timer = State(Timer, duration=duration, final=True)
    turn = State(Turn, ahead=A_LITTLE, until=timer.end)
    forward = State(Forward, until=timer.end, xmin=xmin, ymin=ymin, xmax=xmax, ymax=ymax)
    reverse = State(Reverse, distance=A_LITTLE, until=timer.end, xmin=xmin, ymin=ymin, xmax=xmax, ymax=ymax)
    ahead = State(Forward, distance=A_LITTLE, until=timer.end, xmin=xmin, ymin=ymin, xmax=xmax, ymax=ymax)

    transitions = (
        start(timer),
        on(timer.parameter_set, start=turn),
        on(turn.task_successful, start=forward),
        on(turn.failed, start=reverse),
        on(forward.task_successful, start=turn),
        on(forward.failed, start=reverse),
        on(reverse.task_successful, start=turn),
        on(reverse.failed, start=ahead),
        on(ahead.task_successful, start=turn),
        on(ahead.failed, start=turn),
    )

    def requirements(self) -> Sequence[Requirement]:
        """Require a base that moves, besides what the states do."""
        return [*super().requirements(), MovesBase()]

    def required_chains(self) -> Sequence[str] | Failure:
        """None; the states have the base in turn."""
        return wrong_region(self) or ()

    def plan(self) -> Failure | None:
        """Note where it begins."""
        self._stood = self.context.skills.position()[:3]
        self._way = np.zeros(2)  # [m], [rad] that it has gone and turned
        return super().plan()

    def step(self) -> Failure | bool:
        """Go on, and add up the way."""
        change = self.context.skills.position()[:3] - self._stood
        gone = np.array([np.hypot(*change[:2]), abs(change[2])])
        if (gone > STRIDE).any():
            self._way += gone
            self._stood = self._stood + change
        return super().step()

    def achieved(self) -> Failure | bool:
        """Whether it has walked and turned."""
        way, turned = self._way.tolist()
        if way >= PACE * self.elapsed and turned >= LEAST:
            return True
        message = f"the base went {way:.2f} m in {self.elapsed:.0f} s and turned by {np.rad2deg(turned):.0f} deg in all"
        return self.fail(FailureKind.NOT_ACHIEVED, message, way=way, turned=turned)
