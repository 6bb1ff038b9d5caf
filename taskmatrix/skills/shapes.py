"""Objects as coal collision geometry."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Shape


def collision_geometry(shape: Shape) -> coal.CollisionGeometry:
    """The exact geometry of a shape; a mesh as triangles."""
    size = shape.size
    if shape.kind == "box":
        return coal.Box(*size)
    if shape.kind == "sphere":
        return coal.Sphere(size[0])
    if shape.kind == "cylinder":
        return coal.Cylinder(size[0], size[1])
    if shape.kind == "capsule":
        return coal.Capsule(size[0], size[1])
    assert shape.mesh is not None
    return _triangles(shape.mesh, size, shape.mesh.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _triangles(mesh: Path, scale: tuple[float, ...], changed: int) -> coal.CollisionGeometry:
    """A mesh as coal has it; read again only when its file has ``changed`` (a time, in ns)."""
    return coal.MeshLoader().load(str(mesh), np.array(scale, dtype=float))


def floor(thickness: float = 0.5, extent: float = 60.0) -> tuple[coal.CollisionGeometry, pin.SE3]:
    """A slab whose upper side is z = 0, and its placement in the world."""
    return coal.Box(extent, extent, thickness), pin.SE3(np.eye(3), np.array([0.0, 0.0, -thickness / 2]))
