"""Robots and worlds in Pinocchio and coal: what problems are made with, and the truth about collisions."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from .rows import Array, Body, Box, PlanningRow, SceneRow


@lru_cache(maxsize=8)
def _loaded(urdf: str, hull: bool) -> tuple[pin.Model, pin.GeometryModel]:
    model = pin.buildModelFromUrdf(urdf)
    geometry = pin.buildGeomFromUrdf(model, urdf, pin.GeometryType.COLLISION)
    for item in geometry.geometryObjects if hull else ():
        if isinstance(item.geometry, coal.BVHModelBase):
            item.geometry.buildConvexHull(True, "Qt")
            item.geometry = item.geometry.convex
    return model, geometry


def load(
    urdf: str,
    hull: bool,
    pairs: Collection[tuple[str, str]] | None,
    boxes: Iterable[Box] = (),
    voxels: Array | None = None,
    resolution: float = 0.0,
) -> tuple[pin.Model, pin.GeometryModel]:
    """A robot in a world; the shapes of the world belong to joint 0.

    Args:
        urdf: A flattened file.
        hull: Whether meshes are taken as convex.
        pairs: Pairs of links to test; all of different bodies if None. All that moves is tested against the world.
        boxes: Of the world.
        voxels: (k, 3) [m] Centres of occupied cells.
        resolution: [m] Edge of a cell.
    """
    model, bare = _loaded(urdf, hull)
    geometry = bare.copy()
    joints = [item.parentJoint for item in geometry.geometryObjects]  # numbers: adding objects moves the others
    links = links_of(model, geometry)
    allowed = None if pairs is None else {frozenset(pair) for pair in pairs}
    for i, k in combinations(range(len(joints)), 2):
        if joints[i] != joints[k] and (allowed is None or frozenset((links[i], links[k])) in allowed):
            geometry.addCollisionPair(pin.CollisionPair(i, k))
    world = [(box.name, coal.Box(*box.size), pin.SE3(box.pose)) for box in boxes]
    if voxels is not None and len(voxels):
        world.append(("voxels", coal.makeOctree(np.asarray(voxels), resolution), pin.SE3.Identity()))
    for name, shape, X_WS in world:
        index = geometry.addGeometryObject(pin.GeometryObject(name, 0, X_WS, shape))
        for i, joint in enumerate(joints):
            if joint != 0:
                geometry.addCollisionPair(pin.CollisionPair(i, index))
    return model, geometry


def load_scene(row: SceneRow) -> tuple[pin.Model, pin.GeometryModel]:
    """Robot and world of a collision row."""
    return load(row.body.urdf, row.hull, row.body.pairs, row.boxes, row.voxels, row.resolution)


def load_problem(row: PlanningRow, boxes: Iterable[Box], hull: bool = True) -> tuple[pin.Model, pin.GeometryModel]:
    """Robot and world of a planning problem, with convex hulls or with the meshes as they are."""
    return load(row.body.urdf if hull else row.exact, hull, row.body.pairs, boxes)


def links_of(model: pin.Model, geometry: pin.GeometryModel) -> list[str]:
    """Link of each collision body."""
    return [model.frames[item.parentFrame].name for item in geometry.geometryObjects]


class Checker:
    """Whether configurations collide, by coal.

    Args:
        model: The robot.
        geometry: Bodies and pairs.
        broadphase: Whether a tree of bounding boxes comes before the pairs.
        quick: Whether to ask as Pinocchio does unless told otherwise: GJK begins where it ended the last time, and
            looks for no contact points. What it answers then depends on what was asked before, and bodies that
            overlap by some 1e-5 m are now and then called free. Otherwise, answers agree with the sign of coal's
            distance.
    """

    def __init__(
        self, model: pin.Model, geometry: pin.GeometryModel, broadphase: bool = True, quick: bool = False
    ) -> None:
        self.model, self.geometry = model, geometry
        self.data, self.geometry_data = model.createData(), geometry.createData()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Pinocchio sets what coal wants to be rid of
            for request in self.geometry_data.collisionRequests:
                request.num_max_contacts = 1
                request.enable_cached_gjk_guess = quick
                request.enable_contact = not quick
        self.manager = None
        if broadphase:
            kind = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager
            self.manager = kind(self.model, self.geometry, self.geometry_data)

    def hits(self, q: Array) -> bool:
        """Whether the robot collides."""
        if self.manager is not None:
            return bool(pin.computeCollisions(self.model, self.data, self.manager, q, True))
        return bool(pin.computeCollisions(self.model, self.data, self.geometry, self.geometry_data, q, True))

    def depth(self, q: Array) -> float:
        """[m] How deep the deepest pair overlaps; zero if none does."""
        pin.computeCollisions(self.model, self.data, self.geometry, self.geometry_data, q, False)
        results = self.geometry_data.collisionResults
        pairs = [k for k, result in enumerate(results) if result.isCollision()]
        apart = (pin.computeDistance(self.geometry, self.geometry_data, k).min_distance for k in pairs)
        return -float(min(apart, default=0.0))

    def edge_hits(self, a: Array, b: Array, step: float | None = None, samples: int = 64) -> bool:
        """Whether one of the states between two configurations collides: so many, or one each ``step``."""
        if step is not None:
            samples = max(2, int(np.ceil(np.linalg.norm(b - a) / step)))
        return any(self.hits(a + t * (b - a)) for t in np.linspace(0.0, 1.0, samples))


def standing(model: pin.Model, stance: dict[str, float]) -> Array:
    """The stance of a robot, as far as its joints can take it."""
    q: Array = pin.neutral(model)
    for name, position in stance.items():
        if model.existJointName(name):
            q[model.joints[model.getJointId(name)].idx_q] = position
    return np.clip(q, model.lowerPositionLimit, model.upperPositionLimit)


def lowest(urdf: str, stance: dict[str, float]) -> float:
    """[m] Height of the lowest point of a standing robot."""
    model, geometry = _loaded(urdf, False)
    data, geometry_data = model.createData(), geometry.createData()
    pin.updateGeometryPlacements(model, data, geometry, geometry_data, standing(model, stance))
    heights = []
    for item, X_WB in zip(geometry.geometryObjects, geometry_data.oMg, strict=True):
        shape = item.geometry
        if isinstance(shape, coal.BVHModelBase):
            heights.append((np.array(shape.vertices()) @ X_WB.rotation[2]).min() + X_WB.translation[2])
        else:
            shape.computeLocalAABB()
            heights.append(X_WB.act(np.array(shape.aabb_center))[2] - shape.aabb_radius)
    return float(min(heights))


def write_srdf(path: Path, name: str, body: Body) -> Path:
    """Write which pairs of links are not tested, and the group that moves."""
    tested = {frozenset(pair) for pair in body.pairs}
    group = "".join(f'<joint name="{joint}"/>' for joint in body.joints)
    lines = ['<?xml version="1.0"?>', f'<robot name="{name}">', f'<group name="group">{group}</group>']
    for i, first in enumerate(body.links):
        for second in body.links[i + 1 :]:
            if frozenset((first, second)) not in tested:
                lines.append(f'<disable_collisions link1="{first}" link2="{second}" reason="Default"/>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, "</robot>", ""]))
    return path
