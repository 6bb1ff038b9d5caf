"""What is commanded and sensed: a simulation, later hardware."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..world.objects import Array
from ..world.perception import Percept
from .arbiter import Command
from .hand_state import HandState


@dataclass(frozen=True, eq=False)
class JointState:
    """What the joint sensors say."""

    q: Array
    """(n,) [m, rad] Positions."""
    v: Array
    """(n,) [m/s, rad/s] Velocities."""
    a: Array
    """(n,) [m/s^2, rad/s^2] Accelerations."""


class Plant(Protocol):
    """A robot in a world."""

    def apply(self, command: Command, dt: float) -> None:
        """Execute a command for one control step of ``dt`` [s]."""
        ...

    def sense(self) -> JointState:
        """Read the positions, velocities and accelerations of the joints."""
        ...

    def feel(self) -> Mapping[str, HandState]:
        """Read the sensors of the hands, by name."""
        ...

    def attach(self, hand: str, object: str) -> None:
        """Make a hand hold an object; whether and when it does is perceived: fingers need time, and may fail."""
        ...

    def detach(self, hand: str) -> None:
        """Let go of what a hand holds."""
        ...

    def truth(self) -> Mapping[str, object]:
        """The ground truth for judges and recordings: ``q`` (n,), ``poses`` by id, ``held`` by hand.

        Arrays are not changed once they are handed out: the pose of what has moved is another array.
        """
        ...

    def observe(self) -> tuple[Percept, ...]:
        """What an all-seeing sensor sees; other sensors compute less from it."""
        ...
