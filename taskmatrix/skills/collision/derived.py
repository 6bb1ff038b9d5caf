"""What collision checkers derive from a robot or a map, once for all of them in a process."""

from __future__ import annotations

from functools import lru_cache

from taskmatrix.core.base.remembered import remembered
from taskmatrix.core.world.occupancy import Boxes
from taskmatrix.kernel.collision.grids import Tables
from taskmatrix.kernel.collision.occupancy_body import OccupancyBody
from taskmatrix.kernel.collision.skeleton import Skeleton
from taskmatrix.kernel.collision.solid import Solid
from taskmatrix.kernel.collision.tables import tables
from taskmatrix.robots import Robot


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
