"""What there is to see, as data: the robot as a tree of joints, the objects, and their surfaces as triangles.

Whoever shows a recording needs nothing else of a robot than forward kinematics: each joint has the pose of its frame in
that of its parent, an axis, and the coordinate of ``q`` that it follows by ``factor * q + offset``.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots import Robot
from taskmatrix.simulation.sensors.depth_camera import SIZE

from .encode import dumps
from .meshes import Meshes

if TYPE_CHECKING:
    from taskmatrix.simulation.scenes.world import World

ANGLE = np.radians(45.0)
"""[rad] Vertical field of view of a robot of which nobody says it."""


def packed(scene: Mapping[str, object]) -> bytes:
    """A scene as JSON, compressed by gzip; the same scene gives the same bytes."""
    return gzip.compress(dumps(scene), 6, mtime=0)


def scene(robot: Robot, world: World, perceived: Iterable[Percept] = ()) -> dict[str, object]:
    """The robot, the objects of a world and their surfaces.

    Args:
        robot: The robot.
        world: The world.
        perceived: What else there is, of which only the robot knows.

    Returns:
        ``robot``: ``joints``, ``links``, ``visuals`` and so on, see :func:`robot_data`; ``objects``, of which ``fixed``
        ones cannot be carried; ``grounds``, how the floor looks; ``bounds`` [m]: xmin, ymin, xmax, ymax of the floor;
        ``meshes``, each once: ``positions`` as float32 (k, 3) [m], ``normals`` as int8 (k, 3) of which 127 is 1,
        ``triangles`` as uint32 (m, 3), in base64, little end first. Poses (4, 4) are lists of 16 numbers, row by row.
    """
    meshes = Meshes()
    return {
        "robot": robot_data(robot, meshes),
        "objects": [
            *(_object(model, world.poses[id], meshes) for id, model in world.objects.items()),
            *(_object(percept.model, percept.X_WO, meshes) for percept in perceived),
        ],
        "grounds": [
            {"lower": ground.lower, "upper": ground.upper, "color": ground.color, "pattern": ground.pattern}
            for ground in world.grounds
        ],
        "bounds": list(world.bounds),
        "meshes": meshes.found,
    }


def surfaces(percept: Percept) -> dict[str, object]:
    """What an object looks like that the robot comes to know later.

    Returns:
        ``object``, as one of the ``objects`` of :func:`scene`; ``meshes``, those of its shapes, with numbers of their
        own.
    """
    meshes = Meshes()
    return {"object": _object(percept.model, percept.X_WO, meshes), "meshes": meshes.found}


def robot_data(robot: Robot, meshes: Meshes) -> dict[str, object]:
    """A robot as a tree of joints.

    Args:
        robot: The robot.
        meshes: Takes its surfaces.

    Returns:
        ``joints``, parents first, each with ``name``, ``parent`` (number of a joint, -1 for the world), ``type``
        (``revolute`` or ``prismatic``), ``axis`` (3,), ``X_PJ``, and the coordinate of ``q`` that it follows, by
        ``factor`` and ``offset``. ``links`` with ``joint`` and ``X_JL``; ``visuals`` with the numbers of ``link`` and
        ``mesh``, ``X_LV`` and ``color``; ``spheres`` around its collision bodies; ``view``, x is the viewing direction
        and y up, with ``half_angles`` [rad] along z and y, and ``range`` [m] or None; ``hands`` by name; ``names``,
        ``lower`` and ``upper`` of the coordinates.
    """
    model = robot.model
    frames = [frame for frame in model.frames if frame.type == pin.FrameType.BODY]
    links = {frame.name: number for number, frame in enumerate(frames)}
    X_JL = [np.asarray(frame.placement.homogeneous) for frame in frames]

    def on_link(body: pin.GeometryObject) -> tuple[int, Array]:
        """The link of a body, and its pose in it."""
        link = links[model.frames[body.parentFrame].name]
        return link, np.linalg.inv(X_JL[link]) @ np.asarray(body.placement.homogeneous)

    visuals = []
    for body, shape in zip(robot.visual_model.geometryObjects, robot.visuals, strict=True):
        if shape.color[3] > 0.0:
            link, X_LV = on_link(body)
            visuals.append({"link": link, "mesh": meshes.number(shape), "X_LV": _row(X_LV), "color": shape.color})
    hands = {name: {"link": links[hand.frame], "X_LH": _row(hand.X_LH)} for name, hand in robot.hands.items()}
    return {
        "joints": [_joint(robot, number) for number in range(1, model.njoints)],
        "names": list(robot.joints),
        "lower": robot.lower,
        "upper": robot.upper,
        "links": [
            {"name": frame.name, "joint": frame.parentJoint - 1, "X_JL": _row(X)}
            for frame, X in zip(frames, X_JL, strict=True)
        ],
        "visuals": visuals,
        "spheres": [_sphere(body, *on_link(body)) for body in robot.collision.geometryObjects],
        "view": _view(robot, links),
        "hands": hands,
    }


def _joint(robot: Robot, number: int) -> dict[str, object]:
    model = robot.model
    joint = model.joints[number]
    data = joint.createData()
    joint.calc(data, np.zeros(model.nq))
    twist = np.asarray(data.S).reshape(-1)
    revolute = bool(np.any(twist[3:]))
    (index,) = np.flatnonzero(robot.S[joint.idx_q])  # one: it is active, or follows one that is
    return {
        "name": model.names[number],
        "parent": model.parents[number] - 1,
        "type": "revolute" if revolute else "prismatic",
        "axis": twist[3:] if revolute else twist[:3],
        "X_PJ": _row(model.jointPlacements[number].homogeneous),
        "q": int(index),
        "factor": float(robot.S[joint.idx_q, index]),
        "offset": float(robot.c[joint.idx_q]),
    }


def _sphere(body: pin.GeometryObject, link: int, X_LB: Array) -> dict[str, object]:
    """A ball around a collision body."""
    body.geometry.computeLocalAABB()
    centre = X_LB[:3, :3] @ np.asarray(body.geometry.aabb_center).reshape(3) + X_LB[:3, 3]
    return {"link": link, "centre": centre, "radius": float(body.geometry.aabb_radius)}


def _view(robot: Robot, links: Mapping[str, int]) -> dict[str, object] | None:
    if robot.view is None:
        return None
    half = (ANGLE if robot.view.field_of_view is None else robot.view.field_of_view) / 2
    aside = np.arctan(np.tan(half) * SIZE[0] / SIZE[1])
    view = {"link": links[robot.view.frame], "X_LC": _row(robot.view.X_LV)}
    return {**view, "half_angles": [float(aside), float(half)], "range": robot.view.range}


def _object(model: ObjectModel, X_WO: Array, meshes: Meshes) -> dict[str, object]:
    return {
        "id": model.id,
        "type": model.type,
        "fixed": not model.movable,
        "X_WO": _row(X_WO),
        "shapes": _shapes(model.shapes, meshes),
    }


def _shapes(shapes: Iterable[Shape], meshes: Meshes) -> list[dict[str, object]]:
    return [
        {"mesh": meshes.number(shape), "X_OS": _row(shape.X_OS), "color": shape.color}
        for shape in shapes
        if shape.color[3] > 0.0
    ]


def _row(X: Array) -> list[float]:
    """(16,) A pose, row by row."""
    return [float(value) for value in np.asarray(X).reshape(-1)]
