"""Robots of the library as they are shipped, in worlds of four kinds: what collision checks are judged on."""

from __future__ import annotations

from dataclasses import dataclass

import coal
import numpy as np
import pinocchio as pin
import trimesh

from taskmatrix.robots import load_robot

from .rows import Array, random_source

WORLDS = ("boxes", "primitives", "meshes", "points")
COUNTS = {"boxes": 25, "primitives": 25, "meshes": 12}
CELL = 0.03
"""[m] Edge of a cell of ``points``."""
CELLS = 5000
AROUND = 1.0
"""[m] How far the base is from the middle of the world, at most, each way."""


@dataclass(frozen=True, eq=False)
class Furnished:
    """A robot among things that stand still."""

    name: str
    """Of robot and world."""
    model: pin.Model
    """The robot; its coupled joints move by themselves."""
    geometry: pin.GeometryModel
    """Its bodies, then the things; all pairs that are checked."""
    lower: Array
    """(n,) From where it may be."""
    upper: Array
    """(n,)."""
    stance: Array
    """(n,) As it stands."""

    def near_stance(self, source: np.random.Generator) -> Array:
        """(n,) Off the stance by some share of the limits, anywhere on the floor."""
        share = source.uniform()
        q: Array = self.stance + share * (source.uniform(self.lower, self.upper) - self.stance)
        q[:3] = source.uniform(self.lower[:3], self.upper[:3])
        return q


def furnished(robot: str, world: str) -> Furnished:
    """A robot of the library in a world of a kind of :data:`WORLDS`; the same each time."""
    found = load_robot(robot)
    model, geometry = found.model, found.collision.copy()
    joints = [body.parentJoint for body in geometry.geometryObjects]
    for name, shape, X_WS in _things(world, random_source("furnished", robot, world)):
        thing = geometry.addGeometryObject(pin.GeometryObject(name, 0, X_WS, shape))
        for body, joint in enumerate(joints):
            if joint != 0:
                geometry.addCollisionPair(pin.CollisionPair(body, thing))
    lower, upper = model.lowerPositionLimit.copy(), model.upperPositionLimit.copy()
    lower[:3], upper[:3] = (-AROUND, -AROUND, -np.pi), (AROUND, AROUND, np.pi)
    stance = np.clip(found.expand(found.posture(found.stance)), lower, upper)
    return Furnished(f"{robot} {world}", model, geometry, lower, upper, stance)


def _things(world: str, source: np.random.Generator) -> list[tuple[str, coal.CollisionGeometry, pin.SE3]]:
    if world == "points":
        return [("points", coal.makeOctree(_surfaces(source), CELL), pin.SE3.Identity())]
    makers = {"boxes": _box, "primitives": _primitive, "meshes": _mesh}
    return [(f"{world}{k}", makers[world](source), _placement(source)) for k in range(COUNTS[world])]


def _placement(source: np.random.Generator) -> pin.SE3:
    """Around the middle of the world, up to 1.6 m high, turned anyhow."""
    bearing, distance = source.uniform(-np.pi, np.pi), source.uniform(0.4, 1.8)
    place = (distance * np.cos(bearing), distance * np.sin(bearing), source.uniform(0.1, 1.6))
    return pin.SE3(pin.Quaternion(*source.normal(size=4)).normalized().matrix(), np.array(place))


def _box(source: np.random.Generator) -> coal.CollisionGeometry:
    return coal.Box(*source.uniform(0.03, 0.4, 3))


def _primitive(source: np.random.Generator) -> coal.CollisionGeometry:
    """A sphere, a capsule, a cylinder, a cone or an ellipsoid; flat ones and long ones."""
    radius, length = source.uniform(0.02, 0.2), source.uniform(0.02, 0.6)
    kinds = (
        coal.Sphere(radius),
        coal.Capsule(radius, length),
        coal.Cylinder(radius, length),
        coal.Cone(radius, length),
        coal.Ellipsoid(*source.uniform(0.02, 0.25, 3)),
    )
    return kinds[int(source.integers(len(kinds)))]


def _mesh(source: np.random.Generator) -> coal.CollisionGeometry:
    """A ring, a bowl or a tube: with a hole, with an inside, open at both ends."""
    size = source.uniform(0.1, 0.35)
    kind = int(source.integers(3))
    if kind == 0:
        mesh = trimesh.creation.torus(size, size * source.uniform(0.15, 0.4))
    elif kind == 1:
        mesh = trimesh.creation.revolve(
            [(0.0, 0.0), (0.6 * size, 0.0), (size, size), (0.9 * size, size), (0.0, 0.1 * size)]
        )
    else:
        mesh = trimesh.creation.annulus(0.8 * size, size, source.uniform(0.1, 0.5))
    corners, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for corner in mesh.vertices:
        corners.append(np.array(corner))
    for triangle in mesh.faces:
        triangles.append(coal.Triangle(*map(int, triangle)))
    surface = coal.BVHModelOBBRSS()
    surface.beginModel(len(triangles), len(corners))
    surface.addSubModel(corners, triangles)
    surface.endModel()
    return surface


def _surfaces(source: np.random.Generator) -> Array:
    """(k, 3) [m] Centres of cells on the surfaces of boxes, as a depth camera would see them."""
    cells: set[tuple[int, ...]] = set()
    while len(cells) < CELLS:
        points, faces = source.uniform(-0.5, 0.5, (600, 3)), source.integers(0, 3, 600)
        rows = np.arange(len(points))
        points[rows, faces] = 0.5 * np.sign(points[rows, faces])
        X = _placement(source)
        placed = (points * source.uniform(0.1, 0.5, 3)) @ X.rotation.T + X.translation
        cells |= set(map(tuple, np.floor(placed / CELL).astype(int).tolist()))
    return (np.array(sorted(cells)) + 0.5) * CELL
