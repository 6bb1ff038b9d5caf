"""Random trees of joints with a body or two on each."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
from scipy.spatial import ConvexHull

from taskmatrix.core.world.objects import Array


def tree(seed: int, joints: int = 6) -> tuple[pin.Model, pin.GeometryModel]:
    """A model with revolute and sliding joints about any axes, bodies of all shapes, and bodies in the world."""
    random = np.random.default_rng(seed)
    model, geometry = pin.Model(), pin.GeometryModel()
    for number in range(joints):
        parent = int(random.integers(0, number + 1))
        axis = random.normal(size=3)
        axis /= np.linalg.norm(axis)
        if random.random() < 0.3:
            axis = np.eye(3)[random.integers(3)] * random.choice([-1.0, 1.0])
        kind = pin.JointModelPrismaticUnaligned if random.random() < 0.25 else pin.JointModelRevoluteUnaligned
        joint = kind(axis)
        limits = np.array([0.3]) if kind is pin.JointModelPrismaticUnaligned else np.array([3.0])
        added = model.addJoint(
            parent, joint, placement(random, 0.3), f"joint_{number}", np.ones(1), np.ones(1), -limits, limits
        )
        for part in range(int(random.integers(1, 3))):
            add(geometry, f"body_{number}_{part}", added, placement(random, 0.1), shape(random))
    for number in range(3):
        add(geometry, f"thing_{number}", 0, placement(random, 0.8), shape(random))
    geometry.addAllCollisionPairs()
    return model, geometry


def add(geometry: pin.GeometryModel, name: str, joint: int, X: pin.SE3, shape: coal.CollisionGeometry) -> None:
    """Add a body."""
    geometry.addGeometryObject(pin.GeometryObject(name, joint, X, shape))


def placement(random: np.random.Generator, spread: float) -> pin.SE3:
    """Turned any way."""
    quaternion = random.normal(size=4)
    return pin.SE3(pin.Quaternion(quaternion / np.linalg.norm(quaternion)).matrix(), random.normal(size=3) * spread)


def shape(random: np.random.Generator) -> coal.CollisionGeometry:
    """Of a size between 2 and 20 cm."""
    size = random.uniform(0.02, 0.2, 3)
    kind = int(random.integers(6))
    if kind == 0:
        return coal.Sphere(size[0] / 2)
    if kind == 1:
        return coal.Capsule(size[0] / 2, size[1])
    if kind == 2:
        return coal.Cylinder(size[0] / 2, size[1])
    if kind == 3:
        return coal.Box(*size)
    points = random.normal(size=(int(random.integers(8, 60)), 3)) * size / 2
    mesh = mesh_of(points, np.asarray(ConvexHull(points).simplices))
    return mesh if kind == 4 else solid(mesh)


def mesh_of(points: Array, triangles: Array) -> coal.BVHModelBase:
    """A mesh of points (m, 3) and the numbers (k, 3) of its triangles' corners."""
    vertices, corners = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in points:
        vertices.append(np.asarray(point, dtype=float))
    for triangle in triangles:
        corners.append(coal.Triangle(*map(int, triangle)))
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(triangles), len(points))
    mesh.addSubModel(vertices, corners)
    mesh.endModel()
    return mesh


def solid(mesh: coal.BVHModelBase) -> coal.ConvexBase:
    """The convex hull of a mesh."""
    mesh.buildConvexHull(True, "Qt")
    return mesh.convex


def configuration(model: pin.Model, random: np.random.Generator) -> Array:
    """(nq,) Within the limits."""
    q: Array = random.uniform(model.lowerPositionLimit, model.upperPositionLimit)
    return q


class Referee:
    """Coal on the exact shapes, pair by pair."""

    def __init__(self, model: pin.Model, geometry: pin.GeometryModel) -> None:
        self._model, self._geometry = model, geometry
        self._data, self._geometry_data = model.createData(), geometry.createData()
        self.pairs = len(geometry.collisionPairs)

    def distances(self, q: Array) -> Array:
        """(p,) [m] Of all pairs; negative for those in contact."""
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)
        return np.array(
            [pin.computeDistance(self._geometry, self._geometry_data, pair).min_distance for pair in range(self.pairs)]
        )

    def touching(self, q: Array) -> set[int]:
        """Pairs in contact."""
        for request in self._geometry_data.collisionRequests:
            request.security_margin = 1e-6
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)
        return {pair for pair in range(self.pairs) if pin.computeCollision(self._geometry, self._geometry_data, pair)}
