"""Shapes as triangles with normals, few enough for a software renderer."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import cubes, merged, mesh_geometry, mesh_shape, vertices_and_faces
from taskmatrix.core.world.objects import Array, Shape

Indices = NDArray[np.int64]

MOST_TRIANGLES = 4000
"""Meshes with more are simplified: a panel of a contact sheet shows no more."""
CREASE = np.cos(np.radians(40.0))
"""Edges sharper than this stay edges; others are shaded smoothly."""
FINEST, COARSER, STEPS = 150, 1.15, 48
"""Cells along the largest extent of a mesh that is simplified, at most; how much larger each try has them; tries."""
_SIDES = 32
_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_STL_HEADER = 84  # [bytes]
STUMP = 0.12
"""[m] Height at which a wall that hides something is cut."""


@dataclass(frozen=True, eq=False)
class Triangles:
    """Triangles in a shape's frame, counter-clockwise seen from outside."""

    vertices: Array
    """(k, 3) [m]"""
    normals: Array
    """(k, 3) Unit normals of the vertices."""
    faces: Indices
    """(m, 3) Indices of the vertices."""


def triangles(shape: Shape, most: int = MOST_TRIANGLES) -> Triangles:
    """The surface of a shape.

    Args:
        shape: Of any kind.
        most: Triangles; a mesh that has more is simplified.

    Returns:
        Its triangles in its own frame, each corner with its own normal.

    Raises:
        WorldError: There is no such mesh, nothing in it, or another one in its file by now.
    """
    if shape.kind == "mesh" and shape.mesh is not None:
        vertices, faces = _mesh(shape.mesh, shape.content, most)
        vertices = vertices * np.array(shape.size)
        if np.prod(shape.size) < 0:  # a mirrored mesh is inside out
            faces = faces[:, ::-1]
    elif shape.kind == "points":
        vertices, faces = _boxes(shape)
    elif shape.kind == "box":
        corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        vertices, faces = corners * np.array(shape.size), _BOX_FACES
    else:
        vertices, faces = _turned(_profile(shape))
    return _with_normals(vertices, faces)


def stump(shape: Shape) -> Shape:
    """What of an upright box that stands on its object's origin is below :data:`STUMP`."""
    X_OS = shape.X_OS.copy()
    X_OS[2, 3] = STUMP / 2
    color = (0.62 * shape.color[0], 0.62 * shape.color[1], 0.62 * shape.color[2], shape.color[3])
    return replace(shape, size=(*shape.size[:2], STUMP), X_OS=X_OS, color=color)


_BOX_FACES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)


def _boxes(shape: Shape) -> tuple[Array, Indices]:
    """Points as boxes; as larger ones where they are too many."""
    side = shape.size[0]
    low, high = merged(cubes(shape), side)
    while len(low) * len(_BOX_FACES) > MOST_TRIANGLES:
        side *= 1.25
        low, high = merged(cubes(replace(shape, size=(side,))), side)
    signs = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    vertices = (low[:, None] + signs * (high - low)[:, None]).reshape(-1, 3)
    return vertices, (8 * np.arange(len(low))[:, None, None] + _BOX_FACES).reshape(-1, 3)


def _profile(shape: Shape) -> list[tuple[float, float]]:
    """Radius and height along the axis, from below to above, of a shape that is round about z."""
    radius = shape.size[0]
    half = shape.size[1] / 2 if len(shape.size) > 1 else 0.0
    if shape.kind == "cylinder":
        return [(0.0, -half), (radius, -half), (radius, half), (0.0, half)]
    arc = np.linspace(-np.pi / 2, np.pi / 2, 14)
    return [(radius * float(np.cos(a)), radius * float(np.sin(a)) + (half if a > 0 else -half)) for a in arc]


def _turned(profile: list[tuple[float, float]]) -> tuple[Array, Indices]:
    angles = np.arange(_SIDES) * 2 * np.pi / _SIDES
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.ones(_SIDES)])
    vertices = np.concatenate([ring * (radius, radius, height) for radius, height in profile])
    near = np.arange(_SIDES)
    far = (near + 1) % _SIDES
    faces = []
    for i in range(len(profile) - 1):
        low, high = i * _SIDES, (i + 1) * _SIDES
        faces.append(np.column_stack([low + near, low + far, high + far]))
        faces.append(np.column_stack([low + near, high + far, high + near]))
    return vertices, np.concatenate(faces)


