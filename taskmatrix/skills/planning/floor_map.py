"""A map of the floor: where a base can go, and the way that keeps clear of the furniture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import bounding_box, cubes, inverse
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.occupancy import Space

CELL = 0.05  # [m]
AROUND = 1.0  # [m] of floor beyond the outermost obstacle
SHUN = 10.0  # [-] a way along a wall costs this much more than one that keeps the clearance wanted
CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)


class FloorMap:
    """An occupancy grid of the floor with the ways from one place to all others.

    Args:
        objects: Model and X_WO (4, 4) by id, of all that stands in the way.
        start: (2,) [m] Where ways begin.
        clearance: [m] Wanted between the base's axis and everything else.
        height: [m] What is above this is in nobody's way.
        space: A map of what else is in the way.
    """

    def __init__(
        self,
        objects: Mapping[str, tuple[ObjectModel, Array]],
        start: Array,
        clearance: float,
        height: float,
        space: Space | None = None,
    ) -> None:
        shapes = [(s, X_WO) for model, X_WO in objects.values() for s in model.shapes if s.collides]
        outlines = [_outline(s, X_WO) for s, X_WO in shapes if s.kind != "points" and _lowest(s, X_WO) < height]
        clouds = [_spots(s, X_WO, height) for s, X_WO in shapes if s.kind == "points"]
        low, high = _walls(space, height)
        points = np.vstack([start[None, :2], *outlines, *clouds, *_limits(space)])
        self._origin = points.min(axis=0) - AROUND
        size = np.ceil((points.max(axis=0) + AROUND - self._origin) / CELL).astype(int) + 1
        self._wanted = clearance
        occupied = np.zeros(size, dtype=bool)
        for outline in outlines:
            self._fill(occupied, outline)
        for spots in clouds:
            occupied[tuple(np.round((spots - self._origin) / CELL).astype(int).T)] = True
        self._fill_boxes(occupied, low, high)
        self._clearance = np.asarray(scipy.ndimage.distance_transform_edt(~occupied), dtype=float) * CELL
        self._occupied = occupied
        self._free = np.asarray(
            scipy.ndimage.distance_transform_edt(occupied, return_distances=False, return_indices=True)
        )
        self._cost, self._before = self._ways(self._free_cell(start))

    def way(self, goal: Array) -> Array | None:
        """(m, 2) [m] Corners of the way to a place (2,), the start left out; None where none leads there."""
        cell = self._cell(goal)
        if not np.isfinite(self._cost[cell]):
            return None
        cells = [cell]
        while self._before[cells[-1]] >= 0:
            cells.append(int(self._before[cells[-1]]))
        line = np.column_stack(np.unravel_index(cells[::-1], self._occupied.shape)) * CELL + self._origin
        line[-1] = goal[:2]
        return self._pulled(line)[1:]

    def cost(self, x: float, y: float) -> float:
        """[m] What the way to a place costs, more than it is long beside obstacles; infinite where none leads there."""
        place = np.array([x, y])
        cell = self._cell(place)
        if np.isfinite(self._cost[cell]):
            return float(self._cost[cell])
        free = self._free_cell(place)
        nearest = np.array(np.unravel_index(free, self._occupied.shape)) * CELL + self._origin
        return float(self._cost[free] + (1.0 + SHUN) * np.linalg.norm(nearest - place))

    def _pulled(self, line: Array) -> Array:
        """The line (m, 2) with corners left out where the straight way is as clear."""
        kept = [0]
        clear = np.array([self._at(point) for point in line])
        while kept[-1] < len(line) - 1:
            first = kept[-1]
            last = len(line) - 1
            while last > first + 1:
                needed = min(self._wanted, float(clear[first : last + 1].min()))
                if self._along(line[first], line[last]).min() >= needed - CELL / 2:
                    break
                last -= max(1, (last - first) // 8)
            kept.append(max(last, first + 1))
        return line[kept]

    def _along(self, start: Array, goal: Array) -> Array:
        count = max(2, int(np.ceil(np.linalg.norm(goal - start) / CELL * 2)))
        return np.array([self._at(start + (goal - start) * t) for t in np.linspace(0.0, 1.0, count)])

    def _at(self, point: Array) -> float:
        return float(self._clearance.flat[self._cell(point)])

    def _cell(self, point: Array) -> int:
        index = np.round((np.asarray(point[:2]) - self._origin) / CELL).astype(int)
        x, y = np.clip(index, 0, np.array(self._clearance.shape) - 1)
        return int(np.ravel_multi_index((x, y), self._clearance.shape))

    def _free_cell(self, point: Array) -> int:
        """The cell of a point, or the nearest that is free: who stands half under a table top comes out first."""
        x, y = np.unravel_index(self._cell(point), self._occupied.shape)
        return int(np.ravel_multi_index(tuple(self._free[:, x, y]), self._occupied.shape))

    def _fill(self, occupied: NDArray[np.bool_], outline: Array) -> None:
        low = np.floor((outline.min(axis=0) - self._origin) / CELL).astype(int)
        high = np.ceil((outline.max(axis=0) - self._origin) / CELL).astype(int) + 1
        x, y = np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1]), indexing="ij")
        centres = np.stack([x, y], axis=-1) * CELL + self._origin
        planes = scipy.spatial.ConvexHull(outline).equations  # outside where one is positive
        inside = (centres @ planes[:, :2].T + planes[:, 2] <= CELL / 2).all(axis=-1)
        occupied[x[inside], y[inside]] = True

    def _fill_boxes(self, occupied: NDArray[np.bool_], low: Array, high: Array) -> None:
        """Fill the cells that are nearer than half a cell to boxes with corners (k, 2)."""
        size = np.array(occupied.shape)
        first = np.clip(np.ceil((low - self._origin) / CELL - 0.5).astype(int), 0, size)
        last = np.clip(np.floor((high - self._origin) / CELL + 0.5).astype(int) + 1, 0, size)
        edges = np.zeros(size + 1, dtype=np.int32)  # sums of these, along both axes, are how many boxes hold a cell
        np.add.at(edges, (first[:, 0], first[:, 1]), 1)
        np.add.at(edges, (last[:, 0], last[:, 1]), 1)
        np.add.at(edges, (first[:, 0], last[:, 1]), -1)
        np.add.at(edges, (last[:, 0], first[:, 1]), -1)
        occupied |= edges.cumsum(axis=0).cumsum(axis=1)[:-1, :-1] > 0

    def _ways(self, start: int) -> tuple[Array, NDArray[np.int32]]:
        """Cost [m] of the way to every cell, and the cell before it."""
        shape = self._clearance.shape
        numbers = np.arange(self._clearance.size).reshape(shape)
        lack = np.clip(1.0 - self._clearance / self._wanted, 0.0, 1.0)
        price = np.where(self._occupied, np.inf, 1.0 + SHUN * lack**2)
        rows, columns, costs = [], [], []
        for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
            here = (slice(0, shape[0] - dx), slice(max(0, -dy), shape[1] - max(0, dy)))
            there = (slice(dx, shape[0]), slice(max(0, dy), shape[1] + min(0, dy)))
            cost = CELL * np.hypot(dx, dy) * (price[here] + price[there]) / 2
            free = np.isfinite(cost)
            rows.append(numbers[here][free])
            columns.append(numbers[there][free])
            costs.append(cost[free])
        size = self._clearance.size
        graph = scipy.sparse.coo_array(
            (np.concatenate(costs), (np.concatenate(rows), np.concatenate(columns))), shape=(size, size)
        ).tocsr()
        cost, before = scipy.sparse.csgraph.dijkstra(graph, directed=False, indices=start, return_predecessors=True)
        return cost, before


def _outline(shape: Shape, X_WO: Array) -> Array:
    """(8, 2) [m] Corners of a shape's own bounding box, seen from above."""
    lower, upper = bounding_box([shape], inverse(shape.X_OS))
    corners = np.hstack([lower + CORNERS * (upper - lower), np.ones((8, 1))])
    seen: Array = (corners @ (X_WO @ shape.X_OS).T)[:, :2]
    return seen


