"""Skills 1, 2, 4, 5 and 10: the body, its postures and motions, kinematics, and the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.capability import Capabilities
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.plans import VIEW, Indices, Solution
from taskmatrix.core.world.objects import Array

from ..shared_state import SharedState
from . import ik
from .view import face


class BodyFacet(SharedState):
    """Implements :class:`~taskmatrix.core.robot.skills.body.BodySkills`."""

    @property
    def capabilities(self) -> Capabilities:
        """What the robot provides, whatever it is doing."""
        robot, soft = self.robot, {self.robot.joints.index(name) for name in self._plant.impedance_joints()}
        chains = tuple(chain for chain, joints in robot.chains.items() if soft.issuperset(joints))
        return replace(robot.capabilities, impedance=chains) if soft else robot.capabilities

    @property
    def chains(self) -> tuple[str, ...]:
        """Names of the kinematic chains."""
        return tuple(self.robot.chains)

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of the hands."""
        return tuple(self.robot.hands)

    @property
    def feet(self) -> tuple[str, ...]:
        """Feet that can be lifted."""
        return tuple(leg.foot for leg in self.robot.legs)

    def joints(self, *chains: str) -> Indices:
        """Indices of the joints of chains."""
        return np.array(self.robot.indices(*chains), dtype=np.intp)

    def joint_name(self, joint: int) -> str:
        """What the robot's model calls a joint."""
        return self.robot.joints[joint]

    def chains_of_hand(self, hand: str) -> tuple[str, ...]:
        """Arm of a hand, then its fingers if it has any."""
        found = self._hand(hand)
        return (found.arm,) if found.fingers is None else (found.arm, found.fingers)

    def chains_of_foot(self, foot: str) -> tuple[str, ...]:
        """Chains of the joints that move a foot."""
        return self.robot.legs[self._foot(foot)].chains

    def position(self) -> Array:
        """(n,) Joint positions as sensed."""
        return self._state.q.copy()

    def velocity(self) -> Array:
        """(n,) Joint velocities as sensed."""
        return self._state.v.copy()

    def acceleration(self) -> Array:
        """(n,) Joint accelerations as sensed."""
        return self._state.a.copy()

    def posture(self, name: str) -> Mapping[int, float]:
        """A named posture as joint positions."""
        if name not in self.robot.postures:
            raise NotFoundError("posture", name, self.robot.postures, f"robot '{self.robot.name}'")
        return {self.robot.joints.index(joint): position for joint, position in self.robot.postures[name].items()}

    def motion(self, name: str) -> Motion:
        """A named motion as smooth joint trajectories."""
        if name not in self.robot.motions:
            raise NotFoundError("motion", name, self.robot.motions, f"robot '{self.robot.name}'")
        found = self.robot.motions[name]
        tracks = {self.robot.joints.index(joint): track for joint, track in found.keyframes.items()}
        return Motion.through(name, tracks, found.periodic)

    def mirrored(self, posture: Mapping[int, float]) -> Mapping[int, float] | None:
        """The posture with left and right exchanged; None for arms that are no mirror images of each other."""
        return self.robot.sides.image(posture) if self.robot.sides.is_mirrored(posture) else None

    def _foot(self, name: str) -> int:
        """Which of the robot's feet has a name."""
        if name not in self.feet:
            raise NotFoundError("foot", name, self.feet, f"robot '{self.robot.name}'")
        return self.feet.index(name)


class KinematicsFacet(BodyFacet):
    """Implements :class:`~taskmatrix.core.robot.skills.kinematics.KinematicsSkills`, but for the search."""

    def forward_kinematics(self, hand: str, q: Array | None = None) -> Array:
        """X_WH: (4, 4) pose of a hand's grasp frame."""
        return self._kinematics.pose(self._hand(hand).name, self._state.q if q is None else q)

    def differential_kinematics(self, frame: str, q: Array | None = None) -> tuple[Array, Array]:
        """X_WF (4, 4) of a hand, the ``view`` or a link, and (6, n) its twist, expressed in it, for unit speeds."""
        at = self._state.q if q is None else q
        placement, J = self._kinematics.placement_and_jacobian(frame, at, np.arange(self.robot.n))
        return placement.homogeneous, J

    def inverse_kinematics(
        self,
        hand: str,
        X_WH: Array,
        chains: Sequence[str],
        q: Array | None = None,
        reference: Array | None = None,
        within: Array | None = None,
    ) -> Solution:
        """The configuration nearest to a goal that moving ``chains`` finds from ``q``."""
        start = self._state.q if q is None else q
        joints = self.joints(*chains)
        return ik.solve(self._kinematics, self._hand(hand).name, X_WH, joints, start, reference, within=within)

    def inverse_kinematics_of_view(self, point: Array, chains: Sequence[str], q: Array | None = None) -> Array:
        """The configuration in which turning ``chains`` faces a point as far as it goes; the base turns on the spot."""
        joints = self.joints(*chains)
        return face(self._kinematics, point, joints[joints >= 2], self._state.q if q is None else q)


class ViewFacet(SharedState):
    """Implements :class:`~taskmatrix.core.robot.skills.view.ViewSkills`."""

    def view(self, q: Array | None = None) -> Array:
        """(3, 3) Viewing direction, up, and their cross product as columns."""
        R: Array = self._kinematics.pose(VIEW, self._state.q if q is None else q)[:3, :3]
        return R

    def view_position(self, q: Array | None = None) -> Array:
        """(3,) [m] Where the robot views from."""
        p: Array = self._kinematics.pose(VIEW, self._state.q if q is None else q)[:3, 3]
        return p

    def able_to_view(self) -> bool:
        """Whether the robot has a view and a head to turn it."""
        return self.robot.view is not None and bool(self.robot.chains.get("head"))
