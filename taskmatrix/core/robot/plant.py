"""What is commanded and sensed: a simulation, later hardware."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

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
    time: float | None = None
    """[s] When that was, on the plant's own clock; readings that stay behind then are a fault. None: plants that
    answer with what is true now."""
    torque: Array | None = None
    """(n,) [N m, N] Of the motors, as sensed, in the mean of the last control step; None where nobody senses it."""


class Plant(Protocol):
    """A robot, or its simulation: what it has to be able to do.

    What it may be able to do besides is in :class:`WholePlant`, and in :class:`ClosingPlant` and
    :class:`StoppingPlant`.
    """

    def apply(self, command: Command, dt: float) -> None:
        """Execute a command for one control step of ``dt`` [s].

        A simulation moves on by that; a robot takes the command, and returns before the step is over.
        """
        ...

    def sense(self) -> JointState:
        """Read the positions, velocities and accelerations of the joints.

        The first three are the base's place in the world: x [m], y [m], yaw [rad].
        """
        ...


@runtime_checkable
class FeelingPlant(Protocol):
    """A plant with hands that feel; those of one without feel nothing."""

    def feel(self) -> Mapping[str, HandState]:
        """Read the sensors of the hands, by name."""
        ...


@runtime_checkable
class HoldingPlant(Protocol):
    """A plant with hands that are told to hold; one without holds nothing."""

    def attach(self, hand: str, object: str) -> None:
        """Make a hand hold an object; whether and when it does is perceived: fingers need time, and may fail."""
        ...

    def detach(self, hand: str) -> None:
        """Let go of what a hand holds."""
        ...


@runtime_checkable
class SlidingPlant(Protocol):
    """A plant without forces, in which what a hand pushes slides where it is told to; others do so by themselves."""

    def slide(self, hand: str, object: str | None) -> None:
        """Let an object slide out of the way of a hand from now on; with None nothing any more."""
        ...


@runtime_checkable
class ImpedancePlant(Protocol):
    """A plant that drives joints as hard as a command's impedance says; one without does it by itself."""

    def impedance_joints(self) -> Collection[str]:
        """Names of the joints of which it does."""
        ...


@runtime_checkable
class TruthfulPlant(Protocol):
    """A plant that knows what is true, as simulations do; judges ask for it."""

    def truth(self) -> Mapping[str, object]:
        """The ground truth for judges and recordings: ``q`` (n,), ``v`` (n,), ``poses`` by id, ``held`` by hand.

        Arrays are not changed once they are handed out: the pose of what has moved is another array.
        """
        ...


@runtime_checkable
class SeeingPlant(Protocol):
    """A plant that tells where all objects are."""

    def observe(self) -> tuple[Percept, ...]:
        """What an all-seeing sensor sees; other sensors compute less from it."""
        ...


@runtime_checkable
class ClosingPlant(Protocol):
    """A plant that has something to give back when a session ends."""

    def close(self) -> None:
        """End; it is not used any more."""
        ...


@runtime_checkable
class StoppingPlant(Protocol):
    """A plant that can hold the robot by itself."""

    def stop(self) -> None:
        """Hold the robot as safely as it can: a call to it has failed, or what it says cannot be."""
        ...


@runtime_checkable
class RestorablePlant(Protocol):
    """A plant that gives its whole state and takes it back, as simulations can."""

    def save(self) -> object:
        """All of its state, which later commands do not change."""
        ...

    def restore(self, state: object) -> None:
        """Go on from a state of this plant: the same commands lead to the same readings as they did from there."""
        ...


class WholePlant(Plant, FeelingPlant, HoldingPlant, SlidingPlant, ImpedancePlant, TruthfulPlant, SeeingPlant, Protocol):
    """All that the library asks of a plant; what one cannot do, :class:`~.plant_monitor.PlantMonitor` makes up for."""
