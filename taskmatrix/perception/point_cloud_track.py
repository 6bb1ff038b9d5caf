"""An object that nobody described: what was seen of it, as points."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.core.world.perception import Percept

from .fit import MARGIN

TYPE = "unknown"
"""Type of an object that nobody described."""
RESOLUTION = 0.01
"""[m] Side of the cubes that stand for its points."""
FEWEST = 6
"""Pixels that it has to have."""
NEWS = 0.02
"""Share of new cubes that is worth telling."""
GONE = 0.3
"""Share of the cubes in view that has to be looked through for the rest to be forgotten, too: it has moved."""


class PointCloudTrack:
    """Collects what is seen of an object; its frame is the world's.

    Args:
        id: The object's.
        type: What is known of its type.

    Attributes:
        percept: What is known of it; None for nothing.
    """

    def __init__(self, id: str, type: str = TYPE) -> None:
        self._id, self._type = id, type
        self._cells: set[tuple[int, int, int]] = set()
        self._told = 0
        self.percept: Percept | None = None

    def see(self, image: DepthImage, label: int) -> None:
        """Take in what an image shows of it."""
        self._look_through(image, label)
        points = image.points(label)
        if len(points) >= FEWEST or self._cells:
            self._cells |= {
                tuple(cell) for cell in np.unique(np.floor(points / RESOLUTION), axis=0).astype(int).tolist()
            }
        self._tell()

    def miss(self, image: DepthImage) -> None:
        """Take in an image that does not show it."""
        self._look_through(image, None)
        self._tell()

    def _look_through(self, image: DepthImage, label: int | None) -> None:
        """Forget cubes where the image shows what is behind them; all of them where that are many."""
        if not self._cells:
            return
        cells = np.array(sorted(self._cells))
        row, column, depth = image.project((cells + 0.5) * RESOLUTION)
        inside = (row >= 0) & (depth > image.range[0]) & (depth < image.range[1])
        through = inside & (image.depth[row, column] > depth + MARGIN + RESOLUTION)
        if label is not None:
            through &= image.labels[row, column] != label
        if through.sum() > GONE * max(1, inside.sum()):
            self._cells, self._told = set(), 0
        elif through.any():
            self._cells = {tuple(cell) for cell in cells[~through].tolist()}

    def _tell(self) -> None:
        if not self._cells:
            self.percept = None
        elif self.percept is None or abs(len(self._cells) - self._told) > NEWS * self._told:
            points = (np.array(sorted(self._cells)) + 0.5) * RESOLUTION
            shape = Shape("points", (RESOLUTION,), np.eye(4), points=points)
            model = ObjectModel(self._id, self._type, (shape,))
            self.percept, self._told = Percept(model, np.eye(4)), len(self._cells)
