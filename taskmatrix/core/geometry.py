"""Poses and boxes as plain arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import coal
import numpy as np
import scipy

from .objects import Array, Shape

Box = tuple[Array, Array]
_MANY = 500  # vertices


def pose(xyz: Sequence[float] | Array = (0, 0, 0), rpy: Sequence[float] = (0, 0, 0)) -> Array:
    """X_AB: (4, 4) pose from a position [m] and fixed-axis roll, pitch, yaw [rad], as in URDF."""
    X = np.eye(4)
    X[:3, :3] = scipy.spatial.transform.Rotation.from_euler("xyz", rpy).as_matrix()
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


def pose_error(X_WA: Array, X_WB: Array) -> tuple[float, float]:
    """Distance [m] and angle [rad] between two poses."""
    R = X_WA[:3, :3].T @ X_WB[:3, :3]
    angle = np.arctan2(
        np.linalg.norm([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2, (np.trace(R) - 1) / 2
    )
    return float(np.linalg.norm(X_WA[:3, 3] - X_WB[:3, 3])), float(angle)


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

    For a mesh use :func:`bounding_box`.
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
    return np.minimum.reduce([lower for lower, _ in boxes]), np.maximum.reduce([upper for _, upper in boxes])


def _shape_box(shape: Shape, X_WS: Array) -> Box:
    """Lower and upper corner (..., 3) [m] of the boxes around one shape at X_WS (..., 4, 4)."""
    R, p = X_WS[..., :3, :3], X_WS[..., :3, 3]
    if shape.kind == "mesh":
        points = mesh_vertices(shape) @ np.swapaxes(R, -1, -2)
        return points.min(axis=-2) + p, points.max(axis=-2) + p
    half = half_extents(shape, R)
    return p - half, p + half


@lru_cache(maxsize=256)
def mesh_vertices(shape: Shape) -> Array:
    """(k, 3) [m] Scaled vertices of a mesh shape; of many only those of the convex hull, which has the same box."""
    mesh = coal.MeshLoader().load(str(shape.mesh), np.array(shape.size, dtype=float))
    vertices: Array = np.array(mesh.vertices())
    return vertices if len(vertices) < _MANY else vertices[scipy.spatial.ConvexHull(vertices).vertices]


def box_distance(first: Box, second: Box) -> float:
    """[m] Distance between two axis-aligned boxes, 0 when they touch."""
    gap = np.maximum(0, np.maximum(first[0] - second[1], second[0] - first[1]))
    return float(np.linalg.norm(gap))
