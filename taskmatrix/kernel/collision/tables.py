"""Finds the pairs of a robot's bodies that are always close, and measures the tables of those that two joints move."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.base.cache import Arrays, kept_arrays
from taskmatrix.core.world.objects import Array

from ..jit.simd import LANES
from .grids import UNIT, Tables
from .hulls import SURE
from .kernel import Kernel
from .scene import FIXED, FRAME
from .solid import Skeleton, Solid
from .swept import announce_measuring

VERSION = 5  # of what is measured
CLOSE = 0.05  # [m] pairs that are mostly nearer than this have tables
SAMPLES = 256  # configurations by which that is judged
CELLS = 16384  # of a table, at most
LEAST = 1e-3  # [m] motions that are not worth a finer cell
BEYOND = 1e-3  # [rad, m] that a table goes on beyond the limits of a joint
ROUND = 1e-5  # [rad, m] by which a position may seem to be in the next cell


def tables(
    model: pin.Model, geometry: pin.GeometryModel, known: Sequence[Solid] = (), skeleton: Skeleton | None = None
) -> Tables:
    """Tables of a geometry model's pairs, as they were measured before or as they are measured now.

    Certain at every position of a cell is what is measured in its middle, less what the bodies move from there. The
    hulls are measured by the kernel, and where they overlap coal measures the bodies as they are.

    Args:
        model: Joints of one coordinate each.
        geometry: Bodies and pairs; none of the bodies may be put elsewhere later.
        known: The first bodies as solids, if they are known.
        skeleton: That of the model, if it is known.
    """
    kernel = Kernel(model, geometry, (), known, skeleton)
    limits = np.clip(
        [model.lowerPositionLimit - BEYOND, model.upperPositionLimit + BEYOND], -np.pi - BEYOND, np.pi + BEYOND
    )
    key = hashlib.sha256(repr((VERSION, CLOSE, SAMPLES, CELLS, LEAST, UNIT)).encode())
    for part in (*limits, *kernel.scene[:11]):
        key.update(np.ascontiguousarray(part).tobytes())
    for item in geometry.geometryObjects:
        _tell_apart(item.geometry, key)

    def measure() -> Arrays:
        announce_measuring()
        return asdict(_measured(kernel, geometry, *limits))

    return Tables(**kept_arrays("tables", key.hexdigest()[:24], measure))


def _tell_apart(body: coal.CollisionGeometry, key: hashlib._Hash) -> None:
    """Add to a key what tells a body from others with the same hulls."""
    key.update(type(body).__name__.encode())
    if isinstance(body, coal.BVHModelBase):
        whole = (body.num_tris, body.computeVolume(), *np.ravel(body.computeMomentofInertia()).tolist())
        key.update(np.asarray(body.vertices()).tobytes() + repr(whole).encode())


def _measured(kernel: Kernel, geometry: pin.GeometryModel, lower: Array, upper: Array) -> Tables:
    scene, exactly = kernel.scene, _Distances(kernel.model, geometry)
    joints = [_between(kernel, pair) for pair in range(len(scene.pairs))]
    few = [pair for pair, frames in enumerate(joints) if 0 < len(frames) <= 2]
    kernel.set_margins(np.full(len(joints), CLOSE))
    chosen, clear, grids, cells = _always_close(kernel, few, lower, upper), [], [], []
    size = 0
    for pair in chosen:
        frames = [*joints[pair], (0, 0.0)][:2]
        low, high = (
            np.array([limit[kernel.coordinate(f)] if f else 0.0 for f, _ in frames]) for limit in (lower, upper)
        )
        ways = (high - low) * np.array([reach for _, reach in frames])
        moving = ways > 0
        motion = max(LEAST, float(0.5 * (ways[moving].prod() / CELLS) ** (1 / moving.sum())))
        counts = np.maximum(1, np.ceil(ways / (2 * motion))).astype(np.int64)
        Q = _middles(kernel, [f for f, _ in frames], low, high, counts)
        moves = float(((high - low) / counts / 2 + ROUND) @ np.array([reach for _, reach in frames]))
        sure = _apart(kernel, pair, Q) - moves
        for cell in np.flatnonzero(sure < UNIT):
            sure[cell] = max(sure[cell], exactly.of(pair, Q[cell]) - SURE - moves)
        clear.append(np.clip(np.floor(sure / UNIT), 0, 255).astype(np.uint8))
        grids.append([frames[0][0], frames[1][0], *counts, size])
        spans = np.where(moving, high - low, 1.0)
        cells.append(np.stack([low, counts / spans], axis=1).ravel())
        size += clear[-1].size
    if not chosen:
        return Tables.empty()
    return Tables(scene.pairs[chosen], np.array(grids, dtype=np.int64), np.array(cells), np.concatenate(clear))


def _between(kernel: Kernel, pair: int) -> list[tuple[int, float]]:
    """Frames of the joints between the bodies of a pair, and how far one of the bodies moves with each at most."""
    scene = kernel.scene
    found = []
    for body in scene.pairs[pair].tolist():
        frame = int(scene.bodies[body, FRAME])
        while frame != scene.carriers[pair]:
            if scene.kind[frame] != FIXED:
                found.append((frame, float(scene.reach[body, frame])))
            frame = int(scene.parent[frame])
    return found


def _always_close(kernel: Kernel, pairs: Sequence[int], lower: Array, upper: Array) -> list[int]:
    """Those of some pairs that are close in most configurations."""
    kernel.active[:] = False
    kernel.active[list(pairs)] = True
    Q = np.random.default_rng(0).uniform(lower, upper, (SAMPLES, len(lower)))
    often = np.bincount(kernel.doubts(Q)[:, 1], minlength=len(kernel.active))
    return [pair for pair in pairs if 2 * often[pair] > SAMPLES]


def _middles(kernel: Kernel, frames: Sequence[int], low: Array, high: Array, counts: NDArray[np.int64]) -> Array:
    """(c, nq) Configurations in the middles of the cells of a grid over the joints of two frames."""
    middles = [low[k] + (np.arange(counts[k]) + 0.5) * (high[k] - low[k]) / counts[k] for k in range(2)]
    values = np.meshgrid(*middles, indexing="ij")
    Q = np.zeros((values[0].size, kernel.model.nq))
    for frame, of_frame in zip(frames, values, strict=True):
        if frame:
            Q[:, kernel.coordinate(frame)] = of_frame.ravel()
    return Q


def _apart(kernel: Kernel, pair: int, Q: Array) -> Array:
    """(c,) [m] How far apart the hulls of a pair are at least at positions (c, nq); no more than :data:`CLOSE`."""
    kernel.active[:] = False
    kernel.active[pair] = True
    return np.concatenate([kernel.separations(Q[k : k + LANES], CLOSE) for k in range(0, len(Q), LANES)])


class _Distances:
    """Distances by coal, of the bodies as they are."""

    def __init__(self, model: pin.Model, geometry: pin.GeometryModel) -> None:
        self._model, self._data = model, model.createData()
        self._geometry, self._geometry_data = geometry, geometry.createData()

    def of(self, pair: int, q: Array) -> float:
        """[m] Of a pair at positions (nq,); negative or zero if the bodies touch."""
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)
        return float(pin.computeDistance(self._geometry, self._geometry_data, pair).min_distance)
