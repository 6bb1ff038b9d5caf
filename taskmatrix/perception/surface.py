"""The surface of an object as points with normals: what a camera can see of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy

from taskmatrix.core.world.geometry import cubes, mesh_geometry, vertices_and_faces
from taskmatrix.core.world.objects import Array, Shape

COUNT = 2500
"""Points on an object, about."""
SOME = 500
"""Points of a coarse one, about."""
FINEST = 0.002
"""[m] Between neighbours, at least."""
_INSIDE = 2e-4  # [m] deeper than this in another shape is not seen
_GOLDEN = (1.0 + np.sqrt(5.0)) / 2.0


@dataclass(frozen=True, eq=False)
class Surface:
    """Points on the outside of an object, in its frame."""

    points: Array
    """(k, 3) [m]"""
    normals: Array
    """(k, 3) Unit vectors that point outwards."""
    spacing: float
    """[m] Between neighbours, about."""

    @cached_property
    def tree(self) -> scipy.spatial.KDTree:
        """Finds the nearest point."""
        return scipy.spatial.KDTree(self.points)

    @cached_property
    def coarse(self) -> Surface:
        """About every so many-th of the points: enough to tell what is hidden and what is not."""
        step = max(1, len(self.points) // SOME)
        return Surface(self.points[::step], self.normals[::step], self.spacing * float(np.sqrt(step)))

    @cached_property
    def centre(self) -> Array:
        """(3,) [m] Of the bounding box."""
        centre: Array = (self.points.min(axis=0) + self.points.max(axis=0)) / 2
        return centre

    @cached_property
    def radius(self) -> float:
        """[m] From the centre to the furthest point."""
        return float(np.linalg.norm(self.points - self.centre, axis=1).max())


def surface_of(shapes: Sequence[Shape]) -> Surface:
    """The surface of what is seen of an object; the same for the same shapes."""
    return _surface_of(tuple(shapes))


@lru_cache(maxsize=256)
def _surface_of(shapes: tuple[Shape, ...]) -> Surface:
    seen = [shape for shape in shapes if shape.color[3] > 0.0]
    area = sum(_area(shape) for shape in seen)
    spacing = max(FINEST, float(np.sqrt(area / COUNT)))
    points, normals = [np.empty((0, 3))], [np.empty((0, 3))]
    for shape in seen:
        p, n = _sampled(shape, spacing)
        p, n = p @ shape.X_OS[:3, :3].T + shape.X_OS[:3, 3], n @ shape.X_OS[:3, :3].T
        outside = np.ones(len(p), dtype=bool)
        for other in seen:
            if other is not shape:
                outside &= _height(other, p) > -_INSIDE
        points.append(p[outside])
        normals.append(n[outside])
    return Surface(np.concatenate(points), np.concatenate(normals), spacing)


def _area(shape: Shape) -> float:
    """[m^2] Of a shape's surface."""
    if shape.kind == "box":
        x, y, z = shape.size
        return 2 * (x * y + y * z + z * x)
    if shape.kind == "mesh":
        a, b, c = _corners(shape)
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2
    if shape.kind == "points":
        return len(_faces(shape)[0]) * shape.size[0] ** 2
    radius, length = (*shape.size, 0.0)[:2]
    ends = 2 * np.pi * radius**2 if shape.kind == "cylinder" else 4 * np.pi * radius**2
    return 2 * np.pi * radius * length + ends


def _sampled(shape: Shape, spacing: float) -> tuple[Array, Array]:
    """Points and normals (k, 3) of one shape, in its frame."""
    if shape.kind == "box":
        return _box(np.array(shape.size) / 2, spacing)
    if shape.kind == "mesh":
        return _mesh(shape, spacing)
    if shape.kind == "points":
        return _faces(shape)
    radius, length = (*shape.size, 0.0)[:2]
    side = _side(radius, length, spacing) if length > 0.0 else (np.empty((0, 3)), np.empty((0, 3)))
    ends = _discs(radius, length, spacing) if shape.kind == "cylinder" else _halves(radius, length, spacing)
    return np.concatenate([side[0], ends[0]]), np.concatenate([side[1], ends[1]])


def _along(extent: float, spacing: float) -> Array:
    """Even places from one end of an extent [m] to the other, both included."""
    return np.linspace(-extent / 2, extent / 2, max(2, int(np.ceil(extent / spacing)) + 1))


def _box(half: Array, spacing: float) -> tuple[Array, Array]:
    points, normals = [], []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        first, second = np.meshgrid(_along(2 * half[u], spacing), _along(2 * half[v], spacing))
        for sign in (-1.0, 1.0):
            face = np.zeros((first.size, 3))
            face[:, axis], face[:, u], face[:, v] = sign * half[axis], first.ravel(), second.ravel()
            points.append(face)
            normals.append(np.tile(sign * np.eye(3)[axis], (first.size, 1)))
    return np.concatenate(points), np.concatenate(normals)


