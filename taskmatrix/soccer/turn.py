"""Turn: turns on the spot (BICA VI)."""

from __future__ import annotations

from taskmatrix.core.components.component import Component
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.components.part import Part

from .locomotion import Locomotion


class Turn(Component, frequency=10.0):
    """Turns the base, and goes nowhere."""

    speed = Modulation(float, default=0.0, doc="[rad/s] to the left")

    locomotion = Part(Locomotion)

    def work(self) -> None:
        """Ask the base to turn on the spot."""
        self.locomotion.turn = self.speed

    def act(self) -> None:
        """Step the base."""
        self.locomotion.step()