def _walls(space: Space | None, height: float) -> tuple[Array, Array]:
    """(k, 2), (k, 2) [m] Corners of the boxes of a map that begin below a height, seen from above."""
    boxes = [] if space is None else [found for found in (space.occupied, space.unseen) if found is not None]
    low = np.vstack([np.zeros((0, 3)), *(found.low for found in boxes)])
    high = np.vstack([np.zeros((0, 3)), *(found.high for found in boxes)])
    below = low[:, 2] < height
    return low[below, :2], high[below, :2]


def _limits(space: Space | None) -> list[Array]:
    """(k, 2) [m] Corners of what is occupied; unknown space goes on for good."""
    ends = () if space is None else (space.occupied.low, space.occupied.high)
    return [end[:, :2].astype(float) for end in ends]


def _spots(shape: Shape, X_WO: Array, height: float) -> Array:
    """(k, 2) [m] Where the cubes of points are that are below a height, seen from above, no more than a cell apart."""
    side = shape.size[0]
    steps = np.linspace(-0.5, 0.5, int(np.ceil(side / CELL)) + 1) * side
    offsets = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    X_WS = X_WO @ shape.X_OS
    centres = cubes(shape) @ X_WS[:3, :3].T + X_WS[:3, 3]
    spots: Array = (centres[centres[:, 2] < height + side, None] + offsets @ X_WS[:3, :3].T).reshape(-1, 3)
    return spots[:, :2]


def _lowest(shape: Shape, X_WO: Array) -> float:
    return float(bounding_box([shape], X_WO)[0][2])
