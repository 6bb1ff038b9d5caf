"""GoStraight: walks straight on (BICA VI)."""

from __future__ import annotations

from taskmatrix.core.components.component import Component
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.components.part import Part

from .locomotion import Locomotion


class GoStraight(Component, frequency=10.0):
    """Walks the way that the robot heads."""

    speed = Modulation(float, default=0.0, doc="[m/s]")

    locomotion = Part(Locomotion)

    def work(self) -> None:
        """Ask the base to go straight ahead."""
        self.locomotion.ahead = self.speed

    def act(self) -> None:
        """Step the base."""
        self.locomotion.step()
