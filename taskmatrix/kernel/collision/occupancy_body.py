"""Space as boxes along the world's axes, in a tree: the body that stands for a map, and is replaced as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import Boxes

from .solid import Solid

SPECK = 1e-3  # [m] what stands for no space at all, far beneath the floor
BENEATH = -1e3  # [m]


@dataclass(frozen=True, eq=False)
class OccupancyBody:
    """A tree over boxes."""

    solid: Solid
    """For the kernel."""
    boxes: Boxes
    """What it was made of."""

    @staticmethod
    def of(boxes: Boxes) -> OccupancyBody:
        """The tree over boxes, each of which is near those beside it; it costs some 50 nanoseconds for each."""
        low, high = boxes.low, boxes.high
        if not len(low):
            low = np.array([[0.0, 0.0, BENEATH]], dtype=np.float32)
            high = low + np.float32(SPECK)
        return OccupancyBody(Solid.of_boxes(low, high), boxes)

    def near(self, low: Array, high: Array) -> tuple[Array, Array]:
        """(k, 3), (k, 3) [m] Lower and upper corners of the boxes that touch a box with corners (3,)."""
        numbers = self.solid.tree.touching(low, high)
        numbers = numbers[numbers < len(self.boxes.low)]
        return self.boxes.low[numbers].astype(float), self.boxes.high[numbers].astype(float)
