"""Poses and boxes as plain arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import scipy
from numpy.typing import NDArray

from ..base.cache import remembered
from ..base.errors import ParameterError, WorldError
from ..base.files import FURTHEST, MOST_CELLS, MOST_DATA, check_size
from .objects import Array, Shape
from .rotation import rotation_by, rotation_by_rpy

if TYPE_CHECKING:
    import coal

Box = tuple[Array, Array]
_MANY = 500  # vertices
_meshes: WeakKeyDictionary[Shape, coal.BVHModelBase] = WeakKeyDictionary()  # what each shape was read as
_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)


def pose(xyz: Sequence[float] | Array = (0, 0, 0), rpy: Sequence[float] = (0, 0, 0)) -> Array:
    """X_AB: (4, 4) pose from a position [m] and fixed-axis roll, pitch, yaw [rad], as in URDF."""
    X = np.eye(4)
    X[:3, :3] = rotation_by_rpy(*rpy)
    X[:3, 3] = xyz
    return X


def planar(x: float, y: float, yaw: float) -> Array:
    """(4, 4) pose of a planar base at (x, y) [m], turned by yaw [rad]."""
    return pose((x, y, 0.0), (0.0, 0.0, yaw))


def inverse(X_AB: Array) -> Array:
    """X_BA: (4, 4) inverse of a rigid pose."""
    X = np.eye(4)
    X[:3, :3] = X_AB[:3, :3].T
    X[:3, 3] = -X_AB[:3, :3].T @ X_AB[:3, 3]
    return X


def moved_on(X_WO: Array, velocity: Array, dt: float) -> Array:
    """(4, 4) A pose X_WO after dt [s] at a constant velocity (6,) [m/s, rad/s] in the world; the same if that is 0."""
    if not velocity.any():
        return X_WO
    X = X_WO.copy()
    X[:3, :3] = rotation_by(velocity[3:] * dt) @ X_WO[:3, :3]
    X[:3, 3] += velocity[:3] * dt
    return X


def pose_error(X_WA: Array, X_WB: Array) -> tuple[float, float]:
    """Distance [m] and angle [rad] between two poses."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (X_WA[:3, :3].T @ X_WB[:3, :3]).tolist()
    angle = math.atan2(math.hypot(zy - yz, xz - zx, yx - xy) / 2, (xx + yy + zz - 1) / 2)
    return math.dist(X_WA[:3, 3].tolist(), X_WB[:3, 3].tolist()), angle


def angle_between(first: Array, second: Array) -> float:
    """Angle [rad] between two vectors (3,)."""
    a, b, c = first.tolist()
    x, y, z = second.tolist()  # plain numbers: NumPy's cross product costs ten times as much
    return math.atan2(math.hypot(b * z - c * y, c * x - a * z, a * y - b * x), a * x + b * y + c * z)


def wrap(angle: float, near: float = 0.0) -> float:
    """The angle [rad] plus whole turns that is nearest to ``near``."""
    return near + float((angle - near + np.pi) % (2 * np.pi) - np.pi)


def half_extents(shape: Shape, R_WS: Array) -> Array:
    """(..., 3) [m] Half the world-aligned extents of a shape with orientations R_WS (..., 3, 3).

    For a mesh or points use :func:`bounding_box`.
    """
    R = np.abs(R_WS)
    if shape.kind == "box":
        extents: Array = R @ (np.array(shape.size) / 2)
    elif shape.kind == "sphere":
        extents = np.full(R.shape[:-1], shape.size[0])
    elif shape.kind == "capsule":
        extents = R[..., 2] * shape.size[1] / 2 + shape.size[0]
    else:  # a cylinder
        extents = R[..., 2] * shape.size[1] / 2 + shape.size[0] * np.sqrt(np.maximum(0, 1 - R_WS[..., 2] ** 2))
    return extents


def bounding_box(shapes: Sequence[Shape], X_WO: Array) -> Box:
    """Lower and upper corner (..., 3) [m] of the axis-aligned boxes around shapes of an object at X_WO (..., 4, 4).

    Its points if it has no shapes.
    """
    if not shapes:
        return X_WO[..., :3, 3].copy(), X_WO[..., :3, 3].copy()
    boxes = [_shape_box(shape, X_WO @ shape.X_OS) for shape in shapes]
    if len(boxes) == 1:
        return boxes[0]
    return np.minimum.reduce([lower for lower, _ in boxes]), np.maximum.reduce([upper for _, upper in boxes])


