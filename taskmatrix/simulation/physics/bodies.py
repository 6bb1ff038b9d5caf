"""What a physics engine offers to who commands a robot and moves objects in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .joints import joint_of


@dataclass(frozen=True, eq=False)
class Contact:
    """A point in which a link of the robot presses on something else."""

    link: int
    """The link, by the number of the joint that moves it in Pinocchio's model."""
    object: str | None
    """Id of the object; None for the ground."""
    point: Array
    """(3,) [m] In the world."""
    pressure: Array
    """(3,) [N] Along the normal, on the link, in the world."""
    force: Array
    """(3,) [N] With friction, on the link, in the world."""


class Bond(Protocol):
    """What keeps an object where it is on a link."""

    @property
    def wrench(self) -> tuple[Array, Array]:
        """Force (3,) [N] and torque (3,) [N m] in the world with which it acts on the link."""
        ...

    def turned(self) -> float:
        """[rad] By how much the object has turned on the link since it began; infinite when it has been torn off."""
        ...

    def end(self) -> None:
        """Let the object go its own way."""
        ...


class RobotBody(ABC):
    """The joints and links of a robot in a physics engine.

    Links go by the numbers of the joints that move them in Pinocchio's model.

    Args:
        robot: The robot.
        model: Its model, with masses to simulate.
    """

    def __init__(self, robot: Robot, model: pin.Model) -> None:
        self._robot, self._model = robot, model
        self._of_active = np.array([model.joints[model.getJointId(name)].idx_q for name in robot.joints])
        self._braked: set[int] = set()
        self._jammed: set[int] = set()

    @abstractmethod
    def read(self) -> tuple[Array, Array]:
        """Positions and velocities of all joints, (n_full,) each."""

    @abstractmethod
    def drive(self, torques: Array) -> None:
        """Apply torques (n,) [N, N m] to the active joints during the next step; others follow them."""

    @abstractmethod
    def squeeze(self, joints: Indices, speeds: Array, torques: Array) -> None:
        """Have joints turn with speeds (k,) from now on, as far as torques (k,) of this size do it."""

    @abstractmethod
    def jam(self, joint: str) -> None:
        """Let a joint stick where it is."""

    @abstractmethod
    def shift(self, offset: Array) -> None:
        """Move the base at once by (3,) [m, m, rad]; the joints' velocities stay."""

    @abstractmethod
    def contacts(self, links: Collection[int]) -> list[Contact]:
        """Where links press on something that is not the robot."""

    @abstractmethod
    def ignore(self, object: str, links: Iterable[int], ignored: bool = True) -> None:
        """Let links pass through an object, or stop doing so."""

    @abstractmethod
    def affix(self, link: int, object: str, most: float) -> Bond:
        """Keep an object where it is on a link, with no more than ``most`` [N] and [N m]."""

    @abstractmethod
    def stick(self, link: int, object: str, most: float) -> Bond | None:
        """Keep an object between pads from turning, with the friction of patches, ``most`` [N m] of coefficient 1.

        None where the engine's contacts are patches themselves.
        """

    @abstractmethod
    def renew(self, object: str, links: Iterable[int]) -> None:
        """Forget where links touched an object until now, in an engine that keeps that."""

    def brake(self, joints: Indices, speeds: Array, torques: Array) -> None:
        """Slow joints down to speeds (k,) during the next step, as far as torques (k,) of this size do it.

        Those that were slowed down before, and are not among them, run freely again.
        """
        freed = np.array(sorted(self._braked - set(joints.tolist())), dtype=np.intp)
        if len(freed):
            self.squeeze(freed, np.zeros(len(freed)), np.zeros(len(freed)))
        if len(joints):
            self.squeeze(joints, speeds, torques)
        self._braked = set(joints.tolist())

    def save(self) -> tuple[set[int], set[int]]:
        """Which joints are braked, and which are jammed."""
        return set(self._braked), set(self._jammed)

    def restore(self, saved: tuple[set[int], set[int]]) -> None:
        """Go on from there, after the engine does."""
        self._braked, self._jammed = (set(joints) for joints in saved)

    def leaders(self, full: Array) -> Array:
        """(n,) What is of the active joints in values (n_full,) of all."""
        active: Array = full[self._of_active]
        return active

    def active(self) -> tuple[Array, Array]:
        """Positions and velocities of the active joints, (n,) each."""
        q, v = self.read()
        return self.leaders(q), self.leaders(v)

    def links_that_touch(self, hand: str | None = None) -> list[int]:
        """The links of a hand, or of all hands, that may touch what they hold."""
        hands = self._robot.hands.values() if hand is None else [self._robot.hands[hand]]
        return sorted({self.link_of(name) for found in hands for name in found.touch})

    def link_of(self, name: str) -> int:
        """The link that a link of the URDF is part of."""
        return joint_of(self._model, name)


class ObjectBodies(Protocol):
    """The objects of a world in a physics engine: what is movable falls, the rest stands."""

    def put(self, id: str, X_WO: Array, velocity: Array | None = None) -> None:
        """Put an object somewhere, at rest unless a velocity (6,) is given."""
        ...

    def hide(self, id: str) -> None:
        """Take an object out of the world: it touches nothing."""
        ...

    def load(self, id: str) -> pin.Inertia:
        """Its mass and moments of inertia in the world's frame."""
        ...

    def state(self, id: str) -> tuple[Array, Array]:
        """X_WO (4, 4) and velocity (6,) [m/s, rad/s]; the same arrays as before while nothing has changed."""
        ...

    def push(self, id: str, force: Array) -> None:
        """Push at the centre of mass with a force (3,) [N] in the world during the next step."""
        ...

    def grease(self, id: str) -> None:
        """Have an object touch without friction."""
        ...


class Stepper(Protocol):
    """An engine that moves all of them on."""

    def step(self, dt: float) -> None:
        """One step of the physics of ``dt`` [s]."""
        ...

    def save(self) -> Mapping[str, Any]:
        """All that steps and those who command bodies change."""
        ...

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from there."""
        ...

    def close(self) -> None:
        """Give back what it uses; nothing can be called any more."""
        ...
