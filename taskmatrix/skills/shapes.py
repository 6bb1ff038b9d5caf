"""Objects as coal collision geometry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import ObjectModel, Shape

from .kernel.solid import Solid


@dataclass(frozen=True, eq=False)
class Part:
    """A shape of an object that collides."""

    geometry: coal.CollisionGeometry
    """Exactly."""
    solid: Solid
    """For the kernel."""
    X_OS: pin.SE3
    """Pose of the shape in the object's frame."""


@lru_cache(maxsize=4096)
def parts(model: ObjectModel) -> tuple[Part, ...]:
    """The shapes of an object that collide, as long as its files do not change on disk."""
    return tuple(Part(*_both(shape), pin.SE3(shape.X_OS)) for shape in model.shapes if shape.collides)


def collision_geometry(shape: Shape) -> coal.CollisionGeometry:
    """The exact geometry of a shape; a mesh as triangles."""
    return _both(shape)[0]


def floor(thickness: float = 0.5, extent: float = 60.0) -> tuple[coal.CollisionGeometry, pin.SE3]:
    """A slab whose upper side is z = 0, and its placement in the world."""
    return coal.Box(extent, extent, thickness), pin.SE3(np.eye(3), np.array([0.0, 0.0, -thickness / 2]))


def _both(shape: Shape) -> tuple[coal.CollisionGeometry, Solid]:
    changed = shape.mesh.stat().st_mtime_ns if shape.mesh is not None else 0
    return _made(shape.kind, tuple(shape.size), shape.mesh, changed)


@lru_cache(maxsize=4096)
def _made(kind: str, size: tuple[float, ...], mesh: Path | None, changed: int) -> tuple[coal.CollisionGeometry, Solid]:
    """A shape as coal and as the kernel have it; a mesh is read again only when its file has ``changed`` (in ns)."""
    geometry = _geometry(kind, size, mesh)
    geometry.computeLocalAABB()
    return geometry, Solid.of(geometry)


def _geometry(kind: str, size: tuple[float, ...], mesh: Path | None) -> coal.CollisionGeometry:
    if mesh is not None:
        return coal.MeshLoader().load(str(mesh), np.array(size, dtype=float))
    makers = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    return makers[kind](*size)
