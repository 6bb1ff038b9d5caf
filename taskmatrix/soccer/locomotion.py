"""Locomotion: walks or rolls with the base (BICA VI)."""

from __future__ import annotations

from typing import Any

import numpy as np

from taskmatrix.core.components.component import Component
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

from .place import turned

PACE = 0.9  # of the limits of velocity and acceleration


class Locomotion(Component):
    """Moves the base with a velocity, as quickly as it may change that; in every control step. Legs step by themselves.

    It brakes in time to come to rest before what is in the way.

    Attributes:
        velocity: (3,) [m/s, m/s, rad/s] Ahead, to the left and turning, of the last step.
        held: [s] For how long something has been in the way now.
        obstacle: What that is; empty where there is nothing.
    """

    needs = ("base",)

    ahead = Modulation(float, default=0.0, doc="[m/s]")
    left = Modulation(float, default=0.0, doc="[m/s]")
    turn = Modulation(float, default=0.0, doc="[rad/s] to the left")

    def __init__(self, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.velocity: Array = np.zeros(3)
        self.held, self.obstacle = 0.0, ""

    @property
    def fastest(self) -> Array:
        """(3,) [m/s, m/s, rad/s] The largest velocities that it takes."""
        return PACE * self.context.skills.limits()[2][self._joints]

    @property
    def hardest(self) -> Array:
        """(3,) [m/s^2, m/s^2, rad/s^2] The largest accelerations that it takes."""
        return PACE * self.context.skills.limits()[3][self._joints]

    def started(self) -> None:
        """Begin with a base at rest."""
        self.velocity, self.held, self.obstacle = np.zeros(3), 0.0, ""

    def act(self) -> None:
        """Go on; from rest where something was in the way."""
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            self.velocity = np.zeros(3)
        dt, fastest = self.context.dt, self.fastest
        wanted = np.array([self.ahead, self.left, self.turn])
        wanted /= max(1.0, float(np.hypot(*wanted[:2])) / fastest[0], abs(wanted[2]) / fastest[2])
        most = self.hardest * dt
        faster, slower = (self.velocity + np.clip(v - self.velocity, -most, most) for v in (wanted, np.zeros(3)))
        self.velocity, ahead = self._free(faster, self.velocity, slower)
        self.obstacle = ahead if blocked is None else blocked.message
        self.held = self.held + dt if self.obstacle else 0.0
        last = self.context.arbiter.last[self._joints]
        way = turned(self.velocity[:2], float(last[2]))
        speed = np.array([*way, self.velocity[2]])
        self.command(self._joints, last + speed * dt, speed)

    def _free(self, *velocities: Array) -> tuple[Array, str]:
        """(3,) The first of velocities from which it can stop before it touches anything, and what is in the way else.

        The last, where there is none. What it touches already is in the way where it would go deeper.
        """
        skills, depth, message = self.context.skills, 0.0, ""
        for velocity in velocities:
            contact = skills.collision(self._joints, self._rest(velocity))
            if contact is not None and not message:
                now = skills.collision(self._joints, skills.position()[self._joints])
                depth = np.inf if now is None else now.distance
            if contact is None or contact.distance >= depth:
                break
            message = message or f"{contact.first} would touch {contact.second}"
        return velocity, message

    def _rest(self, velocity: Array) -> Array:
        """(3,) Where the base comes to rest that brakes from a velocity (3,) after the next step."""
        here = self.context.skills.position()[self._joints]
        way = velocity * (self.context.dt + np.abs(velocity) / (2.0 * self.hardest))
        rest: Array = here + np.array([*turned(way[:2], float(here[2])), way[2]])
        return rest

    @property
    def _joints(self) -> Indices:
        return self.context.skills.joints("base")
