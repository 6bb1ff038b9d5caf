"""The compiled collision checks of one geometry model."""

from __future__ import annotations

from collections.abc import Sequence

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.objects import Array

from .batch import batch
from .boxes import box_tree, merged
from .edges import edge, states
from .grids import Tables
from .lanes import LANES
from .poses import place
from .scene import (
    BALL,
    BLOCKS,
    CENTRE,
    FIRST,
    FIXED,
    FRAME,
    HALF,
    LEVELS,
    PRISMATIC,
    ROUNDING,
    SWEPT,
    TREE,
    Scene,
    Work,
    work_for,
)
from .skeleton import Skeleton, flat
from .suspects import suspects
from .swept import Hull, hulls

ADVANCE = 1e-3  # [m] deepest penetration that may be missed between the middles of the pieces of an edge
LONGEST_STROKE = 100.0  # [m] of a sliding joint without limits
LEAST = 0.02  # [m/rad] of a joint's displacement, so that none is free of cost

Hulls = tuple[Hull, Hull, Hull]


class Kernel:
    """Decides which configurations and edges are certainly free, and which pairs of bodies are in doubt elsewhere.

    Every body has the frame of its joint; loose ones have frames of their own in the world or in a hand, so that they
    can be put elsewhere. Pairs are those of the geometry model.

    Args:
        model: Joints of one coordinate each (``nq == nv``).
        geometry: Bodies and pairs.
        loose: Numbers of the bodies that may be put elsewhere.
        known: Hulls of the first bodies, if they are known.
        skeleton: That of the model, if it is known.
        tables: Of pairs of bodies that are not loose.
    """

    active: NDArray[np.bool_]
    """(p,) Pairs that are checked; may be written."""

    def __init__(
        self,
        model: pin.Model,
        geometry: pin.GeometryModel,
        loose: Sequence[int] = (),
        known: Sequence[Hulls] = (),
        skeleton: Skeleton | None = None,
        tables: Tables | None = None,
    ) -> None:
        self._model = model
        self._skeleton = skeleton = skeleton or Skeleton.of(model)
        tables = tables or Tables.empty()
        bodies = list(geometry.geometryObjects)
        own = [number for number, body in enumerate(bodies) if isinstance(body.geometry, coal.OcTree)]
        loose = [*loose, *(number for number in own if number not in loose)]  # boxes lie along the axes of their frame
        joints = np.array([body.parentJoint for body in bodies], dtype=np.int64)
        frames = joints.copy()
        frames[list(loose)] = model.njoints + np.arange(len(loose))
        self._frames = frames
        self._loose = frozenset(loose)
        shapes = [*known, *(hulls(body.geometry) for body in bodies[len(known) :])]
        table, sizes, points = self._shaped(bodies, shapes)
        nodes, corners, after, points = _trees(bodies, table, points)
        pairs = np.array([(pair.first, pair.second) for pair in geometry.collisionPairs], dtype=np.int64).reshape(-1, 2)
        swap = (joints[pairs[:, 0]] == 0) | np.isin(pairs[:, 0], own)  # trees are second, and what stands still
        pairs[swap] = pairs[swap][:, ::-1]
        held = joints[list(loose)]
        self.scene = Scene(
            np.concatenate([skeleton.parent, held]),
            np.concatenate([skeleton.kind, np.full(len(loose), FIXED)]),
            np.vstack([skeleton.placement, np.zeros((len(loose), 12))]).astype(np.float32),
            table,
            sizes.astype(np.float32),
            np.asfortranarray(points, dtype=np.float32),  # see extreme() of gjk.py
            nodes.astype(np.float32),
            corners,
            after,
            np.zeros((len(bodies), model.njoints + len(loose)), dtype=np.float32),
            np.ascontiguousarray(pairs),
            np.where(
                frames[pairs[:, 0]] == frames[pairs[:, 1]],
                frames[pairs[:, 0]],
                skeleton.carrier[joints[pairs[:, 0]], joints[pairs[:, 1]]],
            ),
            np.tile(np.array([0.0, ADVANCE], dtype=np.float32), (len(pairs), 1)),
            tables.numbers(pairs),
            tables.grids,
            tables.cells.astype(np.float32),
            tables.clear,
        )
        for number, body in enumerate(bodies):
            if number in self._loose:
                self.put(number, body.placement)
            else:
                self._measure_reach(number)
        self._work = work_for(self.scene)
        self._found = np.zeros((512, 2), dtype=np.int64)
        self.active = np.ones(len(pairs), dtype=bool)

    def put(self, body: int, placement: pin.SE3) -> None:
        """Put a loose body elsewhere.

        Args:
            body: Its number.
            placement: Of the body in its joint's frame; in the world, if that is joint 0.
        """
        frame = self._frames[body]
        above = int(self.scene.parent[frame])
        turn = self._skeleton.turns[above]
        self.scene.placement[frame] = flat(turn.T @ placement.rotation, turn.T @ placement.translation)
        if above:
            self._measure_reach(body)

    def set_margins(self, pairs: Sequence[int] | NDArray[np.intp], margins: Sequence[float] | Array) -> None:
        """Let pairs count as in contact when they are nearer than their margins (k,) [m].

        Between the middles of the pieces of an edge they may come nearer than that, but not into each other; pairs with
        a margin of less than a millimetre by a millimetre.
        """
        self.scene.margins[pairs, 0] = margins
        self.scene.margins[pairs, 1] = np.maximum(margins, ADVANCE)

    def doubtful(self, q: Array) -> NDArray[np.int64]:
        """(m,) Numbers of the pairs that may be nearer than their margins at positions q (nq,); all others are not."""
        _expect_finite(q)
        count = self._states(q[None])
        return np.unique(self._work.doubts[:count, 0].astype(np.int64))

    def doubtful_states(self, Q: Array) -> list[tuple[int, int]]:
        """(state, pair) of those that may be nearer than their margins at positions Q (m, nq)."""
        return [(state, pair) for state, pair in self.doubts(Q).tolist()]

    def doubts(self, Q: Array) -> NDArray[np.int64]:
        """(k, 2) Likewise, as an array, states in rising order."""
        _expect_finite(Q)
        Q = np.ascontiguousarray(Q, dtype=np.float64)
        while True:
            count = batch(self.scene, self._work, self.active, Q, self._skeleton.coordinates, self._found)
            if count <= len(self._found):
                found = self._found[:count]
                return found[np.argsort(found[:, 0], kind="stable")]
            self._work = work_for(self.scene, LANES * len(self.scene.pairs))
            self._found = np.zeros((2 * count, 2), dtype=np.int64)

    def separations(self, Q: Array, most: float) -> Array:
        """(m,) [m] How far apart the only active pair is at least at up to sixteen positions (m, nq); or ``most``."""
        (pair,) = np.flatnonzero(self.active)
        self.scene.margins[pair, 0] = most
        count = self._states(Q)
        apart = np.full(len(Q), most)
        lanes = self._work.doubts[:count, 1].astype(np.intp)
        apart[lanes] = self._work.separation[lanes]
        return apart

    def suspects(self, Q: Array) -> list[tuple[int, int]]:
        """(state, pair) for those of positions Q (m, nq) that are in doubt: the first pair in each."""
        _expect_finite(Q)
        found = []
        for first in range(0, len(Q), LANES):
            some = Q[first : first + LANES]
            self._put(some)
            count = suspects(self.scene, self._work, self.active, (1 << len(some)) - 1)
            found += [(first + int(lane), int(pair)) for pair, lane, _ in self._work.doubts[:count]]
        return found

    def doubtful_pieces(self, start: Array, end: Array, first: bool = False) -> list[tuple[int, float, float]]:
        """Pieces of an edge in which a pair may be too near: pair, the piece's middle and half its length, from 0 to 1.

        Args:
            start: (nq,) Positions.
            end: (nq,) Positions.
            first: Whether the first will do.
        """
        _expect_finite(start)
        _expect_finite(end)
        count = edge(self.scene, self._work, self.active, self._values(start), self._values(end - start), first)
        if count > len(self._work.doubts):
            self._work = work_for(self.scene, 2 * count)
            return self.doubtful_pieces(start, end, first)
        return [(int(pair), float(middle), float(half)) for pair, middle, half in self._work.doubts[:count]]

    def displacement(self) -> Array:
        """(nq,) [m/rad, m/m] How far any point of the robot, or of what it holds, moves at most with each joint."""
        furthest = np.zeros(self._model.nq)
        furthest[self._skeleton.coordinates] = self.scene.reach[:, 1 : self._model.njoints].max(axis=0)
        return np.maximum(furthest, LEAST)

    def frames(self, q: Array) -> Array:
        """(f, 12) The frames in the world at positions q (nq,): columns of the rotation, then the translation [m]."""
        _expect_finite(q)
        self._work.values.reshape(-1, LANES)[:, 0] = self._values(q)
        self._work.used_frames[:] = True
        self._work.used_bodies[:] = False
        place(self.scene, self._work)
        return self._work.poses.reshape(-1, 12, LANES)[:, :, 0].astype(float)

    def work(self, doubts: int = 0) -> Work:
        """Memory for compiled functions, with room for so many doubts at least."""
        if doubts > len(self._work.doubts):
            self._work = work_for(self.scene, doubts)
        return self._work

    def rate(self, pair: int) -> float:
        """[m] How far the bodies of a pair move relative to each other at most along the edge looked at last."""
        return float(self._work.rates[pair])

    @property
    def model(self) -> pin.Model:
        """The joints."""
        return self._model

    def coordinate(self, frame: int) -> int:
        """Index in a configuration of the joint that a frame belongs to."""
        return int(self._skeleton.coordinates[frame - 1])

    @property
    def blocks(self) -> int:
        """How often sixteen configurations were looked at for the answer before."""
        return int(self._work.counts[BLOCKS])

    def _shaped(
        self, bodies: Sequence[pin.GeometryObject], shapes: Sequence[Hulls]
    ) -> tuple[NDArray[np.int64], Array, Array]:
        """Table, sizes and points of the bodies, see :class:`Scene`."""
        table = np.zeros((len(bodies), 4 + LEVELS), dtype=np.int64)
        sizes = np.zeros((len(bodies), SWEPT + LEVELS))
        points: list[Array] = []
        size = 0
        for number, (body, levels) in enumerate(zip(bodies, shapes, strict=True)):
            table[number, FRAME] = self._frames[number]
            R, p = np.eye(3), np.zeros(3)
            if number not in self._loose:
                turn = self._skeleton.turns[body.parentJoint]
                R, p = turn.T @ body.placement.rotation, turn.T @ body.placement.translation
            for level, hull in enumerate(levels):
                table[number, FIRST + level] = size
                points.append(hull.points @ R.T + p)
                sizes[number, SWEPT + level] = hull.radius
                size += len(hull.points)
            table[number, FIRST + LEVELS] = size
            low, high, swept = points[-1].min(axis=0), points[-1].max(axis=0), levels[-1].radius + ROUNDING
            sizes[number, CENTRE:BALL] = (low + high) / 2
            sizes[number, BALL] = float(np.linalg.norm(points[-1] - (low + high) / 2, axis=1).max()) + swept
            sizes[number, HALF:SWEPT] = (high - low) / 2 + swept
        return table, sizes, np.vstack(points) if points else np.zeros((0, 3))

    def _measure_reach(self, body: int) -> None:
        """How far a body's points are from the axes of the joints that carry it, with the chain stretched out."""
        scene, model = self.scene, self._model
        frame, first, last = (int(scene.bodies[body, k]) for k in (FRAME, FIRST + LEVELS - 1, FIRST + LEVELS))
        points, swept = scene.points[first:last].astype(float), float(scene.sizes[body, SWEPT + LEVELS - 1])
        around = float(np.linalg.norm(points[:, :2], axis=1).max()) + swept
        far = float(np.linalg.norm(points, axis=1).max()) + swept
        while frame:
            slides = scene.kind[frame] == PRISMATIC
            scene.reach[body, frame] = 1.0 if slides else around + ROUNDING
            stroke = 0.0
            if slides:
                index = model.joints[frame].idx_q
                limits = model.lowerPositionLimit[index], model.upperPositionLimit[index]
                stroke = min(float(np.abs(limits).max()), LONGEST_STROKE)
            offset = scene.placement[frame, 9:].astype(float)
            around = float(np.linalg.norm(offset[:2])) + far + stroke
            far = float(np.linalg.norm(offset)) + far + stroke
            frame = int(scene.parent[frame])

    def frame_values(self, q: Array) -> Array:
        """(f, ...) What positions (nq, ...), or changes of them, are by frame; zero for those that do not move."""
        values = np.zeros((len(self.scene.parent), *q.shape[1:]))
        values[1 : self._model.njoints] = q[self._skeleton.coordinates]
        return values

    def _values(self, q: Array) -> NDArray[np.float32]:
        return self.frame_values(q).astype(np.float32)

    def _put(self, Q: Array) -> None:
        values = self._work.values.reshape(-1, LANES)
        values[1 : self._model.njoints, : len(Q)] = Q[:, self._skeleton.coordinates].T

    def _states(self, Q: Array) -> int:
        self._put(Q)
        count = states(self.scene, self._work, self.active, (1 << len(Q)) - 1)
        if count > len(self._work.doubts):
            self._work = work_for(self.scene, 2 * count)
            return self._states(Q)
        return count


