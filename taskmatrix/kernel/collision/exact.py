"""The exact shapes, asked one pair at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array
from taskmatrix.geometry.solids import convex_hull

from .occupancy_body import OccupancyBody

WITHIN = (0.01, 0.1, 1.0, 100.0)  # [m] of a body, in which the nearest box of an occupancy body is looked for
BEYOND = 1e-6  # [m] further than the margin apart coal need not know how far


class Exact:
    """Bodies on the joints of a model, for coal.

    Those of a geometry model have the first numbers; others are added. Contact points are asked for, and iterations
    begin anew each time: without either, coal overlooks a contact now and then (see
    :func:`taskmatrix.geometry.solids.checking_data`).

    Args:
        model: Joints.
        geometry: Bodies and pairs.
        data: Of the model, which others may use as well: nothing in it is kept. One of its own unless given; it takes
            memory with the cube of the joints, 36 MB of a robot with 104.
    """

    pairs: NDArray[np.int64]
    """(p, 2) Bodies of the geometry model's pairs."""

    def __init__(self, model: pin.Model, geometry: pin.GeometryModel, data: pin.Data | None = None) -> None:
        self._model, self._data = model, model.createData() if data is None else data
        pairs = [(pair.first, pair.second) for pair in geometry.collisionPairs]
        self.pairs = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        self._geometry = geometry.copy()
        self._geometry.removeAllCollisionPairs()  # which cost Pinocchio 9 kB each; here those that are asked about do
        point, still = coal.Sphere(0.0), pin.SE3.Identity()
        for joint in range(model.njoints):  # as bodies, the joints are placed with the others
            self._geometry.addGeometryObject(pin.GeometryObject(f"joint {joint}", joint, still, point))
        self._geometry_data = self._geometry.createData()
        self._placed, self._own = self._geometry_data.oMg, geometry.ngeoms
        bodies = list(geometry.geometryObjects)
        self.geometries: list[coal.CollisionGeometry | OccupancyBody] = [body.geometry for body in bodies]
        """By body."""
        self.joints: list[int] = [body.parentJoint for body in bodies]
        """By body: what carries it; 0 for the world."""
        self.placements: list[pin.SE3] = [body.placement for body in bodies]
        """By body: in the frame of its joint."""
        self._poses = [coal.Transform3s() for _ in bodies]
        self._stamps = [-1] * len(bodies)  # when the poses were found; those of what stands still hold for good
        self._now = 0
        self._hulls: dict[int, coal.CollisionGeometry] = {}
        self._queries: dict[tuple[int, int], coal.ComputeCollision] = {}
        self._request = coal.CollisionRequest(coal.CollisionRequestFlag.CONTACT, 1)
        self._request.gjk_initial_guess = coal.GJKInitialGuess.DefaultGuess
        self._result = coal.CollisionResult()

    def add(self, geometry: coal.CollisionGeometry | OccupancyBody, joint: int, placement: pin.SE3) -> None:
        """Add a body, fixed to a joint at a placement."""
        self.geometries.append(geometry)
        self.joints.append(joint)
        self.placements.append(placement)
        self._poses.append(coal.Transform3s())
        self._stamps.append(-1)

    def put(self, body: int, joint: int, placement: pin.SE3) -> None:
        """Put a body elsewhere, in the frame of a joint, or in the world if that is 0."""
        self.joints[body], self.placements[body], self._stamps[body] = joint, placement, -1
        if body < self._own:
            self._geometry.geometryObjects[body].parentJoint = joint
            self._geometry.geometryObjects[body].placement = placement

    def place(self, q: Array) -> None:
        """Put the joints at positions q (nq,)."""
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)
        self._now += 1

    def carry(self, bodies: Iterable[int], X: pin.SE3) -> None:
        """Move bodies in the world, from where the joints have them, until joints are placed again."""
        for body in bodies:
            moved = X * self._at_rest(body)
            self._poses[body].setTransform(moved.rotation, moved.translation)
            self._stamps[body] = self._now
            if body < self._own:
                self._placed[body] = moved

    def are_near(self, first: int, second: int, margin: float) -> bool:
        """Whether two bodies are nearer to each other than a margin [m], as placed."""
        for body, occupancy_body in ((first, self.geometries[second]), (second, self.geometries[first])):
            if isinstance(occupancy_body, OccupancyBody):
                return any(
                    self._is_near_box(body, box, X, margin) for box, X in self._boxes_near(body, occupancy_body, margin)
                )
        query = self._queries.get((first, second))
        if query is None:
            query = coal.ComputeCollision(self.geometries[first], self.geometries[second])
            self._queries[first, second] = query
        self._request.security_margin = margin
        self._request.distance_upper_bound = margin + BEYOND
        self._result.clear()
        return bool(query(self._pose(first), self._pose(second), self._request, self._result))

    def distance(self, first: int, second: int) -> float:
        """[m] Between two bodies as placed; negative inside each other."""
        for body, occupancy_body in ((first, self.geometries[second]), (second, self.geometries[first])):
            if isinstance(occupancy_body, OccupancyBody):
                near = (self._boxes_near(body, occupancy_body, within) for within in WITHIN)
                boxes = next((found for found in near if found), [])
                return min((self._distance(body, box, X) for box, X in boxes), default=np.inf)
        result, request = coal.DistanceResult(), coal.DistanceRequest()
        shapes = self.geometries[first], self.geometries[second]
        return float(coal.distance(shapes[0], self._pose(first), shapes[1], self._pose(second), request, result))

    def depth(self, first: int, second: int) -> float:
        """[m] The same, of which differences can be taken: of meshes inside each other as their convex hulls have it.

        How deep a mesh is coal tells by any of the triangles that it meets.
        """
        distance = self.distance(first, second)
        return self.witness(first, second)[0] if distance <= 0.0 and self._have_meshes(first, second) else distance

    def witness(self, first: int, second: int) -> tuple[float, Array, Array]:
        """[m] Between two bodies as placed, a point (3,) of the first nearest to the second, and the way (3,) there.

        The way is a unit vector; against an occupancy body it is that to the nearest of its boxes. Meshes inside each
        other count as their convex hulls.
        """
        result, request = coal.DistanceResult(), coal.DistanceRequest()
        for body, occupancy_body in ((first, self.geometries[second]), (second, self.geometries[first])):
            if isinstance(occupancy_body, OccupancyBody):
                for box, X in next(
                    filter(None, (self._boxes_near(body, occupancy_body, within) for within in WITHIN)), []
                ):
                    coal.distance(self.geometries[body], self._pose(body), box, X, request, result)
                if body == second:
                    return result.min_distance, result.getNearestPoint2(), -result.normal
                return result.min_distance, result.getNearestPoint1(), result.normal
        shapes = self.geometries[first], self.geometries[second]
        coal.distance(shapes[0], self._pose(first), shapes[1], self._pose(second), request, result)
        if result.min_distance <= 0.0 and self._have_meshes(first, second):
            hulls = self._hull(first), self._hull(second)
            result.clear()
            coal.distance(hulls[0], self._pose(first), hulls[1], self._pose(second), request, result)
        return result.min_distance, result.getNearestPoint1(), result.normal

    def _have_meshes(self, first: int, second: int) -> bool:
        return any(isinstance(self.geometries[body], coal.BVHModelBase) for body in (first, second))

    def _hull(self, body: int) -> coal.CollisionGeometry:
        """The shape of a body; of a mesh its convex hull."""
        geometry = self.geometries[body]
        if not isinstance(geometry, coal.BVHModelBase):
            return geometry
        if body not in self._hulls:
            self._hulls[body] = convex_hull(geometry.clone())
        return self._hulls[body]

    def _boxes_near(
        self, body: int, occupancy_body: OccupancyBody, within: float
    ) -> list[tuple[coal.Box, coal.Transform3s]]:
        """The boxes of an occupancy body that may be within a distance [m] of a body, as placed."""
        low, high = self.boxes([body])
        lows, highs = occupancy_body.near(low[0] - within, high[0] + within)
        centres = (lows + highs) / 2
        return [(coal.Box(*size), coal.Transform3s(c)) for size, c in zip(highs - lows, centres, strict=True)]

    def _is_near_box(self, body: int, box: coal.Box, X_WB: coal.Transform3s, margin: float) -> bool:
        self._request.security_margin = margin
        self._request.distance_upper_bound = margin + BEYOND
        self._result.clear()
        return bool(coal.collide(self.geometries[body], self._pose(body), box, X_WB, self._request, self._result))

    def _distance(self, body: int, box: coal.Box, X_WB: coal.Transform3s) -> float:
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        return float(coal.distance(self.geometries[body], self._pose(body), box, X_WB, request, result))

    def frame(self, number: int) -> pin.SE3:
        """X_WF: pose of a frame of the model, as placed."""
        frame = self._model.frames[number]
        return self._placed[self._own + frame.parentJoint] * frame.placement

    def boxes(self, bodies: Sequence[int]) -> tuple[Array, Array]:
        """(b, 3), (b, 3) [m] Lower and upper corners of boxes around bodies (b,) as placed, along the world's axes."""
        poses = [self._pose(body) for body in bodies]
        R = np.array([pose.getRotation() for pose in poses]).reshape(-1, 3, 3)
        p = np.array([pose.getTranslation() for pose in poses]).reshape(-1, 3)
        low, high = np.array([_box(self.geometries[body]) for body in bodies]).reshape(-1, 2, 3).swapaxes(0, 1)
        centre = p + np.einsum("kij,kj->ki", R, (low + high) / 2)
        half = np.einsum("kij,kj->ki", np.abs(R), (high - low) / 2)
        return centre - half, centre + half

    def _pose(self, body: int) -> coal.Transform3s:
        pose = self._poses[body]
        stamp = self._stamps[body]
        if stamp != self._now and (stamp < 0 or self.joints[body]):
            X = self._pose_in_world(body)
            pose.setTransform(X.rotation, X.translation)
            self._stamps[body] = self._now
        return pose

    def _pose_in_world(self, body: int) -> pin.SE3:
        if body < self._own:
            return self._placed[body]
        return self._at_rest(body)

    def _at_rest(self, body: int) -> pin.SE3:
        """X_WB as the joints have it."""
        joint = self.joints[body]
        return self._placed[self._own + joint] * self.placements[body] if joint else self.placements[body]


def _box(geometry: coal.CollisionGeometry) -> tuple[Array, Array]:
    """(3,), (3,) [m] Lower and upper corner of a shape's bounding box in its own frame."""
    geometry.computeLocalAABB()
    box = geometry.aabb_local
    return np.asarray(box.min_, dtype=float).ravel(), np.asarray(box.max_, dtype=float).ravel()
