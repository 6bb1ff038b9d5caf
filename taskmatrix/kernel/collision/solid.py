"""What enters a scene, whatever its place: a robot's joints as flat arrays, and the shapes of bodies."""

from __future__ import annotations

from dataclasses import dataclass

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import merged, vertices_and_faces
from taskmatrix.core.world.objects import Array

from ..jit.simd import Floats
from .hierarchy import Hierarchy, sorted_by_place
from .scene import BALL, CENTRE, FIXED, HALF, LEVELS, OF_BOX, OF_TRIANGLE, PRISMATIC, REVOLUTE, ROUNDING, SWEPT
from .swept import hulls


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Frames of the joints; frame 0 is the world."""

    turns: tuple[Array, ...]
    """(3, 3) each: by joint, from its frame here to that of the model, which may have its axis anywhere."""
    parent: NDArray[np.int64]
    """(njoints,)"""
    kind: NDArray[np.int64]
    """(njoints,) :data:`REVOLUTE`, :data:`PRISMATIC`, and :data:`FIXED` for the world."""
    placement: Array
    """(njoints, 12) In the parent's frame at position 0: columns of the rotation, then the translation [m]."""
    coordinates: NDArray[np.intp]
    """(njoints - 1,) Index of each joint in the configuration, without the world."""
    carrier: NDArray[np.int64]
    """(njoints, njoints) The last joint that carries both of two."""

    @classmethod
    def of(cls, model: pin.Model) -> Skeleton:
        """The skeleton of a model.

        Raises:
            ValueError: A joint has more or fewer than one coordinate.
        """
        joints = list(model.joints)[1:]
        for joint, name in zip(joints, list(model.names)[1:], strict=True):
            if (joint.nq, joint.nv) != (1, 1):
                raise ValueError(f"joint '{name}' has {joint.nq} coordinates; the collision kernel takes joints of one")
        axes = [_axis(joint) for joint in joints]
        turns = [np.eye(3), *(_turn(axis) for axis, _ in axes)]
        parent = np.array([0, *list(model.parents)[1:]], dtype=np.int64)
        placement = [flat(np.eye(3), np.zeros(3))]
        for joint in range(1, model.njoints):
            X, above = model.jointPlacements[joint], turns[parent[joint]]
            placement.append(flat(above.T @ X.rotation @ turns[joint], above.T @ X.translation))
        return cls(
            tuple(turns),
            parent,
            np.array([FIXED, *(kind for _, kind in axes)], dtype=np.int64),
            np.array(placement),
            np.array([joint.idx_q for joint in joints], dtype=np.intp),
            _carriers(parent),
        )


def flat(R: Array, p: Array) -> Array:
    """(12,) Columns of a rotation (3, 3), then a translation (3,)."""
    return np.concatenate([R.T.ravel(), p])


def _axis(joint: pin.JointModel) -> tuple[Array, int]:
    """(3,) The axis of a joint in its own frame, and its kind."""
    data = joint.createData()
    joint.calc(data, np.zeros(joint.idx_q + 1))
    S = np.asarray(data.S, dtype=float).ravel()
    return (S[3:], REVOLUTE) if S[3:].any() else (S[:3], PRISMATIC)


def _turn(axis: Array) -> Array:
    """(3, 3) A rotation that takes z to an axis."""
    z = axis / np.linalg.norm(axis)
    if z[2] < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    v = np.cross([0.0, 0.0, 1.0], z)
    K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    turn: Array = np.eye(3) + K + K @ K / (1 + z[2])
    return turn


