"""Play a periodic motion, such as waving (thesis 4.3.8.1)."""

from __future__ import annotations

from typing import ClassVar

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.robot.joint_motion import Motion

from .canned import Canned


class PeriodicCanned(Canned):
    """Repeat a motion for some time; it begins and ends softly, wherever in its period that is.

    How it is got to, mirrored and stretched: see :class:`~taskmatrix.behaviors.motions.canned.Canned`.
    """

    duration = Parameter(
        float, minimum=0.01, doc="[s] how long to play it, from where it begins to when it has stopped"
    )
    period = Parameter(float, default=None, minimum=0.01, doc="[s] of one repetition; that of the data unless given")

    periodic: ClassVar[bool] = True

    def timing(self, motion: Motion) -> tuple[float, float]:
        """How long [s] a period should last, and how long to play it."""
        return self.period or motion.duration, self.duration
