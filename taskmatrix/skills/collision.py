"""Exact collision checks of robot, held objects and world, on Pinocchio's geometry model and coal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array, ObjectModel
from taskmatrix.core.skillset import Contact, Touch
from taskmatrix.robots import Robot

from .kinematics import edge_steps
from .shapes import collision_geometry, floor

FLOOR = "floor"


@dataclass(frozen=True, eq=False)
class Body:
    """An object as the checker knows it."""

    model: ObjectModel
    """Its shapes."""
    X_WO: Array
    """(4, 4) Where it is in the world."""
    hand: str | None = None
    """The hand that holds it; then it moves with that hand."""
    X_HO: Array | None = None
    """(4, 4) Where it is in that hand's grasp frame."""


class CollisionChecker:
    """Answers whether a configuration is free, and if not which pair is in contact.

    Checked are: the robot against itself (all pairs but the reviewed ones), the robot against every object and, but
    for its soles, the floor; held objects against all of these but the hand that holds them.

    Args:
        robot: Whose geometry.
        margin: [m] Nothing of the robot comes closer to an object than this; to the floor it may.
        self_margin: [m] Nothing of the robot comes closer to itself than this.
    """

    def __init__(self, robot: Robot, margin: float = 0.0, self_margin: float = 0.0) -> None:
        self.robot = robot
        self.checks = 0
        self._margin, self._self_margin = margin, self_margin
        self._model = robot.model
        self._data = self._model.createData()
        self._link_of = [self._model.frames[body.parentFrame].name for body in robot.collision.geometryObjects]
        self._bodies: dict[str, Body] = {}
        self._touches: dict[str, str] = {}
        self._shapes: dict[str, list[int]] = {}
        self._build()

    def set_bodies(self, bodies: Iterable[Body]) -> None:
        """Replace the world; only what moved is touched when the objects and who holds them are the same."""
        new = {body.model.id: body for body in bodies}
        same = list(new) == list(self._bodies) and all(
            body.model is self._bodies[id].model
            and body.hand == self._bodies[id].hand
            and (body.hand is None or np.allclose(body.X_HO, self._bodies[id].X_HO, atol=1e-9))
            for id, body in new.items()
        )
        old, self._bodies = self._bodies, new
        if not same:
            self._build()
            return
        for id, body in new.items():
            if body.hand is None and not np.array_equal(body.X_WO, old[id].X_WO):
                self._place(body)

    def set_touches(self, touches: Iterable[Touch]) -> None:
        """Permit contact of the touching links of hands with one object each."""
        wanted = {touch.hand: touch.object for touch in touches}
        if wanted != self._touches:
            self._touches = wanted
            self._apply_touches()

    def contact(self, q: Array) -> Contact | None:
        """The deepest contact at joint positions q (n,), or None when the configuration is free."""
        if self.is_free(q):
            return None
        full = self.robot.expand(q)
        pin.computeCollisions(self._model, self._data, self._geometry, self._geometry_data, full, False)
        found = None
        for index, result in enumerate(self._geometry_data.collisionResults):
            if self._geometry_data.activeCollisionPairs[index] and result.isCollision():
                distance = pin.computeDistance(self._geometry, self._geometry_data, index).min_distance
                pair = self._geometry.collisionPairs[index]
                if found is None or distance < found.distance:
                    found = Contact(self._names[pair.first], self._names[pair.second], float(distance))
        return found

    def is_free(self, q: Array) -> bool:
        """Whether joint positions q (n,) are free of contact."""
        self.checks += 1
        return not pin.computeCollisions(self._model, self._data, self._broad_phase, self.robot.expand(q), True)

    def edge_is_free(self, start: Array, end: Array, displacement: Array, resolution: float) -> bool:
        """Whether the straight line between two configurations is free; ``start`` itself is not checked.

        The samples are visited in the order in which a contact is most likely met early: the end, then halves.
        """
        pieces = edge_steps(displacement, start, end, resolution)
        return all(self.is_free(start + (end - start) * fraction) for fraction in bisection(pieces))

    def relax(self, q: Array) -> None:
        """Let go of the margins of those pairs that are closer than them at q (n,), so that it counts as free."""
        full = self.robot.expand(q)
        pin.computeCollisions(self._model, self._data, self._geometry, self._geometry_data, full, False)
        for index, result in enumerate(self._geometry_data.collisionResults):
            if result.isCollision():
                self._geometry_data.collisionRequests[index].security_margin = 0.0

    def _build(self) -> None:
        geometry = self.robot.collision.copy()
        own = len(self._link_of)
        names = list(self._link_of)
        self_pairs = len(geometry.collisionPairs)
        soles = set(self.robot.floor_links)
        movable = [index for index in range(own) if geometry.geometryObjects[index].parentJoint > 0]
        ground, placement = floor()
        geometry.addGeometryObject(pin.GeometryObject(FLOOR, 0, placement, ground))
        names.append(FLOOR)
        floor_pairs = [(index, own) for index in movable if self._link_of[index] not in soles]
        pairs = list(floor_pairs)
        self._shapes = {}
        self._touchable: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for id, body in self._bodies.items():
            pairs += self._add_object(geometry, names, id, body, movable)
        for first, second in pairs:
            geometry.addCollisionPair(pin.CollisionPair(first, second))
        self._geometry, self._names = geometry, names
        self._geometry_data = geometry.createData()
        for index, request in enumerate(self._geometry_data.collisionRequests):
            if index >= self_pairs + len(floor_pairs):
                request.security_margin = self._margin
            elif index < self_pairs:
                request.security_margin = self._self_margin
        self._pair_index = {(pair.first, pair.second): k for k, pair in enumerate(geometry.collisionPairs)}
        for body in self._bodies.values():
            if body.hand is None:
                self._place(body)
        self._broad_phase = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(
            self._model, self._geometry, self._geometry_data
        )
        self._apply_touches()

    def _add_object(
        self, geometry: pin.GeometryModel, names: list[str], id: str, body: Body, movable: list[int]
    ) -> list[tuple[int, int]]:
        joint, placement, holding = 0, pin.SE3.Identity(), set[str]()
        if body.hand is not None:
            hand = self.robot.hands[body.hand]
            link = self._model.frames[self._model.getFrameId(hand.frame)]
            joint = link.parentJoint
            placement = link.placement * pin.SE3(hand.X_LH) * pin.SE3(body.X_HO)
            holding = set(hand.touch)
        others = [index for index in range(len(self._link_of), len(names))]
        pairs = []
        self._shapes[id] = []
        for number, shape in enumerate(body.model.shapes):
            if not shape.collides:
                continue
            item = pin.GeometryObject(
                f"{id}/{number}", joint, placement * pin.SE3(shape.X_OS), collision_geometry(shape)
            )
            index = geometry.addGeometryObject(item)
            names.append(id)
            self._shapes[id].append(index)
            for link_index in movable:
                if self._link_of[link_index] not in holding:
                    pairs.append((link_index, index))
            for other in others:
                if joint != geometry.geometryObjects[other].parentJoint:
                    pairs.append((other, index))
        return pairs

    def _place(self, body: Body) -> None:
        X_WO = pin.SE3(body.X_WO)
        solid = [shape for shape in body.model.shapes if shape.collides]
        for index, shape in zip(self._shapes[body.model.id], solid, strict=True):
            self._geometry.geometryObjects[index].placement = X_WO * pin.SE3(shape.X_OS)

    def _apply_touches(self) -> None:
        active = self._geometry_data.activeCollisionPairs
        for index in range(len(active)):
            active[index] = True
        for hand, id in self._touches.items():
            links = set(self.robot.hands[hand].touch)
            for first, link in enumerate(self._link_of):
                if link in links:
                    for second in self._shapes.get(id, ()):
                        pair = self._pair_index.get((first, second))
                        if pair is not None:
                            active[pair] = False


def bisection(pieces: int) -> list[float]:
    """Fractions of an edge cut into ``pieces``: its end, its middle, the quarters, and so on; not its start.

    Example:
        >>> bisection(4)
        [1.0, 0.5, 0.25, 0.75]
    """
    order = _ORDERS.get(pieces)
    if order is None:
        order, stride = [1.0], 1
        while stride < pieces:
            stride *= 2
        seen = {pieces}
        while stride >= 1:
            for k in range(stride, pieces, stride):
                if k not in seen:
                    seen.add(k)
                    order.append(k / pieces)
            stride //= 2
        _ORDERS[pieces] = order
    return order


_ORDERS: dict[int, list[float]] = {}


def bodies_of(objects: Mapping[str, tuple[ObjectModel, Array]], held: Mapping[str, tuple[str, Array]]) -> list[Body]:
    """Bodies from poses by id and, by hand, the object held and its pose X_HO in the hand."""
    holders = {id: (hand, X_HO) for hand, (id, X_HO) in held.items()}
    return [Body(model, X_WO, *holders.get(id, (None, None))) for id, (model, X_WO) in objects.items()]
