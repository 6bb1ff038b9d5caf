"""The all-seeing perception process."""

from __future__ import annotations

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.robot.plant import WholePlant
from taskmatrix.core.world.perception import PerceptualModel


class Omniscient:
    """Fills the perceptual model with the plant's own truth at every call."""

    def __init__(self, plant: WholePlant, model: PerceptualModel, clock: Clock) -> None:
        self._plant, self._model, self._clock = plant, model, clock

    def __call__(self) -> None:
        """Write the true poses of all objects to the perceptual model."""
        self._model.update(self._plant.observe(), self._clock.now())