def _carriers(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    carriers = np.zeros((len(parent), len(parent)), dtype=np.int64)
    for joint in range(1, len(parent)):
        carriers[joint, :joint] = carriers[:joint, joint] = carriers[parent[joint], :joint]
        carriers[joint, joint] = joint
    return carriers


NOWHERE: Floats = np.zeros((0, 3), dtype=np.float32)
SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


@dataclass(frozen=True, eq=False)
class Solid:
    """Hulls that hold a body, one after the other, and its tree of boxes or triangles if it is not convex."""

    points: Array
    """(v, 3) [m] Of the hulls, the exact one last, then the corners of the tree's parts."""
    firsts: NDArray[np.int64]
    """(LEVELS + 1,) Where the points of each hull begin, and the last end."""
    sizes: Array
    """(SWEPT + LEVELS,) [m] See :class:`~taskmatrix.kernel.collision.scene.Scene`."""
    tree: Hierarchy
    """Of its parts; without nodes where the body is convex."""
    corners: int = 0
    """Of a part of the tree: 8 of a box, 3 of a triangle."""

    @classmethod
    def of(cls, geometry: coal.CollisionGeometry) -> Solid:
        """The solid of a shape.

        Raises:
            ValueError: It has no points, or some that are not finite.
        """
        if isinstance(geometry, coal.OcTree):
            cubes = np.array([list(cube) for cube in geometry.toBoxes()])
            return cls.of_cubes(cubes[:, :3], float(cubes[0, 3]))
        levels = hulls(geometry)
        firsts = np.cumsum([0, *(len(hull.points) for hull in levels)]).astype(np.int64)
        points, radii = np.vstack([hull.points for hull in levels]), [hull.radius for hull in levels]
        sizes, nothing = sizes_of(points, firsts, radii), Hierarchy.over(NOWHERE, NOWHERE)
        if not isinstance(geometry, coal.BVHModelBase):
            return cls(points, firsts, sizes, nothing)
        vertices, faces = vertices_and_faces(geometry)
        parts = vertices[faces]
        parts = parts[sorted_by_place(*_bounds(parts))]
        return cls(
            np.vstack([points, parts.reshape(-1, 3)]), firsts, sizes, Hierarchy.over(*_bounds(parts)), OF_TRIANGLE
        )

    @classmethod
    def of_cubes(cls, centres: Array, side: float) -> Solid:
        """The solid of cubes of a grid, with centres (k, 3) and a side [m]."""
        low, high = (corners.astype(np.float32) for corners in merged(centres, side))
        order = sorted_by_place(low, high)
        return cls.of_boxes(low[order], high[order])

    @classmethod
    def of_boxes(cls, low: Floats, high: Floats) -> Solid:
        """The solid of boxes along the axes of their frame, with corners (m, 3), each near those beside it."""
        tree = Hierarchy.over(low, high)
        around = tree.nodes[0, :3] + SIGNS * tree.nodes[0, 3:6]
        firsts = len(around) * np.arange(LEVELS + 1, dtype=np.int64)
        middle, half = (low + high) / 2, (high - low) / 2 + np.float32(ROUNDING)
        points = np.vstack(
            [*[around] * LEVELS, (middle[:, None] + SIGNS.astype(np.float32) * half[:, None]).reshape(-1, 3)]
        )
        return cls(points, firsts, sizes_of(points, firsts, [0.0] * LEVELS), tree, OF_BOX)

    def placed(self, R: Array, p: Array) -> Solid:
        """The same solid in another frame: turned by R (3, 3), then moved by p (3,); not for boxes."""
        points, tree = self.points @ R.T + p, self.tree
        if self.corners:
            tree = Hierarchy.over(*_bounds(points[self.firsts[-1] :].reshape(-1, self.corners, 3)))
        return Solid(points, self.firsts, sizes_of(points, self.firsts, self.sizes[SWEPT:]), tree, self.corners)


def _bounds(parts: Array) -> tuple[Floats, Floats]:
    """(m, 3), (m, 3) [m] Lower and upper corners of boxes around parts (m, k, 3)."""
    return parts.min(axis=1).astype(np.float32), parts.max(axis=1).astype(np.float32)


def sizes_of(points: Array, firsts: NDArray[np.int64], radii: Array | list[float]) -> Array:
    """(SWEPT + LEVELS,) [m] The sizes of a body with hulls of points, swept by radii: see ``Scene.sizes``."""
    sizes = np.zeros(SWEPT + LEVELS)
    exact = points[firsts[LEVELS - 1] : firsts[LEVELS]]
    low, high, swept = exact.min(axis=0), exact.max(axis=0), radii[-1] + ROUNDING
    sizes[CENTRE:BALL] = (low + high) / 2
    sizes[BALL] = float(np.linalg.norm(exact - (low + high) / 2, axis=1).max()) + swept
    sizes[HALF:SWEPT] = (high - low) / 2 + swept
    sizes[SWEPT:] = radii
    return sizes
