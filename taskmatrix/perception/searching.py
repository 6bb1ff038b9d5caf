"""Looking things up in the cells of a map, in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import OCCUPIED, UNKNOWN, States

from .carving import NEVER, Grid, block_at
from .compiled import bare, compiled
from .merging import state_of

STRIDE = 0.5  # [cells] between the places of a line that are looked at


@bare
def state_at(grid: Grid, x: int, y: int, z: int) -> int:
    """The state of a cell of space."""
    i, j, k = (x >> 3) - grid.corner[0], (y >> 3) - grid.corner[1], (z >> 3) - grid.corner[2]
    shape = grid.table.shape
    if i < 0 or j < 0 or k < 0 or i >= shape[0] or j >= shape[1] or k >= shape[2]:
        return UNKNOWN
    block = grid.table[i, j, k]
    if block < 0:
        return UNKNOWN
    return int(state_of(grid.cells[block, ((x & 7) << 6) | ((y & 7) << 3) | (z & 7)]))


@bare
def fill_window(grid: Grid, first: NDArray[np.int64], states: States) -> None:
    """The states of the cells from ``first`` (3,) on, into ``states`` (x, y, z)."""
    for x in range(states.shape[0]):
        for y in range(states.shape[1]):
            for z in range(states.shape[2]):
                states[x, y, z] = state_at(grid, first[0] + x, first[1] + y, first[2] + z)


@bare
def measure_unknown(grid: Grid, resolution: float, start: Array, end: Array, found: Array) -> None:
    """How much [m] of lines (k, 3) to (k, 3) is unknown up to the first occupied cell, into ``found`` (k,)."""
    for n in range(found.shape[0]):
        dx, dy, dz = end[n, 0] - start[n, 0], end[n, 1] - start[n, 1], end[n, 2] - start[n, 2]
        length = np.sqrt(dx * dx + dy * dy + dz * dz)
        steps = int(length / (STRIDE * resolution)) + 1
        total = 0
        for step in range(steps):
            t = (step + 0.5) / steps
            x = int(np.floor((start[n, 0] + t * dx) / resolution))
            y = int(np.floor((start[n, 1] + t * dy) / resolution))
            z = int(np.floor((start[n, 2] + t * dz) / resolution))
            state = state_at(grid, x, y, z)
            if state == OCCUPIED:
                break
            total += state == UNKNOWN
        found[n] = total * length / steps


@compiled
def release(grid: Grid, value: int, resolution: float, X: Array, half: Array, round: bool) -> None:
    """Give the unknown cells that have their centre in a box a value; see :meth:`Octree.release`."""
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    for axis in range(3):
        reach = abs(X[axis, 0]) * half[0] + abs(X[axis, 1]) * half[1] + abs(X[axis, 2]) * half[2]
        first[axis] = int(np.floor((X[axis, 3] - reach) / resolution))
        last[axis] = int(np.floor((X[axis, 3] + reach) / resolution))
    for x in range(first[0], last[0] + 1):
        for y in range(first[1], last[1] + 1):
            for z in range(first[2], last[2] + 1):
                px, py, pz = (x + 0.5) * resolution - X[0, 3], (y + 0.5) * resolution - X[1, 3], 0.0
                pz = (z + 0.5) * resolution - X[2, 3]
                inside, square = True, 0.0
                for axis in range(3):
                    along = abs(px * X[0, axis] + py * X[1, axis] + pz * X[2, axis]) / half[axis]
                    inside &= along <= 1.0
                    square += along * along if axis < 2 else 0.0
                if round:
                    inside &= square <= 1.0
                if not inside:
                    continue
                block = block_at(grid, x >> 3, y >> 3, z >> 3)
                cell = ((x & 7) << 6) | ((y & 7) << 3) | (z & 7)
                if grid.cells[block, cell] == NEVER:
                    grid.cells[block, cell] = value
                    grid.dirty[block] = True
                    grid.counts[1] += 1