@lru_cache(maxsize=256)
def _mesh(file: Path, content: str, most: int) -> tuple[Array, Indices]:
    """Vertices and faces of a file that has a content, equal vertices merged, simplified."""
    shape = mesh_shape(file, (1.0, 1.0, 1.0), content)
    vertices, faces = _binary_stl(file) or _geometry(shape)
    extent = float(np.ptp(vertices, axis=0).max())
    joint, joined = _clustered(vertices, faces, extent * 1e-6)
    if len(joined) <= most:
        return joint, joined
    cells = extent / FINEST * COARSER ** np.arange(STEPS)
    fit = bisect_left(cells, True, key=lambda cell: len(_clustered(vertices, faces, cell)[1]) <= most)
    return _clustered(vertices, faces, cells[min(fit, STEPS - 1)])


def _binary_stl(file: Path) -> tuple[Array, Indices] | None:
    """Vertices and faces of a binary STL; None of other files. Most robots have these, and large ones.

    To read it here takes a fiftieth of the time in which a tree for collision checks is built over it.
    """
    size = file.stat().st_size if file.suffix.lower() == ".stl" and file.is_file() else 0
    count = (size - _STL_HEADER) // _STL.itemsize
    if count < 1 or size != _STL_HEADER + count * _STL.itemsize:
        return None
    if np.fromfile(file, "<u4", 1, offset=_STL_HEADER - 4)[0] != count:
        return None
    vertices = np.fromfile(file, _STL, count, offset=_STL_HEADER)["corners"].reshape(-1, 3).astype(float)
    return (vertices, np.arange(3 * count).reshape(-1, 3)) if np.isfinite(vertices).all() else None


def _geometry(shape: Shape) -> tuple[Array, Indices]:
    """Vertices and faces of a file of any kind that collision checks read."""
    return vertices_and_faces(mesh_geometry(shape))


def _clustered(vertices: Array, faces: Indices, cell: float) -> tuple[Array, Indices]:
    """Merge the vertices in each cell of a grid into their mean, and drop the triangles that collapse."""
    keys = np.floor((vertices - vertices.min(axis=0)) / cell + 0.5).astype(np.int64)
    _, cluster = np.unique(_numbered(keys), return_inverse=True)
    count = np.bincount(cluster)
    means = np.column_stack([np.bincount(cluster, vertices[:, i]) / count for i in range(3)])
    joined = cluster[faces]
    a, b, c = joined.T
    joined = joined[(a != b) & (b != c) & (c != a)]
    lowest = np.argmin(joined, axis=1)[
        :, None
    ]  # equal triangles start at the same vertex; the two sides of a sheet differ
    turned = np.take_along_axis(joined, (lowest + np.arange(3)) % 3, axis=1)
    _, first = np.unique(_numbered(turned), return_index=True)
    return means, turned[first]


def _numbered(rows: Indices) -> Indices:
    """(k,) A number for each of rows (k, 3) of numbers from 0, in the rows' order: NumPy sorts these much faster."""
    _, y, z = rows.max(axis=0, initial=0) + 1
    numbers: Indices = (rows[:, 0] * y + rows[:, 1]) * z + rows[:, 2]
    return numbers


def _with_normals(vertices: Array, faces: Indices) -> Triangles:
    """Give each corner the mean normal of the faces at its vertex that are not across a crease."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    area = np.cross(b - a, c - a)
    length = np.linalg.norm(area, axis=1)
    real = length > 1e-14
    faces, area = faces[real], area[real]
    unit = area / length[real, None]

    corner_vertex = faces.reshape(-1)
    corner_face = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(corner_vertex, kind="stable")
    group = corner_vertex[order]
    start = np.searchsorted(group, group, side="left")
    size = np.searchsorted(group, group, side="right") - start
    own = np.repeat(np.arange(len(group)), size)
    offset = np.arange(len(own)) - np.repeat(np.cumsum(size) - size, size)
    own_face, other_face = corner_face[order[own]], corner_face[order[start[own] + offset]]
    smooth = np.einsum("ij,ij->i", unit[own_face], unit[other_face]) > CREASE
    corner = order[own[smooth]]
    total = np.column_stack(
        [np.bincount(corner, area[other_face[smooth], i], minlength=len(corner_vertex)) for i in range(3)]
    )
    normals = total / np.maximum(np.linalg.norm(total, axis=1), 1e-14)[:, None]
    return Triangles(vertices[corner_vertex], normals, np.arange(len(corner_vertex)).reshape(-1, 3))
