"""The force with which a hand presses, corrected by what is measured."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.behavior.context import Context
from taskmatrix.core.world.objects import Array

GRAVITY = 9.81  # [m/s^2]
SMOOTH = 0.05  # [s] over which what is measured is smoothed
CORRECTION = 4.0  # [1/s] at which the force is corrected by what is measured
NOTHING = 0.05  # of the force that is wanted: nothing is there
LOST = 1.0  # [s] without any, and it has lost the surface
LOOK = 0.5  # [s] over which the force is averaged in the end


class PressingForce:
    """What a hand is pushed with so that it presses as hard as is wanted.

    Args:
        wanted: [N]
        dt: [s] The control step.
        most: Times the force that is wanted is commanded, at most.

    Attributes:
        commanded: [N] What it is pushed with.
        measured: [N] What was measured, smoothed.
    """

    def __init__(self, wanted: float, dt: float, most: float = 2.0) -> None:
        self._wanted, self._dt, self._most = wanted, dt, most
        self.commanded, self.measured = wanted, 0.0
        self._missing, self._log = 0.0, list[float]()

    def measure(self, force: float) -> None:
        """Take in what was measured [N]; once a control step."""
        self.measured += (force - self.measured) * min(1.0, self._dt / SMOOTH)

    def correct(self) -> None:
        """Correct the force while the hand presses; once a control step."""
        touches = self.measured > NOTHING * self._wanted
        self._missing = 0.0 if touches else self._missing + self._dt
        corrected = self.commanded + CORRECTION * (self._wanted - self.measured) * self._dt * touches
        self.commanded = float(np.clip(corrected, 0.0, self._most * self._wanted))
        self._log.append(self.measured)

    @property
    def is_lost(self) -> bool:
        """Whether there has been nothing to press on for a while."""
        return self._missing > LOST

    @property
    def recent(self) -> float:
        """[N] The mean of what was measured over the last half second that it pressed."""
        return float(np.mean(self._log[-max(1, round(LOOK / self._dt)) :])) if self._log else 0.0

    @property
    def mean(self) -> float:
        """[N] The mean of what was measured all the time that it pressed."""
        return float(np.mean(self._log)) if self._log else 0.0


def felt_force(context: Context, hand: str, way: Array) -> float:
    """[N] With which a hand, or what it holds, presses along a direction (3,), by the hand's own sensors."""
    skills, held = context.skills, context.skills.held(hand)
    push = -skills.forward_kinematics(hand)[:3, :3] @ skills.feel(hand).force
    if held is not None and held in context.perception:
        push[2] -= GRAVITY * (context.perception.object(held).model.mass or 0.0)
    return float(push @ way)