def middle(shapes: Sequence[Shape]) -> Array:
    """(3,) [m] About where the centre of mass of an object with these shapes is: of their boxes, by their volumes."""
    boxes = [bounding_box([shape], np.eye(4)) for shape in shapes]
    volumes = np.array([np.prod(upper - lower) for lower, upper in boxes])
    centers = np.array([(lower + upper) / 2 for lower, upper in boxes]).reshape(-1, 3)
    whole = float(volumes.sum())
    return np.asarray(volumes @ centers / whole) if whole > 0.0 else np.zeros(3)


def _shape_box(shape: Shape, X_WS: Array) -> Box:
    """Lower and upper corner (..., 3) [m] of the boxes around one shape at X_WS (..., 4, 4)."""
    R, p = X_WS[..., :3, :3], X_WS[..., :3, 3]
    if shape.kind in {"mesh", "points"}:
        points = mesh_vertices(shape) @ np.swapaxes(R, -1, -2)
        return points.min(axis=-2) + p, points.max(axis=-2) + p
    half = half_extents(shape, R)
    return p - half, p + half


@remembered
def mesh_vertices(shape: Shape) -> Array:
    """(k, 3) [m] Scaled vertices of a mesh, or corners of the cubes of points; of many only those of the convex hull.

    Raises:
        WorldError: There is no such mesh, or nothing in it.
    """
    if shape.kind == "points":
        return _few((cubes(shape)[:, None] + (_CORNERS - 0.5) * shape.size[0]).reshape(-1, 3))
    if shape.mesh is not None and not shape.collides:  # and of which no more is asked: it may be large
        return _corners(shape.mesh, tuple(shape.size), shape.content)
    return _few(np.array(mesh_geometry(shape).vertices()))


def mesh_geometry(shape: Shape) -> coal.BVHModelBase:
    """A mesh shape as triangles: those that its file had when it was first asked for; not to be written to.

    Raises:
        WorldError: There is no such mesh, nothing in it, or another one in its file by now.
    """
    if shape.mesh is None:
        raise WorldError("no such mesh: None")
    found = _meshes.get(shape)
    if found is None:
        found = _meshes[shape] = _loaded(shape.mesh, tuple(shape.size), shape.content)
    return found


def mesh_shape(mesh: Path, scale: tuple[float, ...], content: str) -> Shape:
    """A mesh in a frame of its own, for what is to be read of a file that had a content.

    Raises:
        WorldError: There is no such mesh, or another one in its file by now.
    """
    shape = Shape("mesh", scale, np.eye(4), mesh=mesh)
    if shape.content != content:
        raise WorldError(f"{mesh} was overwritten after it had been read; load what it belongs to again")
    return shape


@lru_cache(maxsize=1024)
def _corners(mesh: Path, scale: tuple[float, ...], content: str) -> Array:
    return _few(np.array(_read(mesh, scale, content).vertices()))


def _few(vertices: Array) -> Array:
    """Vertices (k, 3); of many only those of the convex hull."""
    return vertices if len(vertices) < _MANY else _outermost(vertices)


def _read(mesh: Path, scale: tuple[float, ...], content: str) -> coal.BVHModelBase:
    """A mesh whose file has a content."""
    import coal  # noqa: PLC0415 - loaded by worlds with meshes only

    mesh_shape(mesh, scale, content)
    try:
        check_size(mesh, MOST_DATA, WorldError)
        found = coal.MeshLoader().load(str(mesh), np.array(scale, dtype=float))
    except ValueError:  # which may quote the file
        raise WorldError(
            f"{mesh}: a mesh needs triangles with an area; it is damaged, or not what its name says"
        ) from None
    problem = mesh_problem(found)
    if problem:
        raise WorldError(f"{mesh}: {problem}")
    return found


_loaded = lru_cache(maxsize=256)(_read)


def vertices_and_faces(mesh: coal.BVHModelBase) -> tuple[Array, NDArray[np.int64]]:
    """(v, 3) [m] Corners of a mesh of coal's, and (k, 3) which of them are the corners of each triangle."""
    faces = [[triangle[0], triangle[1], triangle[2]] for triangle in map(mesh.tri_indices, range(mesh.num_tris))]
    return np.array(mesh.vertices(), dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3)


