"""Kicks of the fake robot, an optional facet."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.skills.kicking import DIRECTIONS, KickPlan

from ..line_trajectory import LineTrajectory
from .body import FakeBody


class FakeKicks(FakeBody):
    """Implements :class:`~taskmatrix.core.robot.skills.kicking.KickSkills`."""

    def kick(self, foot: str, direction: str, object: str) -> KickPlan | Failure:
        """One that stays where it is for a second, of a ball 0.3 m ahead, that goes 1 m that way, with 1 m/s."""
        self._perception.object(object)
        joints = self.joints(*self.chains_of_foot(foot))
        if direction not in DIRECTIONS:
            raise NotFoundError("direction of a kick", direction, DIRECTIONS)
        angle = (1.0 if foot == "left" else -1.0) * DIRECTIONS.index(direction) * np.pi / 4
        still = LineTrajectory(joints, self._state.q[joints], self._state.q[joints], 1.0)
        return KickPlan(foot, direction, still, np.array([0.3, 0.0]), angle, 1.0, 0.5, 1.0)

    def allow_kick(self, foot: str, object: str | None) -> None:
        """Note it in ``kicked``."""
        self.kicked = object
