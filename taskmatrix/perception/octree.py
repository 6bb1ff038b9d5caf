"""A map of space as depth images show it: occupied, free and unknown cells (thesis 4.3.6, 5.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.base.compilation import CompileProgress, Report, counted, log_progress
from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import FREE, OCCUPIED, UNKNOWN, Boxes, States

from .carving import CELLS, NEVER, SIDE, STEP, Grid, Odds, insert
from .compiled import CODE
from .merging import MOST, merge_all, merge_blocks, unknown_blocks
from .searching import fill_window, measure_unknown, release

T = TypeVar("T", bound=np.generic)

DONE = "complete"  # file in the cache folder when all is there
AROUND = 30.0  # [m] of unknown space around what was looked at
LARGEST = 2**26  # places of the index
ROOM = 4  # blocks by which the index grows beyond what has to be in it


@dataclass(frozen=True)
class OccupancyOdds:
    """How observations count, in log odds; the figures of OctoMap (Hornung et al. 2013), but for the limits.

    With these two images that look through a cell undo one that saw something there, and five what was seen for long.

    Raises:
        ParameterError: What should be positive is not, or the other way round.
    """

    hit: float = 0.85
    """For each image that shows something in a cell."""
    miss: float = -0.4
    """For each image that looks through it."""
    least: float = -2.0
    """A cell is never more certainly free."""
    most: float = 2.0
    """Nor more certainly occupied."""

    def __post_init__(self) -> None:
        largest = 126 * STEP
        if not (0 < self.hit <= self.most <= largest and -largest <= self.least <= self.miss < 0):
            raise ParameterError(
                f"log odds have to be {-largest:.1f} <= least <= miss < 0 < hit <= most <= {largest:.1f}, not {self}"
            )

    @property
    def in_steps(self) -> Odds:
        """The odds in the whole steps in which cells count."""
        hit, miss, least, most = (round(value / STEP) for value in (self.hit, self.miss, self.least, self.most))
        return Odds(max(hit, 1), min(miss, -1), least, most)


class Octree:
    """Occupancy of space in log odds, stored in blocks of 8 x 8 x 8 cells; implements the core's ``Occupancy``.

    The blocks are the leaves of the tree; above them is one flat index, which grows with what is looked at. What an
    image looks through becomes free, what it shows becomes occupied, and what was occupied and is seen to be empty
    becomes free again.

    Args:
        resolution: [m] Side of a cell.
        ground: [m] Height below which nothing counts as an obstacle: the floor is no object, and is seen with noise.
        odds: How observations count.

    Raises:
        ParameterError: The resolution is not above zero, or the ground no number.
    """

    def __init__(self, resolution: float = 0.02, ground: float = 0.02, odds: OccupancyOdds | None = None) -> None:
        if not 0.0 < resolution < np.inf:
            raise ParameterError(f"the resolution of a map must be above zero, not {resolution} m")
        if not np.isfinite(ground):
            raise ParameterError(f"the ground of a map must be a height, not {ground} m")
        compile_ahead()
        self._resolution = resolution
        self._ground = int(np.ceil(ground / resolution - 1e-6))
        self._odds = (odds or OccupancyOdds()).in_steps
        self._grid = _empty(64)
        self._ordered: NDArray[np.int64] | None = None
        self._merged = {state: _Merged() for state in (OCCUPIED, UNKNOWN)}

    @property
    def resolution(self) -> float:
        """[m] Side of a cell."""
        return self._resolution

    @property
    def ground(self) -> float:
        """[m] Height below which nothing counts as an obstacle."""
        return self._ground * self._resolution

    @property
    def version(self) -> int:
        """How many cells have become another so far."""
        return int(self._grid.counts[1])

    @property
    def blocks(self) -> int:
        """How many blocks of cells are stored."""
        return int(self._grid.counts[0])

    def insert(self, image: DepthImage, kinds: NDArray[np.uint8] | None = None) -> None:
        """Take over what an image shows.

        Args:
            image: Pixels that were not measured say nothing, but for single ones among others.
            kinds: (h, w) What pixels show, of :mod:`taskmatrix.perception.carving`; something new unless given.

        Raises:
            ParameterError: The kinds are not as many as the pixels, or the camera's pose is not one of finite numbers,
                or so far away that the map would be too large.
        """
        shape, X = image.depth.shape, np.ascontiguousarray(image.X_WC, dtype=float)
        kinds = np.zeros(shape, dtype=np.uint8) if kinds is None else np.ascontiguousarray(kinds, dtype=np.uint8)
        if kinds.shape != shape:
            raise ParameterError(f"kinds of pixels have to be an image {shape} as the depth is, not {kinds.shape}")
        if X.shape != (4, 4) or not np.isfinite(X).all():
            raise ParameterError(f"the camera's pose must be a (4, 4) pose of finite numbers, not {X}")
        near, far = image.range
        aside = image.tangent * shape[1] / shape[0]
        rays = np.array([(1.0, u * image.tangent, s * aside) for u in (-1, 1) for s in (-1, 1)]) * far
        ends = np.vstack([X[:3, 3], rays @ X[:3, :3].T + X[:3, 3]])
        self._cover(ends.min(axis=0), ends.max(axis=0))
        depth = np.ascontiguousarray(image.depth, dtype=np.float32)
        insert(self._grid, self._odds, self._resolution, depth, kinds, X, image.tangent, near, far)

    def release(self, X_WB: Array, half: Array, round: bool = False) -> None:
        """Take the unknown cells in a box for free, as where the robot itself is; what is occupied stays so.

        Args:
            X_WB: (4, 4) Pose of the box's centre.
            half: (3,) [m] Half its size; cells with their centre in it count.
            round: Whether it is the cylinder in that box instead, along its z.
        """
        reach = np.abs(X_WB[:3, :3]) @ half
        self._cover(X_WB[:3, 3] - reach, X_WB[:3, 3] + reach)
        release(
            self._grid, self._odds.miss, self._resolution, np.ascontiguousarray(X_WB), np.asarray(half, float), round
        )

    def states(self, points: Array) -> States:
        """(k,) State of the cells that points (k, 3) [m] are in."""
        places = np.floor(np.asarray(points) / self._resolution).astype(np.int64)
        found = np.full(len(places), UNKNOWN, dtype=np.int8)
        shifted = (places >> 3) - self._grid.corner
        inside = np.flatnonzero(((shifted >= 0) & (shifted < self._grid.table.shape)).all(axis=1))
        blocks = self._grid.table[tuple(shifted[inside].T)]
        inside, blocks = inside[blocks >= 0], blocks[blocks >= 0]
        x, y, z = (places[inside] & 7).T
        cells = self._grid.cells[blocks, (x << 6) | (y << 3) | z]
        found[inside] = np.where(cells == NEVER, UNKNOWN, np.where(cells > 0, OCCUPIED, FREE))
        return found

    def window(self, low: Array, high: Array) -> tuple[Array, States]:
        """The cells of a box of space, and where the first begins, as an ``Occupancy`` has them."""
        first = np.floor(np.asarray(low) / self._resolution + 1e-9).astype(np.int64)
        size = np.maximum(np.ceil(np.asarray(high) / self._resolution - 1e-9).astype(np.int64) - first, 0)
        states = np.empty(size, dtype=np.int8)
        fill_window(self._grid, first, states)
        origin = np.asarray(first, dtype=float) * self._resolution
        return origin, states

    def unknown_along(self, start: Array, end: Array) -> Array:
        """(k,) [m] How much of each line (k, 3) to (k, 3) is unknown, up to the first occupied cell."""
        start, end = np.ascontiguousarray(start, dtype=float), np.ascontiguousarray(end, dtype=float)
        found = np.zeros(len(start))
        measure_unknown(self._grid, self._resolution, start, end, found)
        return found

    def boxes(self, state: int) -> Boxes:
        """All space of a state, OCCUPIED or UNKNOWN, above the ground; the same object as long as nothing changes.

        Raises:
            ParameterError: Another state.
        """
        if state not in self._merged:
            raise ParameterError(f"boxes are told of {OCCUPIED} (occupied) and {UNKNOWN} (unknown), not of {state}")
        merged = self._merged[state]
        if merged.version != self.version or merged.extent != self._extent():
            merged = self._merge(state, merged)
            self._merged[state] = merged
        return merged.boxes

    def _merge(self, state: int, before: _Merged) -> _Merged:
        grid, count = self._grid, self.blocks
        for other in self._merged.values():  # each state has blocks of its own to look at again
            other.stale = _longer(other.stale, count, True)
            other.stale |= grid.dirty[:count]
        grid.dirty[:count] = False
        order = self._order(count)
        begins = np.zeros((count, 2), dtype=np.int64)
        begins[: len(before.begins)] = before.begins
        room = len(before.corners) + MOST * int(np.count_nonzero(before.stale))
        corners = np.empty((room, 6), dtype=np.int32)
        found = merge_all(grid, order, before.stale, state, self._ground, before.corners, begins, corners)
        corners = corners[:found].copy()
        parts = [corners.astype(float) * self._resolution]
        if state == UNKNOWN:
            whole = merge_blocks(unknown_blocks(grid, self._ground), grid.corner, self._ground)
            parts += [whole.astype(float) * self._resolution, self._outside()]
        all_boxes = np.vstack(parts).astype(np.float32)
        boxes = Boxes(all_boxes[:, :3].copy(), all_boxes[:, 3:].copy())
        return _Merged(self.version, boxes, corners, begins, np.zeros(count, dtype=bool), self._extent())

    def _outside(self) -> Array:
        """(5, 6) [m] Boxes around all that the index covers, but for what is below the ground."""
        side, ground = SIDE * self._resolution, self.ground
        low = self._grid.corner * side
        high = low + np.array(self._grid.table.shape) * side
        low[2], high[2] = max(low[2], ground), max(high[2], ground)
        least, most = low - AROUND, high + AROUND
        boxes = [
            (*least[:2], ground, low[0], most[1], most[2]),
            (high[0], least[1], ground, *most),
            (low[0], least[1], ground, high[0], low[1], most[2]),
            (low[0], high[1], ground, high[0], most[1], most[2]),
            (low[0], low[1], high[2], high[0], high[1], most[2]),
            (low[0], low[1], ground, high[0], high[1], low[2]),
        ]
        found = np.array(boxes, dtype=float)
        return found[(found[:, 3:] > found[:, :3]).all(axis=1)]

    def _order(self, count: int) -> NDArray[np.int64]:
        """(count,) Blocks along a curve that fills space (Morton), so that neighbours mostly follow each other."""
        if self._ordered is not None and len(self._ordered) == count:
            return self._ordered
        places = self._grid.places[:count].astype(np.int64) - self._grid.corner
        key = np.zeros(count, dtype=np.int64)
        for bit in range(12):
            for axis in range(3):
                key |= (places[:, axis] >> bit & 1) << (3 * bit + 2 - axis)
        self._ordered = np.argsort(key)
        return self._ordered

    def _extent(self) -> tuple[int, ...]:
        return (*self._grid.corner.tolist(), *self._grid.table.shape)

    def _cover(self, low: Array, high: Array) -> None:
        """Have the index cover a box of space, and room for all its blocks."""
        grid, side = self._grid, SIDE * self._resolution
        first = np.floor(low / side - 1e-6).astype(np.int64)
        last = np.floor(high / side + 1e-6).astype(np.int64) + 1
        here, there = grid.corner, grid.corner + grid.table.shape
        if grid.table.size == 0:
            here, there = first, first
        if (first < here).any() or (last > there).any() or grid.table.size == 0:
            corner = np.where(first < here, first - ROOM, here)
            end = np.where(last > there, last + ROOM, there)
            if np.prod((end - corner).astype(float)) > LARGEST:
                extent = (end - corner) * side
                raise ParameterError(
                    f"the map would have to cover {extent[0]:.0f} x {extent[1]:.0f} x {extent[2]:.0f} m in cells of "
                    f"{self._resolution:g} m, which is too much; take larger cells, or another map for another place"
                )
            table = np.full(end - corner, -1, dtype=np.int32)
            x, y, z = grid.corner - corner
            i, j, k = grid.table.shape
            if grid.table.size:
                table[x : x + i, y : y + j, z : z + k] = grid.table
            grid = grid._replace(table=table, corner=corner)
            self._ordered = None
        wanted = int(grid.counts[0] + np.prod(last - first))
        if wanted > len(grid.cells):
            more = max(wanted, 2 * len(grid.cells))
            grid = grid._replace(
                cells=_longer(grid.cells, more, NEVER),
                marks=_longer(grid.marks, more, 0),
                places=_longer(grid.places, more, 0),
                dirty=_longer(grid.dirty, more, False),
                settled=_longer(grid.settled, more, False),
            )
        self._grid = grid


@dataclass(eq=False)
class _Merged:
    """Boxes of a state as they were found last."""

    version: int = -1
    boxes: Boxes = field(default_factory=Boxes.none)
    corners: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 6), dtype=np.int32))
    """(k, 6) [cells] Of the boxes of single blocks."""
    begins: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    """(blocks, 2) Where a block's boxes begin and end."""
    stale: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """(blocks,) Which changed since."""
    extent: tuple[int, ...] = ()
    """Of the index."""


