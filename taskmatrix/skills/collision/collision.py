"""Exact collision checks of robot, held objects and world, on Pinocchio's geometry model and coal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.robot.plans import AllowedContact, Contact, Indices
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.occupancy import Boxes, Space
from taskmatrix.kernel.collision.checker import TOUCHING
from taskmatrix.kernel.collision.dynamic_scene import Piece
from taskmatrix.kernel.paths.tree_planner import TreePlanner
from taskmatrix.robots import Robot

from ..kinematics.displacement import ball_around, displacement_bounds
from ..tolerances import PRESSED
from .bodies import Body, built_with, changes, expect_positions
from .pairing import Pairing
from .pressing import may_press
from .proximity import proximity
from .shapes import checker_of, floor, occupancy_body_of, parts

FLOOR = "floor"
OCTREE = "octree"
"""What contacts call the occupied cells of the map."""
UNSEEN = "unseen"
"""What they call space that nobody has looked at yet."""
SLIVER = 2e-4  # [m] by which two cylinders or cones may seem nearer to the kernel than they are
SPARE = 64  # bodies that are gone and kept for when they come back, and as many again as there are


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
        self.robot, self._model = robot, robot.model
        self._margin, self._self_margin = margin, self_margin
        self._pairing = Pairing(robot)
        self._earlier_checks = 0
        self._given: list[Body] = []
        self._bodies: dict[str, Body] = {}
        self._carried: list[str] = []  # ids of what moves with a hand
        self._held: dict[str, tuple[str, ...]] = {}  # by id of an object, the hands that hold it
        self._allowed_contacts: frozenset[AllowedContact] = frozenset()
        self._links = {leg.limb: leg.links for leg in robot.legs} | {h.name: h.touch for h in robot.hands.values()}
        self._moving: Indices | None = None
        self._space: dict[str, Boxes] = {}
        self._begin()
        self._pair_up()

    @property
    def checks(self) -> int:
        """How often one configuration, or sixteen at once, were looked at."""
        return self._earlier_checks + self._exact.checks

    @property
    def bodies(self) -> Mapping[str, Body]:
        """The world, by id; of what collides."""
        return self._bodies

    def set_bodies(self, bodies: Iterable[Body]) -> bool:
        """Replace the world. It costs what has changed: to move an object microseconds, to take one up or add one more.

        What does not collide is left out. True where there are other pairs now: all have their margins again.

        Raises:
            ParameterError: The pose of an object is not one of finite numbers.
        """
        bodies = list(bodies)
        if bodies == self._given:
            return False
        old = self._bodies
        new, moved, changed = changes(old, bodies)
        self._given, self._bodies = bodies, new
        self._carried = [id for id, body in new.items() if body.hand is not None]
        self._held = {id: new[id].holders for id in self._carried if not new[id].travels}
        if changed:
            self._replace(old)
        for body in moved:
            self._place(body, self._numbers[body.model.id])
        if changed:
            self._pair_up()
        return changed

    def set_space(self, space: Space | None) -> bool:
        """Take up a map: what is occupied is in the way, and what is unseen where the map says so; None: no map.

        A map that has changed costs its boxes and no pairs. True where there are other pairs now, as above.
        """
        wanted = {} if space is None else {OCTREE: space.occupied, UNSEEN: space.unseen}
        old, self._space = self._space, {name: boxes for name, boxes in wanted.items() if boxes is not None}
        for name, boxes in self._space.items():
            if name in self._maps and boxes is not self._tiled[name]:
                self._tiled[name] = boxes
                self._exact.replace_boxes(self._maps[name], occupancy_body_of(boxes))
        if old.keys() == self._space.keys():
            return False
        self._add_maps()
        self._pair_up()
        return True

    def set_allowed_contacts(self, allowed_contacts: Iterable[AllowedContact]) -> None:
        """Permit contact of the touching links of hands with objects, and nearness of what hands hold to them."""
        wanted = frozenset(allowed_contacts)
        if wanted != self._allowed_contacts:
            self._allowed_contacts = wanted
            self._apply()

    def set_moving(self, joints: Indices | None) -> None:
        """Check only pairs that come nearer or further when ``joints`` (k,) move; None: all pairs again."""
        self._moving = joints
        self._changing = self._changing_pairs()
        self._apply()

    def contact(self, q: Array) -> Contact | None:
        """The deepest contact at joint positions q (n,), or None when the configuration is free."""
        return min(self.all_contacts(q), key=lambda contact: contact.distance, default=None)

    def all_contacts(self, q: Array, near: float = 0.0) -> list[Contact]:
        """Every contact at joint positions q (n,); of a link and an object the deepest of their shapes.

        With ``near`` [m] also what is as near to an object, and parts of the robot that hardly anything is between.
        """
        self._exact.checks += 1
        deepest: dict[tuple[str, str], float] = {}
        for pair in self.touching(q, near, objects=True):
            names, (first, second) = self.names(pair), self._pairs[pair].tolist()
            distance = self._exact.exact.depth(first, second)
            if distance <= TOUCHING or not near or second != self._pairing.floor:
                deepest[names] = min(distance, deepest.get(names, np.inf))
        return [Contact(*names, distance) for names, distance in deepest.items()]

    def is_free(self, q: Array) -> bool:
        """Whether joint positions q (n,) are free of contact."""
        return self._exact.is_free(self._full(q))

    def are_free(self, Q: Array) -> NDArray[np.bool_]:
        """(m,) Whether each of joint positions Q (m, n) is free of contact."""
        return self._exact.are_free(self._all_full(Q))

    def contacts(self, Q: Array) -> list[tuple[str, str] | None]:
        """For each of joint positions Q (m, n) a pair in contact, or None where it is free."""
        return self._named(self._exact.first_touching(self._all_full(Q)))

    def first_not_free(self, Q: Array) -> int | None:
        """The number of the first of joint positions Q (m, n) that is not free of contact; None if all are."""
        return self._exact.first_not_free(self._all_full(Q))

    def edge_is_free(self, start: Array, end: Array) -> bool:
        """Whether the straight line between two configurations (n,) is free, and its end with all margins.

        In between nothing is missed: bodies with a margin do not touch, others not by more than a millimetre.
        """
        return self._exact.edge_is_free(self._full(start), self._full(end))

    def planner(
        self, q: Array, joints: Indices, lower: Array, upper: Array, weights: Array, base: Indices | None = None
    ) -> TreePlanner:
        """What plans for some joints with the bodies, permissions and margins of now.

        Args:
            q: (n,) Positions of all joints; those that are not planned for stay.
            joints: (k,) To plan for.
            lower: (k,) [rad, m] Where to look for paths.
            upper: (k,)
            weights: (k,) [m/rad, m/m] How far the robot moves with each.
            base: (3,) Which of them are x, y and yaw of a base that only turns and rolls.
        """
        still = q.copy()
        still[joints] = 0.0
        tight = self._exact.tight(self._full(q))
        return TreePlanner(self._exact, self._full(still), self.robot.S[:, joints], lower, upper, weights, base, tight)

    def names(self, pair: int) -> tuple[str, str]:
        """Link or object id of both bodies of a pair."""
        first, second = self._pairs[pair]
        return self._names[first], self._names[second]

    def relax(self, configurations: Iterable[Array], more: bool = False, near: float = 0.0) -> None:
        """Let go of the margins of pairs that are closer than them and ``near`` [m] at any of these q (n,).

        What is free of contact there then counts as free. All other pairs get their margins back, or, with ``more``,
        stay as they are.
        """
        if not more and self._relaxed.any():
            self._relaxed[:] = False
            self._apply()
        close = [pair for q in configurations for pair in self._close(q, near)]
        if close:
            self._relaxed[close] = True
            self._apply()

    def _close(self, q: Array, near: float) -> list[int]:
        """Pairs closer than their margins and ``near`` [m] at q (n,), with those that may seem so to the kernel."""
        return self.touching(q, near + SLIVER) if near else self._exact.touching(self._full(q), SLIVER)

    def relax_contact(self, touch: AllowedContact) -> None:
        """Let go of the margins between a hand, or what it holds, and an object as well: still they may not touch."""
        self._relaxed[self.pairs_of(touch)] = True
        self._apply()

    def extent(self, q: Array, above: float = -np.inf) -> tuple[float, float]:
        """[m] How far the robot, or what it holds, is from its base's axis at most, and how high; at q (n,).

        Of the bodies that are in part above a height [m], if one is given.
        """
        live = [*range(self._pairing.floor), *(number for held in self._numbers.values() for number in held)]
        self._exact.exact.place(self._full(q))
        low, high = self._exact.exact.boxes([body for body in live if self._exact.joints[body] > 0])
        furthest = np.maximum(np.abs(low[:, :2] - q[:2]), np.abs(high[:, :2] - q[:2]))[high[:, 2] > above]
        return float(np.linalg.norm(furthest, axis=1).max(initial=0.0)), float(high[:, 2].max())

    def holds(self, hand: str) -> str | None:
        """Id of the object that a hand holds."""
        return next((id for id, hands in self._held.items() if hand in hands), None)

    def penetrations(self, q: Array, near: float = 0.0) -> list[AllowedContact]:
        """Let hands that hold, and what they hold, be in what they are in at positions q (n,), if no deeper than 3 mm.

        With ``near`` [m] also in what they are as near to: in the next moment they may be in it. That is for what they
        stand on or hang on, not for what they are beside.

        What is held in the hand that holds it always, both in another object or the floor while a touch of that is
        permitted: one of those returned, say. Everywhere else nothing is let go of any more.
        """
        if self._penetrating.any():
            self._penetrating[:] = False
            self._apply()
        holders = {number: hands[0] for id, hands in self._held.items() for number in self._numbers[id]}
        found = []
        for pair in self.touching(q, near) if holders else ():
            first, second = self._pairs[pair].tolist()
            hand = holders.get(first) or holders.get(second) or self._holding(first) or self._holding(second)
            things = [number for number in (first, second) if number >= self._pairing.floor]
            others = [number for number in things if number not in holders] or things[1:]
            if hand is None or not may_press(self._exact.exact, first, second, near, in_hand=not others):
                continue
            if others:
                found.append(AllowedContact(hand, self._names[others[0]]))
                self._penetrating[pair] = True
            elif things and self._is_of(hand, first if second == things[0] else second):
                self._penetrating[pair] = True
        if self._penetrating.any():
            self._apply()
        return list(dict.fromkeys(found))

    def pressing(self, q: Array) -> list[Contact]:
        """Contacts that are let, as :meth:`penetrations` says, and deeper at q (n,) than 1 mm."""
        pairs = np.flatnonzero(self._penetrating).tolist()
        depths = zip(pairs, self.distances(pairs, q).tolist(), strict=True) if pairs else ()
        return [Contact(*self.names(pair), distance) for pair, distance in depths if distance < -PRESSED]

    def nearer_than(self, q: Array, within: float) -> tuple[Array, Array]:
        """(m,) [m] Distances of pairs nearer than ``within`` [m] at q (n,), and (m, n) how joints change them."""
        return self.proximity(self.touching(q, within), q)

    def proximity(self, pairs: Sequence[int], q: Array) -> tuple[Array, Array]:
        """(m,) [m] Distances of numbered pairs (m,) at q (n,), and (m, n) how joints change them."""
        bodies = self._pairs[np.asarray(pairs, dtype=np.intp)]
        distances, gradients = proximity(self.robot, self._exact.exact, bodies, self._full(q))
        return distances, gradients @ self.robot.S

    def distances(self, pairs: Sequence[int], q: Array) -> Array:
        """(m,) [m] Distances of numbered pairs (m,) at q (n,); negative inside each other."""
        self._exact.exact.place(self._full(q))
        return np.array([self._exact.exact.depth(*self._pairs[pair].tolist()) for pair in pairs])

    def margins(self, pairs: Sequence[int]) -> Array:
        """(m,) [m] Margins of numbered pairs, as they are now."""
        margins: Array = self._exact.margins[np.asarray(pairs, dtype=np.intp)]
        return margins

    def leave_out(self, pairs: Sequence[int]) -> None:
        """Do not check numbered pairs until this is called again; with none, check all."""
        if len(pairs) or self._left_out.any():
            self._left_out[:] = False
            self._left_out[np.asarray(pairs, dtype=np.intp)] = True
            self._apply()

    def near_held(self, q: Array) -> list[AllowedContact]:
        """Which hands are, with what they hold or the links that touch it, closer to an object than the margins."""
        held, found = self._held, set[tuple[str, str]]()
        for pair in self._pairs[self.touching(q)].tolist() if held else ():
            names = [self._names[k] for k in pair if k >= self._pairing.floor]
            for id in held.keys() & names if len(names) == 2 else ():
                found.add((held[id][0], names[0] if id == names[1] else names[1]))
            hand = self._holding(min(pair))
            if len(names) == 1 and names[0] not in held and hand is not None:
                found.add((hand, names[0]))
        return [AllowedContact(hand, id) for hand, id in sorted(found)]

    def displacement(self, robot: Array) -> Array:
        """(n,) [m/rad or m/m] How far any point moves with each joint: the robot's (n,), or more with what it holds."""
        exact, held = self._exact.exact, [number for id in self._carried for number in self._numbers[id]]
        items = [pin.GeometryObject("", exact.joints[k], exact.placements[k], exact.geometries[k]) for k in held]
        return displacement_bounds(self.robot, [ball_around(item) for item in items]) if items else robot

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
        found, full, exact = self.robot.hands[hand], self._full(q), self._exact.exact
        exact.place(full)
        frame = self._model.getFrameId(found.frame)
        X_WH = exact.frame(frame).homogeneous @ found.X_LH
        carried = self._model.subtrees[self._model.frames[frame].parentJoint].tolist()
        inside = np.isin(self._exact.joints, carried)[self._pairs]
        still = (self._exact.joints == 0)[self._pairs]
        asked = np.flatnonzero((inside & still[:, ::-1]).any(axis=1))
        bodies = np.unique(self._pairs[asked][inside[asked]]).tolist()
        return self._named(self._exact.first_touching_at_poses(bodies, asked, full, X_WH, X))

    def _holding(self, body: int) -> str | None:
        """The hand that holds something and touches with a body; None for bodies that are of no such hand."""
        link = self._pairing.links[body] if body < self._pairing.floor else None
        return next((h for h in sorted(self.robot.hands) if self.holds(h) and link in self.robot.hands[h].touch), None)

    def _is_of(self, hand: str, body: int) -> bool:
        """Whether a body of the robot is part of a hand."""
        joint = self._model.frames[self._model.getFrameId(self.robot.hands[hand].frame)].parentJoint
        return int(self._exact.joints[body]) in self._model.subtrees[joint].tolist()

    def _named(self, pairs: NDArray[np.intp]) -> list[tuple[str, str] | None]:
        """Names of the bodies of pairs (m,); None for -1."""
        return [None if pair < 0 else self.names(pair) for pair in pairs.tolist()]

    def _full(self, q: Array) -> Array:
        """(n_full,) Pinocchio's configuration, of what is one; raises ParameterError where q (n,) is none."""
        expect_positions(self.robot, q)
        return self.robot.expand(q)

    def _all_full(self, Q: Array) -> Array:
        """(m, n_full) Likewise, of many (m, n)."""
        expect_positions(self.robot, Q, many=True)
        full: Array = Q @ self.robot.S.T + self.robot.c
        return full

    def touching(self, q: Array, near: float = 0.0, objects: bool = False) -> list[int]:
        """Numbers of all pairs in contact, or as near [m]; with ``objects`` parts of the robot only at 1.5 mm."""
        full, margins = self._full(q), self._exact.margins
        if not near:
            return self._exact.touching(full)
        wider = self._pairing.nearness(near, TOUCHING) if objects else 0.0
        self._exact.set_margins(self._margins + wider)
        met = self._exact.touching(full, 0.0 if objects else near)
        self._exact.set_margins(margins)
        return met

    @property
    def _pairs(self) -> NDArray[np.int64]:
        return self._pairing.pairs

    def _begin(self) -> None:
        """Begin with the robot and the floor."""
        geometry = self.robot.collision.copy()
        ground, placement = floor()
        geometry.addGeometryObject(pin.GeometryObject(FLOOR, 0, placement, ground))
        for first, second in self._pairing.of_floor.tolist():
            geometry.addCollisionPair(pin.CollisionPair(first, second))
        self._exact = checker_of(self.robot, geometry)
        self._names = [*self._pairing.links, FLOOR]
        self._numbers: dict[str, list[int]] = {}
        self._spare: dict[ObjectModel, list[int]] = {}
        self._maps: dict[str, int] = {}
        self._tiled: dict[str, Boxes] = {}

    def _replace(self, old: Mapping[str, Body]) -> None:
        """Objects may have come or gone."""
        new = self._bodies
        for id, body in old.items():
            if id not in new or new[id].model is not body.model:
                self._spare[body.model] = self._numbers.pop(id)
                self._place(Body(body.model, np.eye(4)), self._spare[body.model])
        if len(self._spare) > SPARE + len(new):
            self._earlier_checks = self.checks
            self._begin()
        come = [body for id, body in new.items() if id not in self._numbers]
        for body in come:
            if body.model in self._spare:
                self._numbers[body.model.id] = self._spare.pop(body.model)
                self._place(body, self._numbers[body.model.id])
        self._add([body for body in come if body.model.id not in self._numbers])
        self._add_maps()
        if list(self._numbers) != list(new):
            self._numbers = {id: self._numbers[id] for id in new}

    def _add(self, bodies: Iterable[Body]) -> None:
        pieces, geometries = [], []
        for body in bodies:
            joint, X = self._carrier(body)
            found, first = parts(body.model), len(self._names)
            self._numbers[body.model.id] = list(range(first, first + len(found)))
            self._names += [body.model.id] * len(found)
            pieces += [Piece(part.solid, joint, X * part.X_OS) for part in found]
            geometries += [part.geometry for part in found]
        if pieces:
            self._exact.add(geometries, pieces)

    def _add_maps(self) -> None:
        """Add the parts of the map that are not there yet; those that are not wanted any more stay without pairs."""
        for name, boxes in self._space.items():
            if name not in self._maps:
                self._maps[name] = self._exact.add_occupancy_body(occupancy_body_of(boxes))
                self._names.append(name)
                self._tiled[name] = boxes

    def _place(self, body: Body, numbers: Sequence[int]) -> None:
        joint, X = self._carrier(body)
        for number, part in zip(numbers, parts(body.model), strict=True):
            self._exact.put(number, X * part.X_OS, joint)

    def _carrier(self, body: Body) -> tuple[int, pin.SE3]:
        """The joint that carries an object, 0 for the world, and where it is in the frame of that."""
        if body.hand is None:
            return 0, pin.SE3(body.X_WO)
        hand = self.robot.hands[body.hand]
        link = self._model.frames[self._model.getFrameId(hand.frame)]
        return link.parentJoint, link.placement * pin.SE3(hand.X_LH) * pin.SE3(body.X_HO)

    def _pair_up(self) -> None:
        """Find the pairs of the bodies there are; all margins are as they were before any was let go of."""
        maps = {f"map: {name}": [self._maps[name]] for name in self._space}
        self._pairing.arrange({**self._numbers, **maps}, self._exact.joints)
        self._exact.pair_up(self._pairs)
        self._margins = self._pairing.margins(self._margin, self._self_margin, TOUCHING)
        self._relaxed, self._penetrating, self._left_out = np.zeros((3, len(self._pairs)), dtype=bool)
        self._allowed = np.ones(len(self._pairs), dtype=bool)
        for id, hands in self._held.items():
            for hand in hands:
                self._allowed[self._pairing.with_links(self.robot.hands[hand].touch, self._numbers[id])] = False
            for other, joined in built_with(id, self._bodies):
                pairs = self._pairing.with_held(self._numbers[id], self._numbers[other])
                self._margins[pairs] = TOUCHING
                self._allowed[pairs] &= not joined
        self._changing = self._changing_pairs()
        self._apply()

    def _changing_pairs(self) -> NDArray[np.bool_]:
        """(pairs,) Which pairs come nearer or further when what may move does."""
        if self._moving is None:
            return np.ones(len(self._pairs), dtype=bool)
        return self._pairing.changing(self._exact.joints, (self.robot.S[:, self._moving] != 0).any(axis=1))

    def _apply(self) -> None:
        """Leave out the pairs that may touch, and those whose distance cannot change; let go of margins."""
        self._active = self._changing & self._allowed & ~self._left_out
        deep = np.flatnonzero(self._penetrating)
        if len(deep):
            carried = [number for id in self._held for number in self._numbers[id]]
            pairs = self._pairs[deep]
            in_hand = np.isin(pairs, carried).any(axis=1) & ~(pairs >= self._pairing.floor).all(axis=1)
            self._active[deep[in_hand]] = False
        bare = self._relaxed.copy()
        for touch in self._allowed_contacts:
            held = self.holds(touch.hand)
            pairs = self.pairs_of(touch)
            if held is None:
                self._active[pairs] = False
            else:
                bare[pairs] = True
                self._active[pairs] &= ~self._penetrating[pairs]
        self._exact.activate(self._active)
        self._exact.set_margins(np.where(bare, TOUCHING, self._margins) if bare.any() else self._margins)

    def pairs_of(self, touch: AllowedContact) -> NDArray[np.int64]:
        """Numbers of the pairs that a permission is about: the hand's links, and what it holds, with the object."""
        held = self.holds(touch.hand)
        others = [self._pairing.floor] if touch.object == FLOOR else self._shapes_of(touch.object)
        links = self._links[touch.hand]
        own = self._pairing.with_floor(links) if touch.object == FLOOR else self._pairing.with_links(links, others)
        return own if held is None else np.concatenate([own, self._pairing.with_held(self._numbers[held], others)])

    def _shapes_of(self, id: str) -> list[int]:
        """Numbers of the shapes of an object, or of a part of the map; none where there is no such thing."""
        return self._numbers.get(id) or ([self._maps[id]] if id in self._space else [])
