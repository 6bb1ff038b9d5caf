"""Where a base can go by the map of space, and how far that is."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import FREE, Occupancy

CELL = 0.05  # [m] of the floor, at least
STEPS = [(x, y, math.hypot(x, y)) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


class FloorPlan:
    """Places within reach of a base that are free over their whole height, and the ways to them.

    Args:
        occupancy: The map.
        start: (2,) [m] Where the base is; it may leave from there whatever the map says.
        stages: Of the robot, from below: up to which height [m] it is how wide, as the radius [m] within which it
            turns. That much has to be free around a place.
        slim: Share of that which has to be free on the way; the robot may walk sideways, or with its narrow side first.
        low: (2,) [m] Lower corner of the floor to look at.
        high: (2,) [m] Upper corner.
    """

    def __init__(
        self,
        occupancy: Occupancy,
        start: Array,
        stages: Sequence[tuple[float, float]],
        slim: float,
        low: Array,
        high: Array,
    ) -> None:
        count = max(1, round(CELL / occupancy.resolution))
        self.cell = count * occupancy.resolution
        """[m] Side of a cell of the floor."""
        first = np.floor(low / self.cell) * self.cell
        size = np.maximum(np.ceil((high - first) / self.cell - 1e-9), 1.0)
        self.origin = first
        """(2,) [m] Lower corner of the first cell."""
        wide, deep = (int(n) * count for n in size)
        bottom = occupancy.ground
        passable = self._roomy = np.ones((wide // count, deep // count), dtype=bool)
        for top, radius in stages:
            _, states = occupancy.window(np.array([*first, bottom]), np.array([*(first + size * self.cell), top]))
            free = (states[:wide, :deep] == FREE).all(axis=2)
            free = free.reshape(wide // count, count, deep // count, count).all(axis=(1, 3))
            clearance = np.asarray(scipy.ndimage.distance_transform_edt(np.pad(free, 1)))[1:-1, 1:-1] * self.cell
            passable = passable & (clearance - self.cell / 2 >= slim * radius)
            self._roomy = self._roomy & (clearance - self.cell / 2 >= radius)
            bottom = top
        self.distance = self._distances(passable, start)
        """(x, y) [m] How far the way to each cell is; infinite where there is none."""

    def places(self, spacing: float) -> tuple[Array, Array]:
        """Places to which there is a way and where the robot can turn.

        Args:
            spacing: [m] They are no denser than this.

        Returns:
            (k, 2) [m] Where they are, and (k,) [m] how far the ways are.
        """
        stride = max(1, round(spacing / self.cell))
        cells = np.argwhere(np.isfinite(self.distance) & self._roomy)
        cells = cells[(cells % stride == 0).all(axis=1)]
        places: Array = self.origin + (cells + 0.5) * self.cell
        return places, self.distance[tuple(cells.T)]

    def _distances(self, passable: NDArray[np.bool_], start: Array) -> Array:
        """(x, y) [m] By Dijkstra's algorithm from the cell of the start."""
        found = np.full(passable.shape, np.inf)
        here = tuple(np.clip(((start - self.origin) / self.cell).astype(int), 0, np.array(passable.shape) - 1).tolist())
        queue = [(0.0, here)]
        found[here] = 0.0
        while queue:
            far, (x, y) = heapq.heappop(queue)
            if far > found[x, y]:
                continue
            for i, j, step in STEPS:
                there = x + i, y + j
                if not (0 <= there[0] < passable.shape[0] and 0 <= there[1] < passable.shape[1] and passable[there]):
                    continue
                if far + step * self.cell < found[there]:
                    found[there] = far + step * self.cell
                    heapq.heappush(queue, (far + step * self.cell, there))
        return found
