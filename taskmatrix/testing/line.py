"""A trajectory that anyone can check in the head, and planning that ends when it is told to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.failure import Failure
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices, Plan


@dataclass(frozen=True, eq=False)
class Line:
    """From here to there at constant speed; a :class:`~taskmatrix.core.skillset.Trajectory`."""

    indices: Indices
    """(k,) The joints that it moves."""
    begin: Array
    """(k,) Where they start."""
    end: Array
    """(k,) Where they arrive."""
    duration: float
    """[s] How long it takes."""

    def sample(self, time: float) -> tuple[Array, Array, Array]:
        """(k,), (k,), (k,) position, velocity and acceleration at ``time`` [s], clipped to its ends."""
        part = min(max(time / self.duration, 0.0), 1.0) if self.duration > 0 else 1.0
        moving = 0.0 < part < 1.0
        velocity = (self.end - self.begin) / self.duration if moving else np.zeros(len(self.indices))
        return self.begin + part * (self.end - self.begin), velocity, np.zeros(len(self.indices))


@dataclass(eq=False)
class FakeJob:
    """Planning whose result is known from the start; a :class:`~taskmatrix.core.skillset.Job`."""

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
        """The result."""
        return self.outcome

    def cancel(self) -> None:
        """Note it."""
        self.cancelled = True