def _side(radius: float, length: float, spacing: float) -> tuple[Array, Array]:
    angles = np.arange(n := max(12, int(np.ceil(2 * np.pi * radius / spacing)))) * 2 * np.pi / n
    angle, z = (grid.ravel() for grid in np.meshgrid(angles, _along(length, spacing)))
    normals = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(len(angle))])
    return normals * radius + np.column_stack([np.zeros((len(z), 2)), z]), normals


def _discs(radius: float, length: float, spacing: float) -> tuple[Array, Array]:
    rings = [np.zeros((1, 2))]
    for r in np.linspace(0.0, radius, max(2, int(np.ceil(radius / spacing)) + 1))[1:]:
        angles = np.arange(n := max(6, int(np.ceil(2 * np.pi * r / spacing)))) * 2 * np.pi / n
        rings.append(r * np.column_stack([np.cos(angles), np.sin(angles)]))
    flat = np.concatenate(rings)
    ends = [np.column_stack([flat, np.full(len(flat), sign * length / 2)]) for sign in (-1.0, 1.0)]
    return np.concatenate(ends), np.repeat([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], len(flat), axis=0)


def _halves(radius: float, length: float, spacing: float) -> tuple[Array, Array]:
    """A sphere in golden spirals, its halves apart by a length [m] along z."""
    index = np.arange(n := max(50, int(4 * np.pi * radius**2 / spacing**2)))
    z = 1.0 - (2 * index + 1) / n
    angle = 2 * np.pi * index / _GOLDEN
    level = np.sqrt(1.0 - z**2)
    normals = np.column_stack([level * np.cos(angle), level * np.sin(angle), z])
    return normals * radius + np.outer(np.sign(z) * length / 2, [0.0, 0.0, 1.0]), normals


def _corners(shape: Shape) -> tuple[Array, Array, Array]:
    """(m, 3) each: corners of the triangles of a mesh, counter-clockwise seen from outside."""
    mesh = mesh_geometry(shape)
    vertices, faces = vertices_and_faces(mesh)
    if np.prod(shape.size) < 0:  # a mirrored mesh is inside out
        faces = faces[:, ::-1]
    return vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]


def _mesh(shape: Shape, spacing: float) -> tuple[Array, Array]:
    """Points spread over the triangles by their areas, the same each time."""
    a, b, c = _corners(shape)
    across = np.cross(b - a, c - a)
    double = np.linalg.norm(across, axis=1)
    end = np.cumsum(double / 2)
    count = max(50, int(end[-1] / spacing**2))
    place = (np.arange(count) + 0.5) / count * end[-1]
    face = np.minimum(np.searchsorted(end, place), len(a) - 1)
    u, v = (np.arange(count) / _GOLDEN) % 1.0, (np.arange(count) / _GOLDEN**0.5) % 1.0
    root = np.sqrt(u)[:, None]
    points = (1 - root) * a[face] + root * (1 - v[:, None]) * b[face] + root * v[:, None] * c[face]
    return points, across[face] / double[face, None]


def _faces(shape: Shape) -> tuple[Array, Array]:
    """Centres and normals of the outer faces of the cubes that stand for points."""
    side = shape.size[0]
    centres = cubes(shape)
    cells = {tuple(cell) for cell in np.floor(centres / side).astype(int).tolist()}
    points, normals = [], []
    for centre, cell in zip(centres, np.floor(centres / side).astype(int), strict=True):
        for axis in range(3):
            for sign in (-1, 1):
                step = np.eye(3, dtype=int)[axis] * sign
                if tuple((cell + step).tolist()) not in cells:
                    points.append(centre + step * side / 2)
                    normals.append(step.astype(float))
    return np.array(points).reshape(-1, 3), np.array(normals).reshape(-1, 3)


def _height(shape: Shape, points: Array) -> Array:
    """(k,) [m] How far points (k, 3) of the object are outside of a shape, negative inside; far for a mesh."""
    local = np.abs((points - shape.X_OS[:3, 3]) @ shape.X_OS[:3, :3])
    if shape.kind == "box":
        height: Array = (local - np.array(shape.size) / 2).max(axis=1)
    elif shape.kind == "cylinder":
        height = np.maximum(np.hypot(local[:, 0], local[:, 1]) - shape.size[0], local[:, 2] - shape.size[1] / 2)
    elif shape.kind in {"sphere", "capsule"}:
        half = shape.size[1] / 2 if shape.kind == "capsule" else 0.0
        local[:, 2] = np.maximum(0.0, local[:, 2] - half)
        height = np.linalg.norm(local, axis=1) - shape.size[0]
    else:
        height = np.full(len(points), np.inf)
    return height
