"""Tables of pairs that are always close: how far apart they are at least, by the joints between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..jit.compiled import bare_inlined
from ..jit.simd import LANES as L
from .scene import Scene, Work

UNIT = 4e-4  # [m] what a table counts in; it ends at 255


@dataclass(frozen=True, eq=False)
class Tables:
    """Grids over the positions of one or two joints."""

    pairs: NDArray[np.int64]
    """(t, 2) Bodies."""
    grids: NDArray[np.int64]
    """(t, 5) Frames of the joints, how many cells there are along each, and where the grid begins in ``clear``."""
    cells: Array
    """(t, 4) [rad, m] By joint: where its cells begin, and how many there are for one radian or metre."""
    clear: NDArray[np.uint8]
    """(c,) [UNIT] By cell, the second joint's the fastest: how far apart the bodies are at least; 0: not known."""

    @staticmethod
    def empty() -> Tables:
        """A set without any tables."""
        return Tables(
            np.zeros((0, 2), dtype=np.int64),
            np.zeros((0, 5), dtype=np.int64),
            np.zeros((0, 4)),
            np.zeros(0, dtype=np.uint8),
        )

    def numbers(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """(p,) Number of the table of each pair of bodies (p, 2), -1 for those that have none."""
        numbers = np.full(len(pairs), -1, dtype=np.int64)
        size = len(self._by_bodies)
        few = np.flatnonzero((pairs[:, 0] < size) & (pairs[:, 1] < size))
        numbers[few] = self._by_bodies[pairs[few, 0], pairs[few, 1]]
        return numbers

    @cached_property
    def _by_bodies(self) -> NDArray[np.int64]:
        """(b, b) Number of the table of two bodies, up to the last that has one; -1 where there is none."""
        size = int(self.pairs.max(initial=-1)) + 1
        found = np.full((size, size), -1, dtype=np.int64)
        first, second = self.pairs.T
        found[first, second] = found[second, first] = np.arange(len(self.pairs))
        return found


@bare_inlined
def undecided(scene: Scene, work: Work, table: int, mask: int, need: float) -> int:
    """Lanes of a mask in which a table does not tell that a pair is further apart than ``need`` [m]."""
    i, j = scene.grids[table, 0] * L, scene.grids[table, 1] * L
    rows, columns, first = scene.grids[table, 2], scene.grids[table, 3], scene.grids[table, 4]
    low_i, low_j = scene.cells[table, 0], scene.cells[table, 2]
    per_i, per_j = scene.cells[table, 1], scene.cells[table, 3]
    least, left = need / UNIT, 0
    for k in range(L):
        x, y = (work.values[i + k] - low_i) * per_i, (work.values[j + k] - low_j) * per_j
        told = x >= 0.0 and y >= 0.0 and x < rows and y < columns
        if not (told and scene.clear[first + int(x) * columns + int(y)] > least):
            left |= 1 << k
    return left & mask
