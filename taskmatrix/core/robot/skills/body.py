"""Skills 1 and 2: what the robot is made of, how its joints stand, and the postures and motions it knows by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...world.objects import Array
from ..capability import Capabilities
from ..joint_motion import Motion
from ..plans import Indices


class BodySkills(Protocol):
    """The robot's chains, hands and feet, and the state of its joints."""

    @property
    def capabilities(self) -> Capabilities:
        """1, 9, 10. What the robot provides, whatever it is doing; behaviors' requirements are matched with it."""
        ...

    @property
    def chains(self) -> tuple[str, ...]:
        """Names of the robot's kinematic chains."""
        ...

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of the robot's hands."""
        ...

    @property
    def feet(self) -> tuple[str, ...]:
        """1. Feet that can be lifted: ``left`` and ``right``, or none."""
        ...

    def joints(self, *chains: str) -> Indices:
        """1. Degrees of freedom of chains."""
        ...

    def joint_name(self, joint: int) -> str:
        """What the robot's model calls a joint: to tell people, not to do anything by it."""
        ...

    def chains_of_hand(self, hand: str) -> tuple[str, ...]:
        """1. Arm of a hand, then its fingers if it has any."""
        ...

    def chains_of_foot(self, foot: str) -> tuple[str, ...]:
        """1. Chains of the joints that move a foot."""
        ...

    def position(self) -> Array:
        """2. (n,) Joint positions as sensed."""
        ...

    def velocity(self) -> Array:
        """2. (n,) Joint velocities as sensed."""
        ...

    def acceleration(self) -> Array:
        """2. (n,) Joint accelerations as sensed."""
        ...

    def posture(self, name: str) -> Mapping[int, float]:
        """6. A named posture as joint positions; raises NotFoundError."""
        ...

    def motion(self, name: str) -> Motion:
        """6. A named motion as smooth joint trajectories; raises NotFoundError."""
        ...

    def mirrored(self, posture: Mapping[int, float]) -> Mapping[int, float] | None:
        """6. The posture with left and right exchanged; None if the robot has no mirrored joints."""
        ...
