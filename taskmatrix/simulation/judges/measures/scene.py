"""Robot and objects for exact contact checks, put together from the robot's reviewed pairs and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.geometry.solids import convex_hull, solid
from taskmatrix.robots import Robot

TOUCHING = 1e-6  # [m] counts as contact; with none coal 3.0.3 overlooks one contact of convex shapes in a thousand
FLOOR = "floor"


class Scene:
    """All collision bodies, and the pairs that are checked.

    Pairs of links come from the robot; every moving link is paired with everything else (soles and wheels not with the
    floor), and every movable object with all other objects and the floor, for when it is held.

    Attributes:
        bodies: Link or object id of each body.
        pairs: (p, 2) Indices of the two bodies of each pair.
        owners: (p, 2) For each body of a pair the index of its object in ``objects``, -1 for links and the floor.
        objects: Ids, in the order of the models.
        model: With all bodies as they are.
        hulls: The same with meshes replaced by their convex hulls: faster, never farther than the bodies themselves.
    """

    def __init__(self, robot: Robot, objects: Mapping[str, ObjectModel]) -> None:
        self._robot, self._data = robot, robot.model.createData()
        self.model: pin.GeometryModel = robot.collision.copy()
        self.bodies = [robot.model.frames[body.parentFrame].name for body in self.model.geometryObjects]
        self.objects = tuple(objects)
        links = [k for k, body in enumerate(self.model.geometryObjects) if body.parentJoint > 0]
        floor = self._add(FLOOR, coal.Box(100.0, 100.0, 1.0), pin.SE3(np.eye(3), np.array([0.0, 0.0, -0.5])))
        pairs = [(k, floor) for k in links if self.bodies[k] not in robot.floor_links]
        self._parts: dict[str, list[tuple[int, Shape]]] = {id: [] for id in objects}
        for id, model in objects.items():
            for shape in model.shapes:
                if shape.collides:
                    index = self._add(id, solid(shape), pin.SE3.Identity())
                    self._parts[id].append((index, shape))
                    pairs += [(k, index) for k in links]
        things = [(floor, FLOOR), *((index, id) for id, parts in self._parts.items() for index, _ in parts)]
        movable = {id for id, model in objects.items() if model.movable}
        for k, (one, first) in enumerate(things):
            pairs += [(one, two) for two, second in things[k + 1 :] if first != second and {first, second} & movable]
        wanted = np.zeros((len(self.bodies), len(self.bodies)), dtype=bool)
        for pair in robot.collision.collisionPairs:
            wanted[pair.first, pair.second] = True
        wanted[tuple(np.array(pairs).T)] = True
        self.model.setCollisionPairs(wanted, True)
        self.hulls = _hulls(self.model)
        self._results, self._hull_results = self.model.createData(), self.hulls.createData()
        for request in self._results.collisionRequests:
            request.security_margin = TOUCHING
        self.pairs = np.array([(pair.first, pair.second) for pair in self.model.collisionPairs])
        index_of = {index: k for k, parts in enumerate(self._parts.values()) for index, _ in parts}
        self.owners = np.vectorize(lambda body: index_of.get(body, -1))(self.pairs)
        self._placed: dict[str, Array] = {}

    def place(self, q: Array, poses: Mapping[str, Array]) -> None:
        """Put the robot at joint positions q (n,) and the objects at their poses."""
        for id, X_WO in poses.items():
            if self._placed.get(id) is not X_WO:
                self._placed[id] = X_WO
                for index, shape in self._parts[id]:
                    placement = pin.SE3(X_WO @ shape.X_OS)
                    self.model.geometryObjects[index].placement = placement
                    self.hulls.geometryObjects[index].placement = placement
        full = self._robot.expand(q)
        pin.updateGeometryPlacements(self._robot.model, self._data, self.hulls, self._hull_results, full)
        self._stale = True

    def distance(self, pair: int) -> float:
        """[m] Between the hulls of a pair as placed, never more than between the bodies; negative inside each other."""
        return self.distances([pair])[0]

    def distances(self, pairs: Sequence[int]) -> list[float]:
        """[m] Likewise of many pairs."""
        hulls, results, compute = self.hulls, self._hull_results, pin.computeDistance
        return [compute(hulls, results, pair).min_distance for pair in pairs]

    def touches(self, pair: int) -> bool:
        """Whether the bodies of a pair are in contact as placed."""
        if self._stale:
            pin.updateGeometryPlacements(self._robot.model, self._data, self.model, self._results)
            self._stale = False
        return bool(pin.computeCollision(self.model, self._results, pair))

    def names(self, pair: int) -> tuple[str, str]:
        """Links or objects of a pair."""
        first, second = self.pairs[pair]
        return self.bodies[first], self.bodies[second]

    def pairs_of(self, first: str, second: str) -> list[int]:
        """The pairs of bodies of two links or objects, in either order."""
        return self._numbers.get(frozenset((first, second)), [])

    @cached_property
    def _numbers(self) -> dict[frozenset[str], list[int]]:
        """Pairs by the names of their bodies."""
        numbers: dict[frozenset[str], list[int]] = {}
        for pair in range(len(self.pairs)):
            numbers.setdefault(frozenset(self.names(pair)), []).append(pair)
        return numbers

    def reach_of(self, body: int) -> float:
        """[m] Farthest point of a body from the origin of what carries it: a joint, or its object."""
        item = self.model.geometryObjects[body]
        item.geometry.computeLocalAABB()
        placement = item.placement if item.parentJoint > 0 else pin.SE3.Identity()
        local = np.linalg.norm(placement.act(np.asarray(item.geometry.aabb_center)))
        radius = float(local + item.geometry.aabb_radius)
        if item.parentJoint > 0:
            return radius
        X_OS = next((s.X_OS for parts in self._parts.values() for index, s in parts if index == body), np.eye(4))
        return radius + float(np.linalg.norm(X_OS[:3, 3]))

    def _add(self, name: str, shape: coal.CollisionGeometry, placement: pin.SE3) -> int:
        self.bodies.append(name)
        item = pin.GeometryObject(f"{name}/{len(self.bodies)}", 0, placement, shape)
        return int(self.model.addGeometryObject(item))


def joint_reach(robot: Robot, radii: Sequence[float], bodies: Sequence[int]) -> Array:
    """(n_full, b) [m, or 1 for sliding joints] How fast a body may move when a joint does, in the joint's frame.

    For a turning joint the longest way from it to any point of the body over all configurations; 0 where the joint
    does not carry the body.

    Args:
        robot: The robot.
        radii: [m] Farthest point of each body from its joint.
        bodies: Indices of the bodies in the robot's collision model.
    """
    model, found = robot.model, np.zeros((robot.model.nv, len(bodies)))
    for column, (body, radius) in enumerate(zip(bodies, radii, strict=True)):
        joint, length = robot.collision.geometryObjects[body].parentJoint, radius
        while joint > 0:
            here = model.joints[joint]
            slides = here.shortname().startswith("JointModelP")
            found[here.idx_v, column] = 1.0 if slides else length
            if slides:
                bounds = model.lowerPositionLimit[here.idx_q], model.upperPositionLimit[here.idx_q]
                length += max(abs(float(bound)) for bound in bounds)
            length += float(np.linalg.norm(model.jointPlacements[joint].translation))
            joint = model.parents[joint]
    return found


def _hulls(model: pin.GeometryModel) -> pin.GeometryModel:
    """A copy with every mesh replaced by its convex hull."""
    hulls, done = model.copy(), {}
    for index, body in enumerate(hulls.geometryObjects):
        mesh = body.geometry
        if isinstance(mesh, coal.BVHModelBase):
            key = hash(np.asarray(mesh.vertices()).tobytes())
            if key not in done:
                try:
                    done[key] = convex_hull(mesh.clone())
                except RuntimeError:  # flat, or more than coal can keep: it stays as it is
                    done[key] = mesh
            hulls.geometryObjects[index].geometry = done[key]
    return hulls
