"""A second robot in a world that walks past."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import Robot

from .gait import Gait
from .world import World, place

SECOND_ROBOT = "second_robot"
"""Id of the second robot."""
_SLICES = (0.45, 0.85)  # of its height: legs end, head begins


def with_second_robot(world: World, robot: Robot) -> World:
    """The world with an object of type ``robot/humanoid`` that walks along the path that the world has for it.

    It is seen as it is, and its limbs swing; for collisions it is a box each around its legs, its trunk with the arms,
    and its head.

    Raises:
        WorldError: The world has no ``[second_robot]`` path, or an object of that name.
    """
    if world.second_robot is None:
        raise WorldError(
            f"world '{world.name}' has no path for a second robot; give it a [second_robot] table ({world.source})"
        )
    if SECOND_ROBOT in world.objects:
        raise WorldError(f"world '{world.name}' has an object '{SECOND_ROBOT}' already ({world.source})")
    q = robot.posture(robot.stance)
    looks = [
        replace(shape, X_OS=X_OV @ shape.X_OS, collides=False)
        for shape, X_OV in zip(robot.visuals, robot.visual_placements(q), strict=True)
    ]
    model = ObjectModel(SECOND_ROBOT, "robot/humanoid", (*looks, *_boxes(robot, q)), description=robot.description)
    objects, placements = (
        {**world.objects, SECOND_ROBOT: model},
        {**world.placements, SECOND_ROBOT: world.second_robot.placement},
    )
    return replace(
        world,
        objects=objects,
        placements=placements,
        poses=place(objects, placements),
        scripts={**world.scripts, SECOND_ROBOT: world.second_robot.script},
        gaits={**world.gaits, SECOND_ROBOT: Gait(robot, world.second_robot.script)},
    )


def _boxes(robot: Robot, q: Array) -> list[Shape]:
    """Boxes, not seen, around what of the robot is low, in the middle, and high."""
    data, placed = robot.model.createData(), robot.collision.createData()
    pin.updateGeometryPlacements(robot.model, data, robot.collision, placed, robot.expand(q))
    corners = []
    for body, X_OB in zip(robot.collision.geometryObjects, placed.oMg, strict=True):
        body.geometry.computeLocalAABB()
        box = body.geometry.aabb_local
        local = np.array(np.meshgrid(*zip(np.ravel(box.min_), np.ravel(box.max_), strict=True))).reshape(3, 8).T
        corners.append(local @ X_OB.rotation.T + X_OB.translation)
    points = np.array(corners)
    level = np.digitize(points[:, :, 2].mean(axis=1) / robot.height, _SLICES)
    boxes = []
    for slice in np.unique(level):
        within = points[level == slice].reshape(-1, 3)
        lower, upper = within.min(axis=0), within.max(axis=0)
        size = (upper - lower).tolist()
        boxes.append(Shape("box", (size[0], size[1], size[2]), pose((lower + upper) / 2), (0.0, 0.0, 0.0, 0.0)))
    return boxes
