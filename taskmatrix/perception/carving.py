"""Depth images into cells of space, in compiled code.

The cells that a ray ends in are occupied. Which are free is not found ray by ray, as OctoMap does it, but cell by cell:
a cell is free if all the rays through it go through it. Blocks of 512 cells are decided at once where the image is
further than all of the block, by a pyramid of the image's nearest and furthest depths; only near surfaces are cells
asked one by one, and only there rays. What is partly hidden stays as it was.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from .compiled import bare, compiled

SIDE = 8  # cells of a block along each axis
CELLS = SIDE**3
STEP = 0.05  # [-] of log odds, in which cells count
NEVER = -128  # of a cell that nobody has seen
HIT, IGNORED, EXPLAINED = 0, 1, 2  # kinds of pixels: something new, the robot itself, something that is modelled
ENDED, KNOWN = 1, 2  # marks of cells within one image: a ray ends there, at something new or at something modelled
EDGE = 2  # [cells] Cubes of this size that are partly beside the image are not looked at any closer
FEWEST = 2  # pixels around one that was not measured, by which it counts as far as the nearest of them


class Grid(NamedTuple):
    """Blocks of cells, and where in space they are."""

    table: NDArray[np.int32]
    """(x, y, z) Number of the block at each place, -1 where there is none yet."""
    corner: NDArray[np.int64]
    """(3,) Which block of space the first place is."""
    cells: NDArray[np.int8]
    """(blocks, CELLS) [STEP] Log odds of occupancy; x slowest, z fastest."""
    marks: NDArray[np.uint8]
    """(blocks, CELLS) What an image has said of a cell so far; zero between images."""
    places: NDArray[np.int32]
    """(blocks, 3) Which block of space each is."""
    dirty: NDArray[np.bool_]
    """(blocks,) Which have cells that became free, occupied or known since this was last cleared."""
    settled: NDArray[np.bool_]
    """(blocks,) Which are certainly free all over: to see that again changes nothing."""
    counts: NDArray[np.int64]
    """(2,) How many blocks there are, and how many cells became another."""


class Odds(NamedTuple):
    """How an observation counts, in steps of log odds."""

    hit: int
    """For each image that shows something in a cell."""
    miss: int
    """For each that looks through it; negative."""
    least: int
    """A cell is never more certainly free."""
    most: int
    """Nor more certainly occupied."""


class Pyramid(NamedTuple):
    """Nearest and furthest depths of squares of pixels: 1, 2, 4, ... to a side."""

    nearest: NDArray[np.float32]
    """(p,) [m] Level after level."""
    furthest: NDArray[np.float32]
    """(p,) [m]"""
    sizes: NDArray[np.int64]
    """(levels, 3) Rows, columns, and where the level begins."""


@bare
def around(depth: NDArray[np.float32], r: int, c: int) -> float:
    """[m] The nearest that pixels next to one show; 0 where next to none of them was measured."""
    height, width = depth.shape
    nearest, count = np.float32(np.inf), 0
    for i in range(max(r - 1, 0), min(r + 2, height)):
        for j in range(max(c - 1, 0), min(c + 2, width)):
            if depth[i, j] == depth[i, j]:
                nearest = min(nearest, depth[i, j])
                count += 1
    return float(nearest) if count >= FEWEST else 0.0


@compiled
def pyramid(depth: NDArray[np.float32], far: float) -> Pyramid:
    """Of an image (h, w) [m]; nothing within range counts as ``far``, what was not measured as :func:`around` it."""
    height, width = depth.shape
    levels, rows, columns, total = 1, height, width, height * width
    while rows > 1 or columns > 1:
        rows, columns = (rows + 1) // 2, (columns + 1) // 2
        total += rows * columns
        levels += 1
    nearest, furthest = np.empty(total, np.float32), np.empty(total, np.float32)
    sizes = np.zeros((levels, 3), np.int64)
    sizes[0, 0], sizes[0, 1] = height, width
    for r in range(height):
        for c in range(width):
            value = depth[r, c] if depth[r, c] == depth[r, c] else around(depth, r, c)
            nearest[r * width + c] = furthest[r * width + c] = min(value, np.float32(far))
    for level in range(1, levels):
        rows, columns, begin = sizes[level - 1]
        here = begin + rows * columns
        sizes[level, 0], sizes[level, 1], sizes[level, 2] = (rows + 1) // 2, (columns + 1) // 2, here
        for r in range((rows + 1) // 2):
            for c in range((columns + 1) // 2):
                low, high = np.float32(np.inf), np.float32(0.0)
                for i in range(2 * r, min(2 * r + 2, rows)):
                    for j in range(2 * c, min(2 * c + 2, columns)):
                        low = min(low, nearest[begin + i * columns + j])
                        high = max(high, furthest[begin + i * columns + j])
                nearest[here], furthest[here] = low, high
                here += 1
    return Pyramid(nearest, furthest, sizes)


@bare
def extremes(levels: Pyramid, top: int, bottom: int, left: int, right: int) -> tuple[float, float]:
    """[m] Bounds of the nearest and the furthest depth in a window of pixels, its last row and column included."""
    level = 0
    while (bottom >> level) - (top >> level) > 2 or (right >> level) - (left >> level) > 2:
        level += 1
    columns, begin = levels.sizes[level, 1], levels.sizes[level, 2]
    low, high = np.float32(np.inf), np.float32(0.0)
    for r in range(top >> level, (bottom >> level) + 1):
        for c in range(left >> level, (right >> level) + 1):
            low = min(low, levels.nearest[begin + r * columns + c])
            high = max(high, levels.furthest[begin + r * columns + c])
    return float(low), float(high)


@bare
def block_at(grid: Grid, x: int, y: int, z: int) -> int:
    """The number of a block of space, which is there from now on."""
    i, j, k = x - grid.corner[0], y - grid.corner[1], z - grid.corner[2]
    block = grid.table[i, j, k]
    if block < 0:
        block = grid.counts[0]
        grid.counts[0] += 1
        grid.table[i, j, k] = block
        grid.places[block, 0], grid.places[block, 1], grid.places[block, 2] = x, y, z
    return int(block)


@bare
def change(grid: Grid, odds: Odds, block: int, cell: int, occupied: bool) -> None:
    """Let a cell have been seen occupied, or free."""
    before = int(grid.cells[block, cell])
    known = 0 if before == NEVER else before
    after = min(known + odds.hit, odds.most) if occupied else max(known + odds.miss, odds.least)
    grid.cells[block, cell] = after
    if before == NEVER or (before > 0) != (after > 0):
        grid.dirty[block] = True
        grid.counts[1] += 1
    if occupied:
        grid.settled[block] = False


@compiled
def insert(
    grid: Grid,
    odds: Odds,
    resolution: float,
    depth: NDArray[np.float32],
    kinds: NDArray[np.uint8],
    X: Array,
    tangent: float,
    near: float,
    far: float,
) -> None:
    """Insert an image; the grid has room for all blocks that it may reach.

    Args:
        grid: Changed.
        odds: How much an image counts.
        resolution: [m] Side of a cell.
        depth: (h, w) [m] Along the viewing direction.
        kinds: (h, w) What pixels show: :data:`HIT`, :data:`IGNORED` or :data:`EXPLAINED`.
        X: (4, 4) Pose of the camera: it looks along x, y is up.
        tangent: Of half the vertical field of view.
        near: [m] Nearest that is measured.
        far: [m] Furthest.
    """
    height, width = depth.shape
    ended = np.empty((height * width, 2), np.int64)
    count = 0
    for wanted in (HIT, EXPLAINED):
        before = 1 << 40, 0, 0
        for r in range(height):
            up = (1 - (r + 0.5) * 2 / height) * tangent
            for c in range(width):
                d = float(depth[r, c])
                if kinds[r, c] != wanted or not (near <= d <= far):
                    continue
                right = ((c + 0.5) * 2 / width - 1) * tangent * width / height
                x = math.floor((X[0, 3] + d * (X[0, 0] + up * X[0, 1] + right * X[0, 2])) / resolution)
                y = math.floor((X[1, 3] + d * (X[1, 0] + up * X[1, 1] + right * X[1, 2])) / resolution)
                z = math.floor((X[2, 3] + d * (X[2, 0] + up * X[2, 1] + right * X[2, 2])) / resolution)
                if x == before[0] and y == before[1] and z == before[2]:
                    continue
                before = x, y, z
                block = block_at(grid, x >> 3, y >> 3, z >> 3)
                cell = ((x & 7) << 6) | ((y & 7) << 3) | (z & 7)
                if grid.marks[block, cell] == 0:
                    grid.marks[block, cell] = ENDED if wanted == HIT else KNOWN
                    ended[count, 0], ended[count, 1] = block, cell
                    count += 1
    carve(grid, odds, resolution, pyramid(depth, far), depth, X, tangent, near, far)
    for k in range(count):
        block, cell = ended[k, 0], ended[k, 1]
        change(grid, odds, block, cell, grid.marks[block, cell] == ENDED)
        grid.marks[block, cell] = 0


@compiled
def carve(
    grid: Grid,
    odds: Odds,
    resolution: float,
    levels: Pyramid,
    depth: NDArray[np.float32],
    X: Array,
    tangent: float,
    near: float,
    far: float,
) -> None:
    """Let all cells without a mark that the image looks through have been seen free."""
    height, width = depth.shape
    low, high = X[:3, 3].copy(), X[:3, 3].copy()
    aside = tangent * width / height
    for k in range(4):
        up, right = (2.0 * (k & 1) - 1) * tangent, (2.0 * (k >> 1) - 1) * aside
        for axis in range(3):
            corner = X[axis, 3] + far * (X[axis, 0] + up * X[axis, 1] + right * X[axis, 2])
            low[axis], high[axis] = min(low[axis], corner), max(high[axis], corner)
    stack = np.empty((64, 4), np.int64)
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    for axis in range(3):
        first[axis] = int(np.floor(low[axis] / (resolution * SIDE)))
        last[axis] = int(np.floor(high[axis] / (resolution * SIDE)))
    for x in range(first[0], last[0] + 1):
        for y in range(first[1], last[1] + 1):
            for z in range(first[2], last[2] + 1):
                top = 1
                stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = x * SIDE, y * SIDE, z * SIDE, SIDE
                while top > 0:
                    top -= 1
                    i, j, k, size = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
                    seen = look(resolution, levels, depth, X, tangent, near, far, i, j, k, size)
                    if seen == 1:
                        clear(grid, odds, i, j, k, size)
                    elif seen == 2:
                        half = size // 2
                        for part in range(8):
                            stack[top, 0] = i + half * (part & 1)
                            stack[top, 1] = j + half * (part >> 1 & 1)
                            stack[top, 2] = k + half * (part >> 2)
                            stack[top, 3] = half
                            top += 1


@bare
def look(
    resolution: float,
    levels: Pyramid,
    depth: NDArray[np.float32],
    X: Array,
    tangent: float,
    near: float,
    far: float,
    i: int,
    j: int,
    k: int,
    size: int,
) -> int:
    """Whether an image looks through a cube of cells: 0 no, or not all of it, 1 yes, 2 ask its parts."""
    height, width = depth.shape
    half = 0.5 * size * resolution
    x, y, z = i * resolution + half - X[0, 3], j * resolution + half - X[1, 3], k * resolution + half - X[2, 3]
    ahead = x * X[0, 0] + y * X[1, 0] + z * X[2, 0]
    up = x * X[0, 1] + y * X[1, 1] + z * X[2, 1]
    right = x * X[0, 2] + y * X[1, 2] + z * X[2, 2]
    around = half * (abs(X[0, 0]) + abs(X[1, 0]) + abs(X[2, 0]))
    closest, furthest = ahead - around, ahead + around
    if furthest < near or closest > far:
        return 0
    if closest < near:
        return 2 if size > 1 else 0
    tall = half * (abs(X[0, 1]) + abs(X[1, 1]) + abs(X[2, 1]))
    wide = half * (abs(X[0, 2]) + abs(X[1, 2]) + abs(X[2, 2]))
    scale = height / (2 * tangent)
    highest = up + tall
    lowest = up - tall
    top = height / 2 - scale * (highest / closest if highest > 0 else highest / furthest)
    bottom = height / 2 - scale * (lowest / closest if lowest < 0 else lowest / furthest)
    rightmost, leftmost = right + wide, right - wide
    begin = width / 2 + scale * (leftmost / closest if leftmost < 0 else leftmost / furthest)
    end = width / 2 + scale * (rightmost / closest if rightmost > 0 else rightmost / furthest)
    if bottom < 0 or top >= height or end < 0 or begin >= width:
        return 0
    inside = top >= 0 and bottom < height and begin >= 0 and end < width
    r0, r1 = int(max(top, 0.0)), int(min(bottom, height - 1.0))
    c0, c1 = int(max(begin, 0.0)), int(min(end, width - 1.0))
    low, high = extremes(levels, r0, r1, c0, c1)
    if high < closest:
        return 0
    if not inside:
        return 2 if size > EDGE else 0
    if low >= furthest:
        return 1
    if size > 1:
        return 2
    for r in range(r0, r1 + 1):
        for c in range(c0, c1 + 1):
            d = levels.nearest[r * width + c]
            if d < furthest and not passes(resolution, X, tangent, r, c, height, width, d, i, j, k):
                return 0
    return 1


@bare
def passes(
    resolution: float,
    X: Array,
    tangent: float,
    r: int,
    c: int,
    height: int,
    width: int,
    d: float,
    i: int,
    j: int,
    k: int,
) -> bool:
    """Whether the ray of a pixel of depth ``d`` [m] goes all through a cell, or past it."""
    up = (1 - (r + 0.5) * 2 / height) * tangent
    right = ((c + 0.5) * 2 / width - 1) * tangent * width / height
    enters, leaves = 0.0, 1e9
    for axis in range(3):
        cell = i if axis == 0 else (j if axis == 1 else k)
        low = cell * resolution - X[axis, 3]
        along = X[axis, 0] + up * X[axis, 1] + right * X[axis, 2]
        if abs(along) < 1e-12:
            if low > 0 or low + resolution < 0:
                return True
            continue
        one, other = low / along, (low + resolution) / along
        enters, leaves = max(enters, min(one, other)), min(leaves, max(one, other))
    return enters >= leaves or d >= leaves


@bare
def clear(grid: Grid, odds: Odds, i: int, j: int, k: int, size: int) -> None:
    """Let a cube of cells have been seen free, but for those with a mark."""
    block = block_at(grid, i >> 3, j >> 3, k >> 3)
    if grid.settled[block]:
        return
    if size < SIDE:
        for x in range(i & 7, (i & 7) + size):
            for y in range(j & 7, (j & 7) + size):
                for z in range(k & 7, (k & 7) + size):
                    cell = (x << 6) | (y << 3) | z
                    if grid.marks[block, cell] == 0:
                        change(grid, odds, block, cell, False)
        return
    settled = True
    for cell in range(CELLS):
        if grid.marks[block, cell] == 0:
            change(grid, odds, block, cell, False)
        settled &= grid.cells[block, cell] == odds.least
    grid.settled[block] = settled
