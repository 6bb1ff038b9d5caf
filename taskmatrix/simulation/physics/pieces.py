"""Convex pieces of collision bodies, which is what a physics engine steps; those of meshes are cached."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import coal
import numpy as np
import scipy
import trimesh
from numpy.typing import NDArray

from taskmatrix.core.base.cache import Arrays, kept_arrays
from taskmatrix.core.base.errors import MissingDependencyError, how_to_install
from taskmatrix.core.world.geometry import vertices_and_faces
from taskmatrix.core.world.objects import Array

from ..engine import import_bullet, quiet

MOST = 160  # corners of a piece: engines take no more than some hundred without falling behind
FULL = 0.95  # share of its hull's volume that a mesh fills if it may as well be its hull
VOXELS = (50_000, 400_000)  # into which a mesh is divided; the second where the first gives one piece
CONCAVITY = 0.005  # share of the volume by which a piece may differ from its hull
MOST_PIECES = 32  # without PyBullet, whose V-HACD ends by itself
VERSION = 2  # of the way in which meshes are decomposed


@dataclass(frozen=True, eq=False)
class Piece:
    """A convex body, or one of the convex parts of a mesh."""

    kind: str
    """``box``, ``sphere``, ``cylinder``, ``capsule`` or ``hull``."""
    size: tuple[float, ...]
    """[m] box: full extents; cylinder, capsule: radius, length without caps; sphere: radius; hull: nothing."""
    corners: Array
    """(k, 3) [m] Of a hull, in the body's frame."""


def pieces(geometry: coal.CollisionGeometry) -> tuple[Piece, ...]:
    """The convex pieces of a collision body, in its own frame."""
    none = np.empty((0, 3))
    if isinstance(geometry, coal.Box):
        return (Piece("box", tuple(2.0 * float(v) for v in geometry.halfSide), none),)
    if isinstance(geometry, coal.Sphere):
        return (Piece("sphere", (float(geometry.radius),), none),)
    if isinstance(geometry, coal.Cylinder | coal.Capsule):
        kind = "cylinder" if isinstance(geometry, coal.Cylinder) else "capsule"
        return (Piece(kind, (float(geometry.radius), 2.0 * float(geometry.halfLength)), none),)
    if isinstance(geometry, coal.ConvexBase):
        return (hull(np.array([geometry.point(k) for k in range(geometry.num_points)])),)
    return mesh_pieces(geometry)


def resized(piece: Piece, by: float) -> Piece:
    """A piece that is larger by ``by`` [m] on every side; smaller where that is negative."""
    if piece.kind == "box":
        return replace(piece, size=tuple(v + 2 * by for v in piece.size))
    if piece.kind == "cylinder":
        return replace(piece, size=(piece.size[0] + by, piece.size[1] + 2 * by))
    if piece.kind in {"sphere", "capsule"}:
        return replace(piece, size=(piece.size[0] + by, *piece.size[1:]))
    lower, upper = piece.corners.min(axis=0), piece.corners.max(axis=0)
    middle, half = (lower + upper) / 2, np.maximum((upper - lower) / 2, 2 * abs(by))
    return replace(piece, corners=middle + (piece.corners - middle) * (1 + by / np.maximum(half, 1e-6)))


