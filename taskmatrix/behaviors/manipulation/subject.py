"""Watching the object on whose pose a plan depends."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.core.world.symmetry import apart, speeds, symmetry_of

from ..common.tolerances import PERCEPTION_NOISE

NUDGED = (0.010, np.deg2rad(6.0))  # [m], [rad] that the hand itself may have pushed it
AT_REST = (0.01, 0.03)  # [m/s], [rad/s] slower than this it is at rest
REST_TIMEOUT = 15.0  # [s] for which it is waited for, in one run


class Subject:
    """Tells whether an object is still where a plan has it, and whether it is at rest.

    A rotation that nobody can see, of a ball or of a can about its axis, is none.

    Args:
        id: Of the object; None if the plan depends on none, which is always known, unmoved and at rest.
        perception: Where it is perceived.

    Attributes:
        waited: [s] For how long it has been waited for.
    """

    def __init__(self, id: str | None, perception: PerceptualModel) -> None:
        self.id, self.waited = id, 0.0
        self._perception = perception
        self._X_WO: Array | None = None

    def is_known(self) -> bool:
        """Whether it is perceived."""
        return self.id is None or self.id in self._perception

    def remember(self) -> None:
        """Take note of where it is: a plan is made for this pose."""
        self._X_WO = None if self.id is None else self._perception.pose(self.id)

    def has_moved(self, pushed: bool) -> bool:
        """Whether it is elsewhere now; one that is ``pushed`` by the hand may be a little."""
        if self.id is None or self._X_WO is None:
            return False
        seen = self._perception.object(self.id)
        distance, angle = apart(symmetry_of(seen.model.shapes), self._X_WO, seen.X_WO)
        allowed = NUDGED if pushed else PERCEPTION_NOISE
        return bool(distance > allowed[0] or angle > allowed[1])

    def is_at_rest(self, dt: float) -> bool:
        """Whether it is at rest in this control step of ``dt`` [s], which counts as waiting; so does being lost."""
        if self.id is None or not self.is_known():
            return True
        seen = self._perception.object(self.id)
        speed, turning = speeds(symmetry_of(seen.model.shapes), seen.X_WO, seen.velocity)
        self.waited += dt
        return speed <= AT_REST[0] and turning <= AT_REST[1]
