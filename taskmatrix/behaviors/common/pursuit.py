"""Going after a target that moves, within the limits of velocity and acceleration."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array

BRAKING = 0.8  # of the acceleration limits is braked with
CRUISING = 0.9  # of the velocity limits is the fastest


class Pursuit:
    """Steps of some joints after a target, such that they can always stop there.

    Args:
        velocity: (k,) [m/s, rad/s] Limits.
        acceleration: (k,) [m/s^2, rad/s^2] Limits.
        dt: [s] Control step.

    Attributes:
        speed: (k,) [m/s, rad/s] Of the last step.
    """

    def __init__(self, velocity: Array, acceleration: Array, dt: float) -> None:
        self._velocity, self._acceleration, self._dt = velocity, acceleration, dt
        self.speed: Array = np.zeros(len(velocity))

    def step(self, difference: Array, largest: float | Array = np.inf) -> Array:
        """(k,) [m, rad] This step of a motion to a point that far, (k,), of no joint further than ``largest`` (k,)."""
        dt = self._dt
        stopping = stopping_speed(np.abs(difference), BRAKING * self._acceleration, dt)
        fastest = np.minimum(np.minimum(CRUISING * self._velocity, largest / dt), stopping)
        return self._towards(np.sign(difference) * fastest)

    def brake(self) -> Array:
        """(k,) [m, rad] This step of coming to rest."""
        return self._towards(np.zeros(len(self.speed)))

    def rest(self) -> Array:
        """(k,) [m, rad] How far it goes on if it brakes from now on."""
        far: Array = np.sign(self.speed) * self.speed**2 / (2.0 * self._acceleration)
        return far

    def stop(self) -> None:
        """Be at rest at once."""
        self.speed = np.zeros(len(self.speed))

    def _towards(self, wanted: Array) -> Array:
        change = self._acceleration * self._dt
        self.speed = self.speed + np.clip(wanted - self.speed, -change, change)
        step: Array = self.speed * self._dt
        return step


def stopping_speed(distance: Array, acceleration: Array, dt: float) -> Array:
    """(k,) [m/s, rad/s] The speed of one step after which there is still room to brake.

    ``v dt + v^2 / (2 a) = d``.

    Args:
        distance: (k,) [m, rad] Room, not negative.
        acceleration: (k,) [m/s^2, rad/s^2] With which to brake.
        dt: [s] Control step.
    """
    step = acceleration * dt
    speed: Array = np.sqrt(step**2 + 2.0 * acceleration * distance) - step
    return speed
