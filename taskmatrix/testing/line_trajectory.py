"""A trajectory that anyone can check in the head, and planning that ends when it is told to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import Indices, Plan
from taskmatrix.core.world.objects import Array


@dataclass(frozen=True, eq=False)
class LineTrajectory:
    """From here to there at constant speed; a :class:`~taskmatrix.core.robot.plans.Trajectory`."""

    indices: Indices
    """(k,) The joints that it moves."""
    begin: Array
    """(k,) Where they start."""
    end: Array
    """(k,) Where they arrive."""
    duration: float
    """[s] How long it takes."""

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        """(..., k) each: position, velocity and acceleration at times [s] of any shape, clipped to its ends."""
        times = np.asarray(time, dtype=float)
        part = np.clip(times / self.duration, 0.0, 1.0) if self.duration > 0 else np.ones_like(times)
        way, moving = self.end - self.begin, (part > 0.0) & (part < 1.0)
        velocity = np.multiply.outer(moving, way / self.duration if self.duration > 0 else 0.0 * way)
        return self.begin + np.multiply.outer(part, way), velocity, np.zeros_like(velocity)


@dataclass(eq=False)
class FakeJob:
    """Planning whose result is known from the start; a :class:`~taskmatrix.core.robot.plans.Job`."""

    outcome: Plan | Failure
    """What it will have found."""
    due: Callable[[], bool]
    """Whether it is done."""
    cancelled: bool = False
    """Whether somebody said that nobody waits for it any more."""

    def done(self) -> bool:
        """Whether the result is there."""
        return self.due()

    def result(self) -> Plan | Failure:
        """The plan or the failure that a test has set."""
        return self.outcome

    def cancel(self) -> None:
        """Remember that the job was cancelled."""
        self.cancelled = True
