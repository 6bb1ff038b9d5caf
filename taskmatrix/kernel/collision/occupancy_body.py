"""Space as boxes along the world's axes, in a tree: the body that stands for a map, and is replaced as a whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import Boxes

from ..jit.compiled import bare
from ..jit.simd import Floats
from .scene import LEVELS, ROUNDING
from .solid import SIGNS, Solid, sizes_of

SPECK = 1e-3  # [m] what stands for no space at all, far beneath the floor
BENEATH = -1e3  # [m]


@dataclass(frozen=True, eq=False)
class OccupancyBody:
    """A tree over boxes: halves of their sequence, halves of these, and so on."""

    nodes: Floats
    """(n, 7) [m] See :class:`~taskmatrix.kernel.collision.scene.Scene`."""
    after: NDArray[np.int64]
    """(n,) The first node that is not below a node."""
    corners: NDArray[np.int64]
    """(n,) Where the eight corners of a leaf begin in ``points``; those of other nodes are not asked for."""
    points: Floats
    """(8 m, 3) [m] Corners of the boxes."""
    boxes: Boxes
    """What it was made of."""

    @staticmethod
    def of(boxes: Boxes) -> OccupancyBody:
        """The tree over boxes; it costs some 50 nanoseconds for each."""
        low, high = boxes.low, boxes.high
        if not len(low):
            low = np.array([[0.0, 0.0, BENEATH]], dtype=np.float32)
            high = low + np.float32(SPECK)
        count = 2 * len(low) - 1
        nodes, bounds = np.empty((count, 7), dtype=np.float32), np.empty((count, 6), dtype=np.float32)
        after, corners = np.empty(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        leaves = np.empty(count, dtype=np.int64)
        raise_tree(low, high, nodes, bounds, after, corners, leaves)
        middle, half = (low + high) / 2, (high - low) / 2 + np.float32(ROUNDING)
        points: Floats = (middle[:, None] + SIGNS.astype(np.float32) * half[:, None]).reshape(-1, 3).astype(np.float32)
        return OccupancyBody(nodes, after, corners, points, boxes)

    @property
    def solid(self) -> Solid:
        """The body that holds it all, without its tree."""
        points = self.nodes[0, :3] + SIGNS * self.nodes[0, 3:6]
        firsts = np.array([0] * LEVELS + [len(points)], dtype=np.int64)
        nothing = np.zeros((0, 7)), np.zeros(0, dtype=np.int64)
        return Solid(points, firsts, sizes_of(points, firsts, [0.0] * LEVELS), *nothing)

    def near(self, low: Array, high: Array) -> tuple[Array, Array]:
        """(k, 3), (k, 3) [m] Lower and upper corners of the boxes that touch a box with corners (3,)."""
        found = np.empty(64, dtype=np.int64)
        while True:
            count = leaves_near(self.nodes, self.after, low, high, found)
            if count <= len(found):
                break
            found = np.empty(2 * count, dtype=np.int64)
        numbers = self.corners[found[:count]] // 8
        numbers = numbers[numbers < len(self.boxes.low)]
        return self.boxes.low[numbers].astype(float), self.boxes.high[numbers].astype(float)


@bare
def raise_tree(
    low: Floats,
    high: Floats,
    nodes: Floats,
    bounds: Floats,
    after: NDArray[np.int64],
    corners: NDArray[np.int64],
    leaves: NDArray[np.int64],
) -> None:
    """Fill the nodes of a tree over boxes (m, 3) and (m, 3); see :class:`OccupancyBody`.

    Args:
        low: Lower corners.
        high: Upper corners.
        nodes: (2 m - 1, 7) Filled.
        bounds: (2 m - 1, 6) Scratch.
        after: (2 m - 1,) Filled.
        corners: (2 m - 1,) Filled for leaves.
        leaves: (2 m - 1,) Scratch: how many leaves are below a node.
    """
    count = nodes.shape[0]
    leaves[0] = low.shape[0]
    first = 0
    for node in range(count):
        size = leaves[node]
        after[node] = node + 2 * size - 1
        if size == 1:
            for k in range(3):
                bounds[node, k], bounds[node, 3 + k] = low[first, k], high[first, k]
            corners[node] = 8 * first
            first += 1
        else:
            half = size // 2
            leaves[node + 1] = half
            leaves[node + 2 * half] = size - half
    for node in range(count - 1, -1, -1):
        if leaves[node] > 1:
            one, other = node + 1, node + 2 * (leaves[node] // 2)
            for k in range(3):
                bounds[node, k] = min(bounds[one, k], bounds[other, k])
                bounds[node, 3 + k] = max(bounds[one, 3 + k], bounds[other, 3 + k])
        square = 0.0
        for k in range(3):
            nodes[node, k] = 0.5 * (bounds[node, k] + bounds[node, 3 + k])
            half_size = 0.5 * (bounds[node, 3 + k] - bounds[node, k]) + ROUNDING
            nodes[node, 3 + k] = half_size
            square += half_size * half_size
        nodes[node, 6] = np.sqrt(square) + ROUNDING


@bare
def leaves_near(nodes: Floats, after: NDArray[np.int64], low: Array, high: Array, found: NDArray[np.int64]) -> int:
    """Leaves that touch a box with corners (3,), into ``found``; returns how many there are."""
    count, node = 0, 0
    while node < nodes.shape[0]:
        apart = False
        for k in range(3):
            apart |= nodes[node, k] - nodes[node, 3 + k] > high[k] or nodes[node, k] + nodes[node, 3 + k] < low[k]
        if apart:
            node = after[node]
            continue
        if after[node] == node + 1:
            if count < found.shape[0]:
                found[count] = node
            count += 1
        node += 1
    return count
