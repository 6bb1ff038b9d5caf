"""Grasps that were found, kept in memory and on disk for each hand and object, as OpenGRASP keeps them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import astuple
from functools import lru_cache, partial
from typing import Any

import coal
import numpy as np

from taskmatrix.core.base.cache import Arrays, kept_arrays
from taskmatrix.core.world.geometry import inverse, mesh_geometry, vertices_and_faces
from taskmatrix.core.world.objects import GRASPABLE, Array, Grasp, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose

from .finder import find_grasps
from .fitted import fitted
from .floating_hand import bodies_of_hand
from .handle import handle
from .settings import GraspSettings

VERSION = 2  # of the way in which grasps are found: what another version has found is not taken
REMEMBERED = 64  # hands and objects


class GraspStore:
    """The grasps that each hand of a robot has of objects: those of their tables, fitted to the hand, or found ones.

    Args:
        robot: The robot.
        settings: How to look where there is no table.
    """

    def __init__(self, robot: Robot, settings: GraspSettings | None = None) -> None:
        self._robot, self._settings = robot, settings or GraspSettings()
        self._found = lru_cache(maxsize=REMEMBERED)(self._read_or_find)
        self._fitted = lru_cache(maxsize=REMEMBERED)(partial(fitted, robot))

    def grasps(self, hand: str, model: ObjectModel) -> tuple[Grasp, ...]:
        """Grasps of an object for a hand, of no more than its aperture.

        An object with grasps of its own keeps them, see :func:`~taskmatrix.skills.grasping.fitted.fitted`; for one
        without, they are found if it is ``graspable``.
        """
        if not model.grasps and model.is_a(GRASPABLE):
            return self._found(hand, model)
        return self._fitted(hand, model)

    def _read_or_find(self, hand: str, model: ObjectModel) -> tuple[Grasp, ...]:
        def find() -> Arrays:
            grasps = find_grasps(self._robot, hand, model, self._settings)
            X_OH = np.array([grasp.X_OH for grasp in grasps]).reshape(-1, 4, 4)
            return {"X_OH": X_OH, "widths": np.array([grasp.width for grasp in grasps])}

        kept = kept_arrays("grasps", key(self._robot, hand, model, self._settings), find)
        numbered = enumerate(zip(kept["X_OH"], kept["widths"], strict=True))
        return tuple(Grasp(f"found/{k}", X_OH, float(width)) for k, (X_OH, width) in numbered)


def key(robot: Robot, hand: str, model: ObjectModel, settings: GraspSettings) -> str:
    """What found grasps depend on, hashed: bodies and fingers of the hand, shapes of the object, and the settings.

    Names do not count, nor what the rest of the robot is.
    """
    digest = hashlib.sha256(repr((VERSION, astuple(settings))).encode())
    for part in (*_hand_parts(robot, hand), *_object_parts(model)):
        digest.update(part)
    return digest.hexdigest()[:32]


def _hand_parts(robot: Robot, name: str) -> Iterator[bytes]:
    hand = robot.hands[name]
    widths = np.array([row.width for row in hand.table])
    yield repr((hand.fingers is None, round(hand.aperture, 6))).encode()
    yield _rounded(widths)
    yield _rounded(np.array([row.middle for row in hand.table]))
    data = robot.data
    postures = [hand.open, *(row.joints for row in hand.table)]
    links = [robot.model.frames[body.parentFrame].name in hand.touch for body in bodies_of_hand(robot, name)]
    yield bytes(links)
    for body in bodies_of_hand(robot, name):
        yield from _content(body.geometry)
    for fingers in postures:
        q = robot.posture(robot.stance)
        for joint, position in fingers.items():
            q[robot.joints.index(joint)] = position
        X_HW = inverse(hand_pose(robot, name, q))
        for body in bodies_of_hand(robot, name):
            yield _rounded(X_HW @ (data.oMi[body.parentJoint] * body.placement).homogeneous)


def _object_parts(model: ObjectModel) -> Iterator[bytes]:
    held = handle(model)
    yield bytes(any(shape is one for one in held) for shape in model.shapes if shape.collides)
    for shape in model.shapes:
        if shape.collides:
            yield repr((shape.kind, shape.size)).encode()
            yield _rounded(shape.X_OS)
            if shape.kind == "mesh":
                yield from _content(mesh_geometry(shape))
            if shape.points is not None:
                yield _rounded(shape.points)


def _content(geometry: Any) -> Iterator[bytes]:
    """What a collision body is made of."""
    yield type(geometry).__name__.encode()
    if isinstance(geometry, coal.BVHModelBase):
        vertices, faces = vertices_and_faces(geometry)
        yield _rounded(vertices)
        yield faces.tobytes()
    elif isinstance(geometry, coal.ConvexBase):
        yield _rounded(np.array([geometry.point(k) for k in range(geometry.num_points)]))
    else:
        sizes = [getattr(geometry, name) for name in ("radius", "halfLength", "halfSide") if hasattr(geometry, name)]
        yield _rounded(np.concatenate([np.ravel(size) for size in sizes]) if sizes else np.zeros(0))


def _rounded(values: Array) -> bytes:
    """Numbers to a tenth of a micrometre: rounding is not a change."""
    return (np.round(np.asarray(values, dtype=float), 7) + 0.0).tobytes()