def mesh_problem(mesh: coal.BVHModelBase) -> str:
    """What is wrong with a mesh as read; empty if nothing is."""
    vertices = np.asarray(mesh.vertices())
    if not mesh.num_tris or not np.isfinite(vertices).all():
        return f"a mesh needs triangles with finite corners; this has {mesh.num_tris} triangles"
    furthest = float(np.abs(vertices).max())
    return f"has a corner {furthest:.3g} m away; {FURTHEST:g} m are allowed" if furthest > FURTHEST else ""


def cubes(shape: Shape) -> Array:
    """(k, 3) [m] Centres of the cubes of points: those of a grid through the shape's origin that have a point in them.

    Raises:
        ParameterError: There are no points, or some are not finite, or the resolution is not above zero.
    """
    points, side = np.zeros((0, 3)) if shape.points is None else np.asarray(shape.points, dtype=float), shape.size[0]
    if points.ndim != 2 or points.shape[1] != 3 or not len(points) or not np.isfinite(points).all():
        raise ParameterError(f"points must be an array (k, 3) of finite numbers, not one of shape {points.shape}")
    if not side > 0:
        raise ParameterError(f"the resolution of points must be above zero, not {side} m")
    check_cloud(points, side, ParameterError)
    cells = np.floor(points / side).astype(np.int64)
    lowest = cells.min(axis=0)
    sizes = np.ptp(cells, axis=0) + 1
    found = _numbered(cells - lowest, sizes, (0, 1, 2))
    centres: Array = (_places(found, sizes, (0, 1, 2)) + lowest + 0.5) * side
    return centres


def _numbered(cells: NDArray[np.int64], sizes: NDArray[np.int64], order: tuple[int, ...]) -> NDArray[np.int64]:
    """(k,) Rising numbers of cells (m, 3) of a grid with so many along each axis (3,); the last axis comes first."""
    a, b, c = order
    numbers: NDArray[np.int64] = np.sort((cells[:, a] * sizes[b] + cells[:, b]) * sizes[c] + cells[:, c])
    return np.compress(np.concatenate([[True], np.diff(numbers) > 0]), numbers)


def _places(numbers: NDArray[np.int64], sizes: NDArray[np.int64], order: tuple[int, ...]) -> NDArray[np.int64]:
    """(m, 3) The cells with numbers (m,)."""
    a, b, c = order
    cells = np.empty((len(numbers), 3), dtype=np.int64)
    rest, cells[:, c] = np.divmod(numbers, sizes[c])
    cells[:, a], cells[:, b] = np.divmod(rest, sizes[b])
    return cells


def check_cloud(points: Array, side: float, error: Callable[[str], Exception]) -> None:
    """Raise an error when points (k, 3) [m] are too far from their origin for an octree with cubes of a side [m]."""
    furthest, allowed = float(np.abs(points).max()), min(FURTHEST, MOST_CELLS * side)
    if furthest > allowed:
        raise error(
            f"a point is {furthest:.3g} m from the shape's origin; "
            f"with a resolution of {side:g} m {allowed:.3g} m are allowed"
        )


def merged(centres: Array, size: float) -> tuple[Array, Array]:
    """Lower and upper corners (m, 3) of boxes that fill the same space as cubes of one size: rows of them become one.

    Args:
        centres: (k, 3) [m] On a grid of that size.
        size: [m]
    """
    origin = centres.min(axis=0)
    cells = np.round((centres - origin) / size).astype(np.int64)
    sizes = cells.max(axis=0) + 2  # one more than there are, so that rows do not follow each other
    best: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    for order in ((1, 2, 0), (0, 2, 1), (0, 1, 2)):
        numbers = _numbered(cells, sizes, order)
        ends = np.flatnonzero(np.diff(numbers) != 1)
        first, last = np.concatenate([[0], ends + 1]), np.concatenate([ends, [len(numbers) - 1]])
        if best is None or len(first) < len(best[0]):
            best = _places(numbers[first], sizes, order), _places(numbers[last], sizes, order)
    assert best is not None
    return best[0] * size + origin - size / 2, best[1] * size + origin + size / 2


def _outermost(points: Array) -> Array:
    """The corners of the convex hull of points (k, 3); all of them where they lie in a plane."""
    try:
        corners: Array = points[scipy.spatial.ConvexHull(points).vertices]
    except scipy.spatial.QhullError:
        return points
    return corners


def box_distance(first: Box, second: Box) -> float:
    """[m] Distance between two axis-aligned boxes, 0 when they touch."""
    gap = np.maximum(0, np.maximum(first[0] - second[1], second[0] - first[1]))
    return float(np.linalg.norm(gap))