def _longer(array: NDArray[T], count: int, fill: int) -> NDArray[T]:
    """The same array with more rows, all the same."""
    longer = np.full((max(count, len(array)), *array.shape[1:]), fill, dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _empty(blocks: int) -> Grid:
    return Grid(
        np.zeros((0, 0, 0), dtype=np.int32),
        np.zeros(3, dtype=np.int64),
        np.full((blocks, CELLS), NEVER, dtype=np.int8),
        np.zeros((blocks, CELLS), dtype=np.uint8),
        np.zeros((blocks, 3), dtype=np.int32),
        np.zeros(blocks, dtype=bool),
        np.zeros(blocks, dtype=bool),
        np.zeros(2, dtype=np.int64),
    )


_begun = False


def compile_ahead(report: Report | None = None) -> bool:
    """Have everything compiled by a small example, and not when the first image is waiting for it.

    Args:
        report: Is told how far it is, if there is something to compile; the log unless given.

    Returns:
        Whether it was compiled now; otherwise it was kept from another time.
    """
    global _begun  # noqa: PLW0603 - what is loaded is so for the whole process
    if _begun:
        return False
    _begun = True
    done = CODE.folder / DONE
    if done.exists():
        _load_all()
        return False
    tell, what = report or log_progress(), "the map of space, once for this version"
    tell(CompileProgress(what, 0, len(CODE.functions)))
    with counted(CODE.functions, lambda count: tell(CompileProgress(what, count, len(CODE.functions)))):
        _load_all()
    done.touch()
    return True


def _load_all() -> None:
    small = Octree()
    depth, labels = np.full((2, 2), 0.3, dtype=np.float32), np.zeros((2, 2), dtype=np.int16)
    small.insert(DepthImage(depth, labels, (), np.eye(4), 0.5, (0.2, 0.4), 0.0))
    small.release(np.eye(4), np.full(3, 0.05))
    small.window(np.zeros(3), np.full(3, 0.05))
    small.unknown_along(np.zeros((1, 3)), np.ones((1, 3)))
    for state in (OCCUPIED, UNKNOWN):
        small.boxes(state)
