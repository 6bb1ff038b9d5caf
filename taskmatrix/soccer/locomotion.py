"""Locomotion: walks or rolls with the base (BICA VI)."""

from __future__ import annotations

from typing import Any

import numpy as np

from taskmatrix.core.component import Component
from taskmatrix.core.modulation import Modulation
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

from .place import turned

PACE = 0.9  # of the limits of velocity and acceleration


class Locomotion(Component):
    """Moves the base with a velocity, as quickly as it may change that; in every control step. Legs step by themselves.

    Attributes:
        velocity: (3,) [m/s, m/s, rad/s] Ahead, to the left and turning, of the last step.
        held: [s] For how long something has been in the way now.
    """

    needs = ("base",)

    ahead = Modulation(float, default=0.0, doc="[m/s]")
    left = Modulation(float, default=0.0, doc="[m/s]")
    turn = Modulation(float, default=0.0, doc="[rad/s] to the left")

    def __init__(self, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.velocity: Array = np.zeros(3)
        self.held = 0.0

    @property
    def fastest(self) -> Array:
        """(3,) [m/s, m/s, rad/s] The largest velocities that it takes."""
        return PACE * self.context.skills.limits()[2][self._joints]

    @property
    def hardest(self) -> Array:
        """(3,) [m/s^2, m/s^2, rad/s^2] The largest accelerations that it takes."""
        return PACE * self.context.skills.limits()[3][self._joints]

    def started(self) -> None:
        """Begin at rest."""
        self.velocity, self.held = np.zeros(3), 0.0

    def act(self) -> None:
        """Go on; from rest where something was in the way."""
        blocked = self.context.arbiter.blocked(self.path)
        self.held = 0.0 if blocked is None else self.held + self.context.dt
        if blocked is not None:
            self.velocity = np.zeros(3)
        dt, fastest = self.context.dt, self.fastest
        wanted = np.array([self.ahead, self.left, self.turn])
        wanted /= max(1.0, float(np.hypot(*wanted[:2])) / fastest[0], abs(wanted[2]) / fastest[2])
        most = self.hardest * dt
        self.velocity = self.velocity + np.clip(wanted - self.velocity, -most, most)
        last = self.context.arbiter.last[self._joints]
        way = turned(self.velocity[:2], float(last[2]))
        speed = np.array([*way, self.velocity[2]])
        self.command(self._joints, last + speed * dt, speed)

    @property
    def _joints(self) -> Indices:
        return self.context.skills.joints("base")
