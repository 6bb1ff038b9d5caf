"""How far a base is from where it was told to be, for as long as one trajectory is followed."""

from __future__ import annotations

import numpy as np

from ..robot.plans import Trajectory
from ..world.objects import Array
from .context import Context


class BaseOffset:
    """Measured when a trajectory is followed for the first time: robots begin at rest, and a push is not undone."""

    def __init__(self) -> None:
        self._trajectory: Trajectory | None = None
        self._offset = np.zeros(0)

    def of(self, trajectory: Trajectory, context: Context) -> Array:
        """(k,) [m, rad] Of the trajectory's joints that are of the base; zero for the others."""
        if trajectory is not self._trajectory:
            skills = context.skills
            base = skills.joints("base") if "base" in skills.chains else ()
            off = (skills.position() - context.arbiter.last)[trajectory.indices]
            self._trajectory, self._offset = trajectory, np.where(np.isin(trajectory.indices, base), off, 0.0)
        return self._offset
