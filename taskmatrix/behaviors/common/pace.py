"""How fast a trajectory is run, from standing still to its own speed."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.robot.plans import Trajectory
from taskmatrix.core.world.objects import Array

BRAKING = 0.3  # [s] from full speed to rest, or longer where the acceleration limits ask for it


class Pace:
    """Runs the time of a trajectory from its start to beyond its end.

    Args:
        trajectory: The trajectory.
        acceleration: (n,) Acceleration limits of the robot's joints [m/s^2, rad/s^2].
        dt: [s] The control step.

    Attributes:
        trajectory: The trajectory.
        time: [s] Along it.
        rate: Of that time to the clock's, from 0, at rest, to 1.
    """

    def __init__(self, trajectory: Trajectory, acceleration: Array, dt: float) -> None:
        self.trajectory, self.time, self.rate = trajectory, 0.0, 1.0
        self._acceleration, self._dt = acceleration[trajectory.indices], dt

    @property
    def is_over(self) -> bool:
        """Whether the trajectory has come to its end."""
        return self.time >= self.trajectory.duration

    def advance(self, brake: bool) -> None:
        """Go on by a control step, slower than before if it is to brake, else faster up to full speed."""
        change = self._dt / self.braking_time()
        self.rate = max(0.0, self.rate - change) if brake else min(1.0, self.rate + change)
        self.time += self.rate * self._dt

    def braking_time(self) -> float:
        """[s] From full speed to rest."""
        _, v, _ = self.trajectory.sample(self.time)
        return max(BRAKING, 2.0 * float(np.max(np.abs(v) / self._acceleration, initial=0.0)))
