"""Play a motion that is not periodic, such as nodding (thesis 4.3.8.2)."""

from __future__ import annotations

from typing import ClassVar

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.robot.joint_motion import Motion

from .canned import Canned


class AperiodicCanned(Canned):
    """Play a motion once, from rest to rest.

    How it is got to, mirrored and stretched: see :class:`~taskmatrix.behaviors.motions.canned.Canned`.
    """

    duration = Parameter(float, default=None, minimum=0.01, doc="[s] of the motion; that of the data unless given")

    periodic: ClassVar[bool] = False

    def timing(self, motion: Motion) -> tuple[float, float]:
        """How long [s] the motion should last, twice."""
        duration = self.duration or motion.duration
        return duration, duration
