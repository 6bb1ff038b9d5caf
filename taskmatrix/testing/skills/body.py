"""Skills 1 and 2 of the fake robot."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.capability import Capabilities, HandCapability, ViewCapability
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.plans import (
    Indices,
)
from taskmatrix.core.world.objects import Array

from ..fake_robot import OPEN, REACH
from .state import FakeState


class FakeBody(FakeState):
    """Implements :class:`~taskmatrix.core.robot.skills.body.BodySkills`."""

    @property
    def capabilities(self) -> Capabilities:
        """Those of the fake robot."""
        hands = {
            name: HandCapability(
                f"{name}_arm", 6, 1, (0.0, OPEN), REACH, self.payloads.get(name), name in self.payloads
            )
            for name in self.hands
        }
        (pan, tilt), range = self.robot.upper[3:5].tolist(), self.view_range
        view = ViewCapability(True, pan, pan, tilt, tilt, range) if self.sees else ViewCapability(False, range=range)
        chains = {chain: len(joints) for chain, joints in self.robot.chains.items()}
        return Capabilities(chains, hands, view, holonomic=True, feet=self.feet)

    @property
    def chains(self) -> tuple[str, ...]:
        """Names of the kinematic chains."""
        return tuple(self.robot.chains)

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of the hands."""
        return self.robot.hands

    @property
    def feet(self) -> tuple[str, ...]:
        """None: a fake robot rolls; a test names some."""
        return self.liftable

    def joints(self, *chains: str) -> Indices:
        """Joints of chains."""
        for chain in chains:
            if chain not in self.robot.chains:
                raise NotFoundError("chain", chain, self.robot.chains, "the fake robot")
        return np.array([joint for chain in chains for joint in self.robot.chains[chain]], dtype=np.intp)

    def joint_name(self, joint: int) -> str:
        """Of the fake robot: its chain and its number in it."""
        chain = next(name for name, joints in self.robot.chains.items() if joint in joints)
        return f"{chain}_{self.robot.chains[chain].index(joint)}"

    def chains_of_hand(self, hand: str) -> tuple[str, ...]:
        """Arm and fingers."""
        self.robot.arm(hand)
        return f"{hand}_arm", f"{hand}_hand"

    def chains_of_foot(self, foot: str) -> tuple[str, ...]:
        """The chain of the foot's name; its joints are those of the arm on its side."""
        if foot not in self.feet:
            raise NotFoundError("foot", foot, self.feet)
        return (f"{foot}_arm",)

    def position(self) -> Array:
        """(n,) As sensed."""
        return self._state.q.copy()

    def velocity(self) -> Array:
        """(n,) As sensed."""
        return self._state.v.copy()

    def acceleration(self) -> Array:
        """(n,) As sensed."""
        return self._state.a.copy()

    def posture(self, name: str) -> Mapping[int, float]:
        """One of ``postures``."""
        if name not in self.postures:
            raise NotFoundError("posture", name, self.postures, "the fake robot")
        return self.postures[name]

    def motion(self, name: str) -> Motion:
        """One of ``motions``."""
        if name not in self.motions:
            raise NotFoundError("motion", name, self.motions, "the fake robot")
        return self.motions[name]

    def mirrored(self, posture: Mapping[int, float]) -> Mapping[int, float] | None:
        """The posture with left and right exchanged."""
        return self.robot.mirrored(posture)
