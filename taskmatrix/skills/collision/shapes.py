"""Objects and robots as collision geometry, derived once for all checkers of a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.base.cache import remembered
from taskmatrix.core.world.geometry import cubes
from taskmatrix.core.world.objects import ObjectModel, Shape, ShapeKind
from taskmatrix.core.world.occupancy import Boxes
from taskmatrix.geometry.solids import solid
from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.collision.grids import Tables
from taskmatrix.kernel.collision.occupancy_body import OccupancyBody
from taskmatrix.kernel.collision.solid import Skeleton, Solid
from taskmatrix.kernel.collision.tables import tables
from taskmatrix.robots import Robot


@dataclass(frozen=True, eq=False)
class Part:
    """A shape of an object that collides."""

    geometry: coal.CollisionGeometry
    """Exactly."""
    solid: Solid
    """For the kernel."""
    X_OS: pin.SE3
    """Pose of the shape in the object's frame."""


@remembered
def parts(model: ObjectModel) -> tuple[Part, ...]:
    """The shapes of an object that collide; its meshes are read once.

    Raises:
        WorldError: There is no such mesh, or nothing in it.
        ParameterError: A cloud has no points, or some that are not finite.
    """
    return tuple(Part(*_both(shape), pin.SE3(shape.X_OS)) for shape in model.shapes if shape.collides)


def collision_geometry(shape: Shape) -> coal.CollisionGeometry:
    """The exact geometry of a shape; a mesh as triangles, points as an octree."""
    return _both(shape)[0]


def floor(thickness: float = 0.5, extent: float = 60.0) -> tuple[coal.CollisionGeometry, pin.SE3]:
    """A slab whose upper side is z = 0, and its placement in the world."""
    return coal.Box(extent, extent, thickness), pin.SE3(np.eye(3), np.array([0.0, 0.0, -thickness / 2]))


def _both(shape: Shape) -> tuple[coal.CollisionGeometry, Solid]:
    if shape.kind == "points":
        octree = solid(shape)
        octree.computeLocalAABB()
        return octree, Solid.of_cubes(cubes(shape), shape.size[0])
    return _with_solid(solid(shape)) if shape.kind == "mesh" else _made(shape.kind, tuple(shape.size))


@lru_cache(maxsize=4096)
def _made(kind: ShapeKind, size: tuple[float, ...]) -> tuple[coal.CollisionGeometry, Solid]:
    return _with_solid(solid(Shape(kind, size, np.eye(4))))


def _with_solid(geometry: coal.CollisionGeometry) -> tuple[coal.CollisionGeometry, Solid]:
    geometry.computeLocalAABB()
    return geometry, Solid.of(geometry)


@lru_cache(maxsize=8)
def occupancy_body_of(boxes: Boxes) -> OccupancyBody:
    """The tree over boxes; the checkers of a robot share it."""
    return OccupancyBody.of(boxes)


@remembered
def skeleton_of(robot: Robot) -> Skeleton:
    """How its joints hang together."""
    return Skeleton.of(robot.model)


@remembered
def solids_of(robot: Robot) -> tuple[Solid, ...]:
    """By collision body: its shape, as the kernel knows it."""
    return tuple(Solid.of(body.geometry) for body in robot.collision.geometryObjects)


@remembered
def tables_of(robot: Robot) -> Tables:
    """Of the pairs of its bodies that hang on few joints."""
    return tables(robot.model, robot.collision, solids_of(robot), skeleton_of(robot))


def checker_of(robot: Robot, geometry: pin.GeometryModel) -> Checker:
    """A checker of a geometry that begins with the robot's bodies, with what was derived from them before."""
    known = solids_of(robot), skeleton_of(robot), tables_of(robot)
    return Checker(robot.model, geometry, (), *known, robot.data)
