"""Skills 4, 5 and 10: kinematics, and the view. The search for configurations is planning's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.robot.plans import VIEW, Solution
from taskmatrix.core.world.objects import Array

from ..shared_state import SharedState
from . import ik
from .body_facet import BodyFacet
from .view import face


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
