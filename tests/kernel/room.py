"""A ball that slides through a room: two walls with a door between them, and what else there may be."""

from __future__ import annotations

from itertools import pairwise

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.paths.tree_planner import TreePlanner

START, GOAL = np.array([-2.0, 0.0, 0.5]), np.array([2.0, 0.0, 0.5])
DOOR = (1.0, 2.0)
BALL = 0.2


def room(door: bool = True) -> tuple[pin.Model, pin.GeometryModel]:
    """The walls cross the plane where x is zero; the third joint slides up, out of nothing's way."""
    model, geometry = sliding_ball()
    low, high = DOOR if door else (3.0, 3.0)
    for name, first, last in (("left", -3.5, low), ("right", high, 3.5)):
        if last > first:
            place = pin.SE3(np.eye(3), np.array([0.0, (first + last) / 2, 0.0]))
            obstacle(geometry, name, place, coal.Box(0.4, last - first, 7.0))
    return model, geometry


def sliding_ball() -> tuple[pin.Model, pin.GeometryModel]:
    """In nothing."""
    model, geometry = pin.Model(), pin.GeometryModel()
    joint = 0
    for name, kind in (("x", pin.JointModelPX()), ("y", pin.JointModelPY()), ("z", pin.JointModelPZ())):
        joint = model.addJoint(joint, kind, pin.SE3.Identity(), name)
    model.lowerPositionLimit, model.upperPositionLimit = np.full(3, -3.0), np.full(3, 3.0)
    geometry.addGeometryObject(pin.GeometryObject("ball", joint, pin.SE3.Identity(), coal.Sphere(BALL)))
    return model, geometry


def obstacle(geometry: pin.GeometryModel, name: str, place: pin.SE3, shape: coal.CollisionGeometry) -> None:
    """Something that the ball must not touch."""
    index = geometry.addGeometryObject(pin.GeometryObject(name, 0, place, shape))
    geometry.addCollisionPair(pin.CollisionPair(0, index))


def cup() -> coal.BVHModelOBBRSS:
    """A box (2, 2, 2) [m] of triangles without a lid: its convex hull is full."""
    corners = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    quads = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4)]
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(2 * len(quads), 6 * len(quads))
    for a, b, c, d in quads:
        mesh.addTriangle(corners[a], corners[b], corners[c])
        mesh.addTriangle(corners[a], corners[c], corners[d])
    mesh.endModel()
    return mesh


def planner(model: pin.Model, geometry: pin.GeometryModel) -> tuple[TreePlanner, Checker]:
    """For all joints."""
    checker = Checker(model, geometry)
    lower, upper = model.lowerPositionLimit, model.upperPositionLimit
    return TreePlanner(checker, np.zeros(3), np.eye(3), lower, upper, checker.kernel.displacement()), checker


def is_free(model: pin.Model, geometry: pin.GeometryModel, path: Array) -> bool:
    """Whether a path is free, at samples, by coal."""
    data, geometry_data = model.createData(), geometry.createData()
    samples = np.vstack([a + t * (b - a) for a, b in pairwise(path) for t in np.linspace(0, 1, 200)])
    return not any(pin.computeCollisions(model, data, geometry, geometry_data, q, True) for q in samples)