def _expect_finite(q: Array) -> None:
    """Raise a ValueError where positions (..., nq) are not numbers: nothing could be said about them."""
    if not np.isfinite(q).all():
        wrong = sorted({int(place[-1]) for place in np.argwhere(~np.isfinite(q))})
        raise ValueError(f"joint positions must be finite numbers; those with index {wrong} are not")


def _trees(
    bodies: Sequence[pin.GeometryObject], table: NDArray[np.int64], points: Array
) -> tuple[Array, NDArray[np.int64], NDArray[np.int64], Array]:
    """Nodes, corners and order of the trees of boxes, see :class:`Scene`, and the points with their corners."""
    nodes, after, all_points = [np.zeros((0, 7))], [np.zeros(0, dtype=np.int64)], [points]
    count = 0
    for number, body in enumerate(bodies):
        if not isinstance(body.geometry, coal.OcTree):
            continue
        cubes = np.array([list(cube) for cube in body.geometry.toBoxes()])
        tree = box_tree(*merged(cubes[:, :3], float(cubes[0, 3])))
        centre, half = (tree.low + tree.high) / 2, (tree.high - tree.low) / 2 + ROUNDING
        nodes.append(np.c_[centre, half, np.linalg.norm(half, axis=1) + ROUNDING])
        after.append(tree.after + count)
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        all_points.append((centre[:, None] + signs * half[:, None]).reshape(-1, 3))
        table[number, TREE : TREE + 2] = count, count + len(centre)
        count += len(centre)
    corners = len(points) + 8 * np.arange(count, dtype=np.int64)
    return np.vstack(nodes), corners, np.concatenate(after), np.vstack(all_points)
