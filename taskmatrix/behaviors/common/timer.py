"""Let time pass, and tell the others when it will be over."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior


class Timer(TaskBehavior):
    """Do nothing for some time; it needs no chain."""

    duration = Parameter(float, minimum=0.0, doc="[s] how long")

    end = Output(float, doc="[s] on the clock of the run, when it will be over")

    def plan(self) -> None:
        """Start without having published the end of the time."""
        self._announced = False

    def step(self) -> bool:
        """Publish when the time will be over, once, and wait until then."""
        if not self._announced:
            self.publish(end=self.context.clock.now() + self.duration)
            self._announced = True
        return self.elapsed >= self.duration - self.context.dt / 2
