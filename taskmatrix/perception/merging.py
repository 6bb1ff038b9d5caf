"""Cells of one state as few boxes, in compiled code: block by block, and only those blocks that have changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.occupancy import FREE, OCCUPIED, UNKNOWN

from .carving import CELLS, NEVER, SIDE, Grid
from .compiled import bare, compiled

MIXED = 3  # what a block is that is not all of one state
MOST = CELLS // 2  # boxes of a block

Corners = NDArray[np.int32]


@bare
def state_of(cell: int) -> int:
    """The state of a cell, by its log odds."""
    if cell == NEVER:
        return UNKNOWN
    return OCCUPIED if cell > 0 else FREE


@bare
def kind_of(grid: Grid, block: int) -> int:
    """The state of all cells of a block, or :data:`MIXED`."""
    first = state_of(grid.cells[block, 0])
    for cell in range(1, CELLS):
        if state_of(grid.cells[block, cell]) != first:
            return MIXED
    return first


@compiled
def merge(grid: Grid, block: int, state: int, ground: int, boxes: Corners, count: int) -> int:
    """Add the boxes of a block's cells of a state, above the ground, to ``boxes``; returns how many there are then.

    From each cell that is left a box grows along z, then y, then x, as far as all cells are of the state.
    """
    left = np.empty((SIDE, SIDE, SIDE), np.bool_)
    base = grid.places[block] * SIDE
    for x in range(SIDE):
        for y in range(SIDE):
            for z in range(SIDE):
                left[x, y, z] = base[2] + z >= ground and state_of(grid.cells[block, (x << 6) | (y << 3) | z]) == state
    for x in range(SIDE):
        for y in range(SIDE):
            for z in range(SIDE):
                if left[x, y, z]:
                    i, j, k = grown(left, x, y, z)
                    boxes[count, 0], boxes[count, 1], boxes[count, 2] = base[0] + x, base[1] + y, base[2] + z
                    boxes[count, 3], boxes[count, 4], boxes[count, 5] = base[0] + i, base[1] + j, base[2] + k
                    count += 1
    return count


@bare
def is_unknown(grid: Grid, block: int) -> bool:
    """Whether no cell of a block is known."""
    cell = 0
    while cell < CELLS and grid.cells[block, cell] == NEVER:
        cell += 1
    return cell == CELLS


@bare
def grown(left: NDArray[np.bool_], x: int, y: int, z: int) -> tuple[int, int, int]:
    """The end of the box that grows from a cell; it is taken off what is left."""
    i, j, k = x + 1, y + 1, z + 1
    while k < left.shape[2] and left[x, y, k]:
        k += 1
    fits = True
    while fits and j < left.shape[1]:
        for c in range(z, k):
            fits &= left[x, j, c]
        j += fits
    fits = True
    while fits and i < left.shape[0]:
        for b in range(y, j):
            for c in range(z, k):
                fits &= left[i, b, c]
        i += fits
    for a in range(x, i):
        for b in range(y, j):
            for c in range(z, k):
                left[a, b, c] = False
    return i, j, k


@compiled
def merge_all(
    grid: Grid,
    order: NDArray[np.int64],
    again: NDArray[np.bool_],
    state: int,
    ground: int,
    old: Corners,
    begins: NDArray[np.int64],
    boxes: Corners,
) -> int:
    """Boxes of all mixed blocks, and of those that are all of a state unless that is unknown: these are merged later.

    Args:
        grid: The blocks.
        order: (n,) Blocks, in the order of their boxes.
        again: (blocks,) Which have to be looked at again; the others have the boxes that they had.
        state: Of the cells.
        ground: Lowest cells to count, along z.
        old: (k, 6) [cells] Lower and upper corners of the boxes as they were.
        begins: (blocks, 2) Where a block's boxes begin and end in ``old``, and then in ``boxes``.
        boxes: (m, 6) Filled.

    Returns:
        How many boxes there are.
    """
    count = 0
    for n in range(order.shape[0]):
        block = order[n]
        begin = count
        if again[block]:
            kind = kind_of(grid, block)
            if kind == MIXED or (kind == state and state != UNKNOWN):
                count = merge(grid, block, state, ground, boxes, count)
        else:
            for k in range(begins[block, 0], begins[block, 1]):
                for c in range(6):
                    boxes[count, c] = old[k, c]
                count += 1
        begins[block, 0], begins[block, 1] = begin, count
    return count


@compiled
def unknown_blocks(grid: Grid, ground: int) -> NDArray[np.bool_]:
    """(x, y, z) Which places of the index have no known cell above the ground."""
    wide, deep, tall = grid.table.shape
    found = np.empty((wide, deep, tall), np.bool_)
    for i in range(wide):
        for j in range(deep):
            for k in range(tall):
                block = grid.table[i, j, k]
                above = (grid.corner[2] + k + 1) * SIDE > ground
                found[i, j, k] = above and (block < 0 or is_unknown(grid, block))
    return found


@compiled
def merge_blocks(left: NDArray[np.bool_], corner: NDArray[np.int64], ground: int) -> Corners:
    """(k, 6) [cells] Boxes of whole blocks."""
    boxes = np.empty((left.sum(), 6), np.int32)
    count = 0
    for x in range(left.shape[0]):
        for y in range(left.shape[1]):
            for z in range(left.shape[2]):
                if left[x, y, z]:
                    i, j, k = grown(left, x, y, z)
                    boxes[count, 0], boxes[count, 3] = (corner[0] + x) * SIDE, (corner[0] + i) * SIDE
                    boxes[count, 1], boxes[count, 4] = (corner[1] + y) * SIDE, (corner[1] + j) * SIDE
                    boxes[count, 2], boxes[count, 5] = max((corner[2] + z) * SIDE, ground), (corner[2] + k) * SIDE
                    count += 1
    return boxes[:count]
