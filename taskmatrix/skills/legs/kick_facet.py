"""Kicks: an optional facet, which the others do without."""

from __future__ import annotations

from functools import cached_property

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.skills.kicking import DIRECTIONS, KickPlan

from ..collision.collision_facet import CollisionFacet
from .kicking import Kicker


class KickFacet(CollisionFacet):
    """Implements :class:`~taskmatrix.core.robot.skills.kicking.KickSkills`."""

    def kick(self, foot: str, direction: str, object: str) -> KickPlan | Failure:
        """A kick of a ball for the robot as it stands."""
        self._foot(foot)
        if direction not in DIRECTIONS:
            raise NotFoundError("direction of a kick", direction, DIRECTIONS)
        return self._kicker.kick(foot, direction, self._perception.object(object).model, self._state.q)

    def allow_kick(self, foot: str, object: str | None) -> None:
        """Permit contact of a foot with an object; with None, with none any more."""
        self._allowed.kick(self.robot.legs[self._foot(foot)].limb, object)
        self._permit()

    @cached_property
    def _kicker(self) -> Kicker:
        return Kicker(self.robot)
