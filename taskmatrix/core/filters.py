"""Filters on the one way out: nothing leaves that breaks a limit or would touch what it must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .arbiter import Command
from .failure import Failure, FailureKind
from .objects import Array
from .skillset import Contact


class LimitFilter:
    """Clips positions to the joint limits and steps to the velocity limits.

    Args:
        lower: (n,) [m, rad] Lower limits.
        upper: (n,) Upper limits.
        velocity: (n,) [m/s, rad/s] Velocity limits.
        dt: [s] Control step.
    """

    def __init__(self, lower: Array, upper: Array, velocity: Array, dt: float) -> None:
        self._lower, self._upper = lower, upper
        self._velocity, self._dt = velocity, dt

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the clipped command."""
        largest = self._velocity * self._dt
        wanted = np.clip(command.q, self._lower, self._upper)
        positions = q + np.clip(wanted - q, -largest, largest)
        return replace(command, q=positions, v=np.clip(command.v, -self._velocity, self._velocity))


class CollisionGuard:
    """Holds the owner whose chain was granted last when the merged command would touch something.

    Args:
        collision: Returns the first contact of a whole configuration (n,), or None.
    """

    def __init__(self, collision: Callable[[Array], Contact | None]) -> None:
        self._collision = collision

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the command with as many owners held as it takes, the latest first."""
        if not command.owners or np.array_equal(command.q, q):
            return command
        contact = self._collision(command.q)
        if contact is None:
            return command
        for owner, joints in reversed(command.owners):
            facts = {"pair": contact.pair, "distance": contact.distance}
            message = f"the next step would bring {contact.first} and {contact.second} into contact"
            command = command.holding(joints, q, owner, Failure(FailureKind.COLLISION, "guard", message, facts))
            remaining = self._collision(command.q)
            if remaining is None:
                break
            contact = remaining
        return command