def mesh_pieces(mesh: Any) -> tuple[Piece, ...]:
    """The convex pieces of a mesh (:class:`coal.BVHModelBase`): V-HACD's, or its hull where it fills that."""
    vertices, faces = vertices_and_faces(mesh)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    volume = float(abs(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6)
    whole = hull(vertices)
    if volume > FULL * scipy.spatial.ConvexHull(whole.corners).volume:
        return (whole,)

    def decompose() -> Arrays:
        parts = _decomposed(vertices, faces)
        return {"corners": np.concatenate(parts), "ends": np.cumsum([len(corners) for corners in parts])}

    kept = kept_arrays("pieces", _key(vertices, faces), decompose)
    known = np.split(kept["corners"], kept["ends"][:-1])
    return (whole,) if len(known) == 1 else tuple(hull(corners) for corners in known)


def hull(points: Array) -> Piece:
    """The convex hull of points (k, 3); of no more than :data:`MOST` corners, of which the outermost are kept."""
    corners = points[scipy.spatial.ConvexHull(points, qhull_options="QJ").vertices]
    if len(corners) > MOST:
        corners = _outermost(corners)
    return Piece("hull", (), corners)


def _outermost(corners: Array) -> Array:
    """The corners that are furthest out along the axes and in directions spread evenly over the sphere."""
    count = MOST - 6
    k = np.arange(count) + 0.5
    height, turn = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    ring = np.sqrt(1 - height**2)
    spread = np.column_stack([ring * np.cos(turn), ring * np.sin(turn), height])
    directions = np.concatenate([np.eye(3), -np.eye(3), spread])  # along the axes: what stands is as high as it is
    middle = corners.mean(axis=0)
    scale = np.maximum(np.ptp(corners, axis=0), 1e-6)  # in a long body the directions go along its length
    outermost: Array = corners[np.unique(np.argmax(directions @ ((corners - middle) / scale).T, axis=1))]
    return outermost


def _decomposed(vertices: Array, triangles: NDArray[np.int64]) -> list[Array]:
    """Corners of the pieces into which V-HACD divides a mesh; those of the whole where it finds none.

    It is PyBullet's; where there is none, that of ``vhacdx``, whose pieces are more and keep closer to the mesh.
    """
    try:
        bullet = import_bullet("physics needs")
    except MissingDependencyError:
        return _divided(vertices, triangles)
    parts = [vertices]
    with tempfile.TemporaryDirectory() as folder:
        given, found, log = (str(Path(folder) / name) for name in ("mesh.obj", "pieces.obj", "log.txt"))
        lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in vertices]
        lines += [f"f {i + 1} {j + 1} {k + 1}" for i, j, k in triangles]
        Path(given).write_text("\n".join(lines) + "\n")
        for voxels in VOXELS:  # a thin shell, such as a face, leaks in large ones, and comes back as one piece
            with quiet():
                bullet.vhacd(given, found, log, resolution=voxels, concavity=CONCAVITY, maxNumVerticesPerCH=64)
            parts = _parts(Path(found)) or [vertices]
            if len(parts) > 1:
                break
    return parts


def _divided(vertices: Array, triangles: NDArray[np.int64]) -> list[Array]:
    """Corners of the pieces, without PyBullet."""
    try:
        found = trimesh.decomposition.convex_decomposition(
            trimesh.Trimesh(vertices, triangles, process=False),
            resolution=VOXELS[0],
            maxConvexHulls=MOST_PIECES,
            maxNumVerticesPerCH=64,
        )
    except ImportError as error:
        message = f"meshes are divided for physics by PyBullet or by vhacdx; {how_to_install('mujoco')}"
        raise MissingDependencyError(message) from error
    return [np.asarray(part["vertices"]) for part in found if len(part["vertices"]) > 3] or [vertices]


def _parts(file: Path) -> list[Array]:
    """The corners of each object of a file, if there is one; flat ones are left out."""
    parts: list[list[list[float]]] = []
    for line in file.read_text().splitlines() if file.is_file() else ():
        if line.startswith("o "):
            parts.append([])
        elif line.startswith("v "):
            parts[-1].append([float(value) for value in line.split()[1:4]])
    return [np.array(part) for part in parts if len(part) > 3]


def _key(vertices: Array, triangles: NDArray[np.int64]) -> str:
    by = "" if find_spec("pybullet") else "vhacdx"
    digest = hashlib.sha256(repr((VERSION, VOXELS, CONCAVITY)).encode() + by.encode())
    digest.update(np.round(vertices, 7).tobytes())
    digest.update(triangles.tobytes())
    return digest.hexdigest()[:32]
