"""Exact collision checks of robot, held objects and world, on Pinocchio's geometry model and coal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.objects import Array, ObjectModel
from taskmatrix.core.skillset import Contact, Indices, Touch
from taskmatrix.robots import Robot

from .displacement import ball_around, displacement_bounds
from .kernel.checker import Checker
from .kernel.grids import Tables
from .kernel.kernel import Hulls
from .kernel.skeleton import Skeleton
from .kernel.swept import hulls
from .kernel.tables import tables
from .kernel.tree_planner import TreePlanner
from .shapes import collision_geometry, floor

FLOOR = "floor"
NEIGHBOURS = 3  # joints or fewer between two bodies of the robot
TOUCHING = 1e-6  # [m] the least margin: without it coal overlooks a deep contact now and then


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

    def is_held_as(self, other: Body) -> bool:
        """Whether it is the same object in the same place in the same hand, or in none."""
        if self.model is not other.model or self.hand != other.hand:
            return False
        if self.X_HO is None or self.X_HO is other.X_HO:
            return True
        return other.X_HO is not None and np.allclose(self.X_HO, other.X_HO, atol=1e-9)


class CollisionChecker:
    """Answers whether a configuration is free, and if not which pair is in contact.

    Checked are: the robot against itself (all pairs but the reviewed ones), the robot against every object and, but
    for its soles, the floor; held objects against all of these but the hand that holds them.

    Args:
        robot: Whose geometry.
        margin: [m] Nothing of the robot comes closer to an object than this; to the floor it may.
        self_margin: [m] Nothing of the robot comes closer to itself than this, but for bodies two joints apart.
    """

    def __init__(self, robot: Robot, margin: float = 0.0, self_margin: float = 0.0) -> None:
        self.robot = robot
        self._earlier_checks = 0
        self._margin, self._self_margin = max(margin, TOUCHING), max(self_margin, TOUCHING)
        self._model = robot.model
        self._data = self._model.createData()
        self._link_of = [self._model.frames[body.parentFrame].name for body in robot.collision.geometryObjects]
        self._moved_by = _moved_by(robot)
        self._bodies: dict[str, Body] = {}
        self._touches: frozenset[Touch] = frozenset()
        self._moving: Indices | None = None
        self._build()

    @property
    def checks(self) -> int:
        """How often one configuration, or sixteen at once, were looked at."""
        return self._earlier_checks + self._exact.checks

    def set_bodies(self, bodies: Iterable[Body]) -> None:
        """Replace the world; only what moved is touched when the objects and who holds them are the same.

        What does not collide is left out.
        """
        new = {body.model.id: body for body in bodies if any(shape.collides for shape in body.model.shapes)}
        same = list(new) == list(self._bodies) and all(body.is_held_as(self._bodies[id]) for id, body in new.items())
        old, self._bodies = self._bodies, new
        if not same:
            self._earlier_checks = self.checks
            self._build()
            return
        for id, body in new.items():
            if body.hand is None and body.X_WO is not old[id].X_WO and not np.array_equal(body.X_WO, old[id].X_WO):
                self._place(body)

    def set_touches(self, touches: Iterable[Touch]) -> None:
        """Permit contact of the touching links of hands with objects, and nearness of what hands hold to them."""
        wanted = frozenset(touches)
        if wanted != self._touches:
            self._touches = wanted
            self._activate()

    def set_moving(self, joints: Indices | None) -> None:
        """Check only pairs that come nearer or further when ``joints`` (k,) move; None: all pairs again."""
        self._changing = self._changing_pairs(joints)
        self._moving = joints
        self._activate()

    def contact(self, q: Array) -> Contact | None:
        """The deepest contact at joint positions q (n,), or None when the configuration is free."""
        if self.is_free(q):
            return None
        contacts = [
            Contact(
                self._names[self._geometry.collisionPairs[index].first],
                self._names[self._geometry.collisionPairs[index].second],
                float(pin.computeDistance(self._geometry, self._geometry_data, index).min_distance),
            )
            for index in self._colliding(q)
        ]
        return min(contacts, key=lambda contact: contact.distance, default=None)

    def is_free(self, q: Array) -> bool:
        """Whether joint positions q (n,) are free of contact."""
        return self._exact.is_free(self.robot.expand(q))

    def are_free(self, Q: Array) -> NDArray[np.bool_]:
        """(m,) Whether each of joint positions Q (m, n) is free of contact."""
        return self._exact.are_free(self._expanded(Q))

    def contacts(self, Q: Array) -> list[tuple[str, str] | None]:
        """For each of joint positions Q (m, n) a pair in contact, or None where it is free."""
        return self._named(self._exact.first_touching(self._expanded(Q)))

    def first_not_free(self, Q: Array) -> int | None:
        """The number of the first of joint positions Q (m, n) that is not free of contact; None if all are."""
        return self._exact.first_not_free(self._expanded(Q))

    def edge_is_free(self, start: Array, end: Array) -> bool:
        """Whether the straight line between two configurations (n,) is free, and its end with all margins.

        In between nothing is missed: bodies with a margin do not touch, others not by more than a millimetre.
        """
        return self._exact.edge_is_free(self.robot.expand(start), self.robot.expand(end))

    def planner(self, q: Array, joints: Indices, lower: Array, upper: Array, weights: Array) -> TreePlanner:
        """What plans for some joints with the bodies, permissions and margins of now.

        Args:
            q: (n,) Positions of all joints; those that are not planned for stay.
            joints: (k,) To plan for.
            lower: (k,) [rad, m] Where to look for paths.
            upper: (k,)
            weights: (k,) [m/rad, m/m] How far the robot moves with each.
        """
        still = q.copy()
        still[joints] = 0.0
        return TreePlanner(self._exact, self.robot.expand(still), self.robot.S[:, joints], lower, upper, weights)

    def names(self, pair: int) -> tuple[str, str]:
        """Link or object id of both bodies of a pair."""
        first, second = self._pairs[pair]
        return self._names[first], self._names[second]

    def relax(self, configurations: Iterable[Array], more: bool = False) -> None:
        """Let go of the margins of pairs that are closer than them at any of these q (n,).

        What is free of contact there then counts as free. All other pairs get their margins back, or, with ``more``,
        stay as they are.
        """
        if not more:
            self._relaxed = set()
            self._apply_margins(range(len(self._pairs)))
        close = {index for q in configurations for index in self._colliding(q)}
        self._relaxed |= close
        self._apply_margins(close)

    def radius(self, q: Array) -> float:
        """[m] How far the robot, or what it holds, is from its base's axis at most, at joint positions q (n,)."""
        data = self._geometry_data
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, data, self.robot.expand(q))
        carried = [k for k, body in enumerate(self._geometry.geometryObjects) if body.parentJoint > 0]
        R = np.array([data.oMg[k].rotation for k in carried])
        p = np.array([data.oMg[k].translation for k in carried])
        centre = p + np.einsum("kij,kj->ki", R, self._centre[carried])
        half = np.einsum("kij,kj->ki", np.abs(R), self._half[carried])
        return float(np.linalg.norm(np.abs(centre[:, :2] - q[:2]) + half[:, :2], axis=1).max())

    def holds(self, hand: str) -> str | None:
        """Id of the object that a hand holds."""
        return next((id for id, body in self._bodies.items() if body.hand == hand), None)

    def near_held(self, q: Array) -> list[Touch]:
        """Who holds something that is closer to another object than the margins, at joint positions q (n,)."""
        found: set[tuple[str, str]] = set()
        for index in self._colliding(q):
            names = [self._names[k] for k in self._pairs[index] if k >= len(self._link_of)]
            for id in names if len(names) == 2 else ():
                hand = self._bodies[id].hand if id in self._bodies else None
                if hand is not None:
                    found.add((hand, names[0] if id == names[1] else names[1]))
        return [Touch(hand, id) for hand, id in sorted(found)]

    def displacement(self, robot: Array) -> Array:
        """(n,) [m/rad or m/m] How far any point moves with each joint: the robot's (n,), or more with what it holds."""
        held = [index for id, body in self._bodies.items() if body.hand for index in self._shapes[id]]
        if not held:
            return robot
        return displacement_bounds(self.robot, [ball_around(self._geometry.geometryObjects[index]) for index in held])

    def hand_contacts(self, hand: str, X: Array, q: Array) -> list[tuple[str, str] | None]:
        """Where a hand alone, cut off its arm, or what it holds would touch the world, and which pair.

        Far cheaper than finding configurations first: a pose at which the hand does not fit needs none.

        Args:
            hand: Name of the hand.
            X: (m, 4, 4) Poses of its grasp frame.
            q: (n,) Positions of its fingers, and of all else.

        Returns:
            For each pose a pair in contact, or None.
        """
        found, full = self.robot.hands[hand], self.robot.expand(q)
        pin.forwardKinematics(self._model, self._data, full)
        frame = self._model.getFrameId(found.frame)
        X_WH = pin.updateFramePlacement(self._model, self._data, frame).homogeneous @ found.X_LH
        carried = self._model.subtrees[self._model.frames[frame].parentJoint].tolist()
        joints = np.array([body.parentJoint for body in self._geometry.geometryObjects])
        inside = np.isin(joints, carried)[self._pairs]
        asked = np.flatnonzero(np.any(inside & (joints == 0)[self._pairs[:, ::-1]], axis=1))
        bodies = np.unique(self._pairs[asked][inside[asked]]).tolist()
        return self._named(self._exact.first_touching_elsewhere(bodies, asked, full, X_WH, X))

    def _named(self, pairs: NDArray[np.intp]) -> list[tuple[str, str] | None]:
        """Names of the bodies of pairs (m,); None for -1."""
        return [
            None if pair < 0 else (self._names[self._pairs[pair, 0]], self._names[self._pairs[pair, 1]])
            for pair in pairs
        ]

    def _expanded(self, Q: Array) -> Array:
        """(m, nq) Positions of the model for active ones (m, n)."""
        full: Array = Q @ self.robot.S.T + self.robot.c
        return full

    def _colliding(self, q: Array) -> list[int]:
        """Numbers of the pairs in contact; all of them, whereas :meth:`is_free` stops at the first."""
        data = self._geometry_data
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, data, self.robot.expand(q))
        return self._touching(np.ones(len(self._pairs), dtype=bool))

    def _touching(self, asked: NDArray[np.bool_]) -> list[int]:
        """Numbers of those of the pairs asked for (pairs,) that are in contact where the bodies are placed now."""
        data = self._geometry_data
        R = np.array([placement.rotation for placement in data.oMg])
        centre = np.array([placement.translation for placement in data.oMg]) + np.einsum("kij,kj->ki", R, self._centre)
        half = np.einsum("kij,kj->ki", np.abs(R), self._half) + max(self._margin, self._self_margin)
        first, second = self._pairs.T
        overlap = (np.abs(centre[first] - centre[second]) <= half[first] + half[second]).all(axis=1)
        near = np.flatnonzero(asked & self._active & overlap).tolist()
        return [index for index in near if pin.computeCollision(self._geometry, data, index)]

    def _build(self) -> None:
        geometry = self.robot.collision.copy()
        own = len(self._link_of)
        names = list(self._link_of)
        soles = set(self.robot.floor_links)
        movable = [index for index in range(own) if geometry.geometryObjects[index].parentJoint > 0]
        ground, placement = floor()
        geometry.addGeometryObject(pin.GeometryObject(FLOOR, 0, placement, ground))
        names.append(FLOOR)
        pairs = [(pair.first, pair.second) for pair in geometry.collisionPairs]
        pairs += [(index, own) for index in movable if self._link_of[index] not in soles]
        self._shapes: dict[str, list[int]] = {}
        for id, body in self._bodies.items():
            pairs += self._add_object(geometry, names, id, body, movable)
        wanted = np.zeros((len(names), len(names)), dtype=bool)
        wanted[tuple(np.sort(pairs, axis=1).T)] = True
        geometry.setCollisionPairs(wanted, True)  # one by one would be compared with all before
        self._geometry, self._names = geometry, names
        self._pairs = np.argwhere(wanted)
        self._margins = self._margins_of(self._pairs)
        self._pair_index = {pair: index for index, pair in enumerate(map(tuple, self._pairs.tolist()))}
        self._active = np.ones(len(self._pairs), dtype=bool)
        self._near: set[int] = set()
        loose = [index for indices in self._shapes.values() for index in indices]
        self._exact = Checker(
            self._model, geometry, loose, _hulls_of(self.robot), _skeleton_of(self.robot), _tables_of(self.robot)
        )
        self._geometry_data = self._exact.geometry_data
        self.relax([])
        boxes = [_box(body.geometry) for body in geometry.geometryObjects]
        self._centre = np.array([(upper + lower) / 2 for lower, upper in boxes])
        self._half = np.array([(upper - lower) / 2 for lower, upper in boxes])
        for body in self._bodies.values():
            if body.hand is None:
                self._place(body)
        self._changing = self._changing_pairs(self._moving)
        self._activate()

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
        others = list(range(len(self._link_of), len(names)))
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
            self._exact.put(index, X_WO * pin.SE3(shape.X_OS))

    def _margins_of(self, pairs: NDArray[np.int64]) -> list[float]:
        """[m] Margin of each pair (k, 2) of bodies; neighbours in the robot are built close to each other."""
        own = len(self._link_of)
        moved = self._moved_by[[body.parentJoint for body in self._geometry.geometryObjects]]
        apart = np.count_nonzero(moved[pairs[:, 0]] != moved[pairs[:, 1]], axis=1)
        between = np.where(apart <= NEIGHBOURS, max(self._self_margin / 4, TOUCHING), self._self_margin)
        others = np.where((pairs == own).any(axis=1), TOUCHING, self._margin)
        margins: list[float] = np.where((pairs < own).all(axis=1), between, others).tolist()
        return margins

    def _changing_pairs(self, joints: Indices | None) -> NDArray[np.bool_]:
        """(pairs,) Which pairs come nearer or further when joints (k,) move; None: all."""
        if joints is None:
            return np.ones(len(self._pairs), dtype=bool)
        moving = (self.robot.S[:, joints] != 0).any(axis=1)
        moved = self._moved_by[[body.parentJoint for body in self._geometry.geometryObjects]][:, moving]
        changing: NDArray[np.bool_] = (moved[self._pairs[:, 0]] != moved[self._pairs[:, 1]]).any(axis=1)
        return changing

    def _activate(self) -> None:
        """Leave out the pairs that may touch, and those whose distance cannot change; note those that may be near."""
        wanted = self._changing.copy()
        before, self._near = self._near, set()
        for touch in self._touches:
            held = self.holds(touch.hand)
            for index in self._pairs_of(touch, held):
                if held is None:
                    wanted[index] = False
                else:
                    self._near.add(index)
        self._exact.activate(wanted)
        self._active = wanted
        self._apply_margins(before ^ self._near)

    def _pairs_of(self, touch: Touch, held: str | None) -> list[int]:
        """Pairs that a permission is about: the hand's links, or what it holds, with the object."""
        links = set(self.robot.hands[touch.hand].touch)
        own = [k for k, link in enumerate(self._link_of) if link in links] if held is None else self._shapes[held]
        others = [len(self._link_of)] if touch.object == FLOOR else self._shapes.get(touch.object, [])
        pairs = [(min(pair), max(pair)) for pair in product(own, others)]
        return [self._pair_index[pair] for pair in pairs if pair in self._pair_index]

    def _apply_margins(self, pairs: Iterable[int]) -> None:
        changed = list(pairs)
        bare = self._relaxed | self._near
        margins = [TOUCHING if index in bare else self._margins[index] for index in changed]
        self._exact.set_margins(changed, margins)


