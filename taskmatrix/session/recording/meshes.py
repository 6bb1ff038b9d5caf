"""Surfaces of shapes as data, kept in memory and on disk: to simplify the meshes of a robot takes seconds."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np

from taskmatrix.core.base.cache import Arrays, kept_arrays
from taskmatrix.core.world.geometry import mesh_shape
from taskmatrix.core.world.objects import Shape, ShapeKind
from taskmatrix.simulation.triangles import MOST_TRIANGLES, triangles

VERSION = 2  # of the way in which meshes become data: what another version has kept is not taken
KEYS = ("positions", "normals", "triangles")

Mesh = dict[str, str]


class Meshes:
    """Surfaces, equal ones once.

    Attributes:
        found: As data: ``positions``, float32 (k, 3) [m], ``normals``, int8 (k, 3) of which 127 is 1, and
            ``triangles``, uint32 (m, 3), in base64.
    """

    def __init__(self) -> None:
        self.found: list[Mesh] = []
        self._numbers: dict[tuple[str, ...], int] = {}

    def number(self, shape: Shape) -> int:
        """Which mesh the surface of a shape is, in the shape's frame."""
        solid = shape.kind != "points"
        mesh = _remembered(shape.kind, shape.size, shape.mesh, shape.content) if solid else _mesh(shape)
        number = self._numbers.setdefault(tuple(mesh[key] for key in KEYS), len(self.found))
        if number == len(self.found):
            self.found.append(mesh)
        return number


@lru_cache(maxsize=512)
def _remembered(kind: ShapeKind, size: tuple[float, ...], file: Path | None, content: str) -> Mesh:
    """The surface of a shape, which is the same wherever that is and whatever its colour."""
    return _mesh(Shape(kind, size, np.eye(4))) if file is None else _kept(mesh_shape(file, size, content), file.suffix)


def _kept(shape: Shape, suffix: str) -> Mesh:
    """That of a file, from the user's cache if it is there."""
    about = repr((VERSION, MOST_TRIANGLES, shape.size, suffix, shape.content))
    key = hashlib.blake2b(about.encode(), digest_size=16).hexdigest()
    return _as_text(kept_arrays("meshes", key, lambda: _arrays(shape)))


def _mesh(shape: Shape) -> Mesh:
    return _as_text(_arrays(shape))


def _arrays(shape: Shape) -> Arrays:
    """Corners that are in the same place and have the same normal are one."""
    surface = triangles(shape)
    corners = np.zeros(len(surface.vertices), dtype=[("position", "<f4", 3), ("normal", "i1", 3)])
    corners["position"], corners["normal"] = surface.vertices, np.rint(surface.normals * 127)
    _, first, index = np.unique(corners.view(f"V{corners.itemsize}"), return_index=True, return_inverse=True)
    return {
        "positions": corners["position"][first],
        "normals": corners["normal"][first],
        "triangles": index.reshape(-1)[surface.faces].astype("<u4"),
    }


def _as_text(arrays: Arrays) -> Mesh:
    return {key: base64.b64encode(np.ascontiguousarray(arrays[key]).tobytes()).decode() for key in KEYS}