@lru_cache(maxsize=16)
def _skeleton_of(robot: Robot) -> Skeleton:
    return Skeleton.of(robot.model)


@lru_cache(maxsize=16)
def _hulls_of(robot: Robot) -> tuple[Hulls, ...]:
    return tuple(hulls(body.geometry) for body in robot.collision.geometryObjects)


@lru_cache(maxsize=16)
def _tables_of(robot: Robot) -> Tables:
    return tables(robot.model, robot.collision, _hulls_of(robot), _skeleton_of(robot))


def _box(geometry: coal.CollisionGeometry) -> tuple[Array, Array]:
    """(3,), (3,) [m] Lower and upper corner of a shape's bounding box in its own frame."""
    geometry.computeLocalAABB()
    box = geometry.aabb_local
    return np.asarray(box.min_, dtype=float).ravel(), np.asarray(box.max_, dtype=float).ravel()


def _moved_by(robot: Robot) -> NDArray[np.bool_]:
    """(njoints, n_full) Which joints of the model move in the world with which full coordinates."""
    model = robot.model
    moved = np.zeros((model.njoints, model.nv), dtype=bool)
    for joint in range(1, model.njoints):
        moved[joint] = moved[model.parents[joint]]
        moved[joint, model.joints[joint].idx_v] = True
    return moved


def bodies_of(objects: Mapping[str, tuple[ObjectModel, Array]], held: Mapping[str, tuple[str, Array]]) -> list[Body]:
    """Bodies from poses by id and, by hand, the object held and its pose X_HO in the hand."""
    holders = {id: (hand, X_HO) for hand, (id, X_HO) in held.items()}
    return [Body(model, X_WO, *holders.get(id, (None, None))) for id, (model, X_WO) in objects.items()]
