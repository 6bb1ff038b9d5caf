from __future__ import annotations

import functools

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.robot.plans import AllowedContact
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills.collision.bodies import Body, bodies_of
from taskmatrix.skills.collision.collision import FLOOR, CollisionChecker
from taskmatrix.skills.tolerances import MARGIN, SELF_MARGIN

from .setting import ROBOTS, at, box, kinematics_of, robot_of, scene


@functools.cache
def coal_shape(shape: Shape) -> coal.CollisionGeometry:
    made = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    if shape.kind == "mesh":
        return coal.MeshLoader().load(str(shape.mesh), np.array(shape.size, dtype=float))
    if shape.kind == "points":
        return coal.makeOctree(shape.points, shape.size[0])
    return made[shape.kind](*shape.size)


def transform(X: Array) -> coal.Transform3s:
    return coal.Transform3s(np.ascontiguousarray(X[:3, :3]), np.ascontiguousarray(X[:3, 3]))


Piece = tuple[str, coal.CollisionGeometry, coal.Transform3s]
GROUND = coal.Box(100, 100, 1.0)


@functools.cache
def own_pairs(robot: Robot) -> list[tuple[int, int]]:
    return [(pair.first, pair.second) for pair in robot.collision.collisionPairs]


def apart(pieces: list[Piece], pairs: Array) -> Array:
    """(k,) [m] Between the balls round two pieces each: they are at least as far from each other."""
    for _, shape, _ in pieces:
        if shape.aabb_radius < 0.0:
            shape.computeLocalAABB()
    middles = np.array([place.transform(shape.aabb_center) for _, shape, place in pieces]).reshape(-1, 3)
    radii = np.array([shape.aabb_radius for _, shape, _ in pieces])
    first, second = pairs.T
    gaps: Array = np.linalg.norm(middles[first] - middles[second], axis=1) - radii[first] - radii[second]
    return gaps


def naive_contacts(
    robot: Robot, bodies: list[Body], q: Array, margin: float = 0.0, touch: AllowedContact | None = None
) -> dict[frozenset[str], float]:
    """Distances of the pairs in contact: every pair by its own coal query, written without the code under test.

    Pairs are by name; the margin is that to objects. What the balls round two pieces keep apart is not asked for.
    """
    data = robot.model.createData()
    pin.forwardKinematics(robot.model, data, robot.expand(q))
    pieces: list[Piece] = []
    for shape in robot.collision.geometryObjects:
        placement = (data.oMi[shape.parentJoint] * shape.placement).homogeneous
        pieces.append((robot.model.frames[shape.parentFrame].name, shape.geometry, transform(placement)))
    links = [number for number, shape in enumerate(robot.collision.geometryObjects) if shape.parentJoint]
    things: list[tuple[int, str, str | None]] = [(len(pieces), FLOOR, None)]
    pieces.append((FLOOR, GROUND, transform(at(0, 0, -0.5))))
    for body in bodies:
        X_WO = body.X_WO
        if body.hand is not None:
            assert body.X_HO is not None
            X_WO = hand_pose(robot, body.hand, q) @ body.X_HO
        for piece in body.model.shapes:
            if piece.collides:
                things.append((len(pieces), body.model.id, body.hand))
                pieces.append((body.model.id, coal_shape(piece), transform(X_WO @ piece.X_OS)))
    asked = [(first, second, 0.0) for first, second in own_pairs(robot)]
    for thing, name, hand in things:
        may_touch = set(robot.floor_links) if name == FLOOR else set()
        if hand is not None:
            may_touch |= set(robot.hands[hand].touch)
        if touch is not None and touch.object == name:
            may_touch |= set(robot.hands[touch.hand].touch)
        allowed = 0.0 if name == FLOOR else margin
        asked += [(link, thing, allowed) for link in links if pieces[link][0] not in may_touch]
        for other, other_name, other_hand in things:
            if hand is not None and other_name != name and other_hand != hand:
                asked.append((thing, other, 0.0 if FLOOR in (name, other_name) else margin))
    pairs, limits = np.array([(first, second) for first, second, _ in asked]), np.array([limit for *_, limit in asked])
    found: dict[frozenset[str], float] = {}
    for number in np.flatnonzero(apart(pieces, pairs) <= limits).tolist():
        first, second, limit = asked[number]
        (one, shape, X_WA), (two, other_shape, X_WB) = pieces[first], pieces[second]
        distance = coal.distance(shape, X_WA, other_shape, X_WB, coal.DistanceRequest(), coal.DistanceResult())
        if distance < limit:
            pair = frozenset((one, two))
            found[pair] = min(found.get(pair, np.inf), distance)
    return found


def posed(robot: Robot, random: np.random.Generator) -> Array:
    """Somewhere between the stance and a random posture, near the furniture: free about as often as not."""
    q = robot.posture(robot.stance)
    q += random.normal(0.0, 0.15) * random.uniform(-1, 1, robot.n) * (robot.upper - robot.lower)
    q = np.clip(q, robot.lower, robot.upper)
    q[:3] = random.uniform([-0.5, -1.5, -np.pi], [2.0, 1.5, np.pi])
    return q


def held_stick(robot: Robot) -> Body:
    return Body(box("stick", (0.4, 0.03, 0.03)), np.eye(4), next(iter(robot.hands)), at(0, 0, 0.03))


def world_bodies(robot: Robot, held: bool) -> list[Body]:
    bodies = bodies_of(scene(robot.name), {})
    if held:
        bodies.append(held_stick(robot))
    return bodies


def has_meshes(robot: Robot) -> bool:
    return any(isinstance(body.geometry, coal.BVHModelBase) for body in robot.collision.geometryObjects)


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize("name", ROBOTS)
def test_it_agrees_with_a_naive_loop(name: str, margin: float, held: bool) -> None:
    """Free or not, for random postures; the pair named is one of those in contact, and the deepest."""
    robot = robot_of(name)
    checker, bodies = CollisionChecker(robot, margin), world_bodies(robot, held)
    checker.set_bodies(bodies)
    random, hits, misses = np.random.default_rng(4), 0, 0
    for _ in range(20):
        q = posed(robot, random)
        expected, contact = naive_contacts(robot, bodies, q, margin), checker.contact(q)
        if expected and all(min(abs(distance), abs(distance - margin)) < 2e-5 for distance in expected.values()):
            continue  # a matter of rounding
        assert (contact is None) == (not expected)
        assert checker.is_free(q) == (contact is None)
        if contact is not None:
            hits += 1
            deepest = min(expected.values())
            if deepest > 0.0 or not has_meshes(robot):  # inside each other, meshes are measured by their hulls
                assert contact.distance == pytest.approx(deepest, abs=2e-3)
            assert contact.distance < deepest + 2e-3
            assert frozenset(contact.pair) in expected
        else:
            misses += 1
    assert hits > 0
    assert misses > 0


@pytest.mark.parametrize("name", ROBOTS)
def test_the_stance_is_free(name: str) -> None:
    """Also of the floor, with the margin to itself that planning keeps for all but neighbours."""
    robot = robot_of(name)
    assert CollisionChecker(robot).contact(robot.posture(robot.stance)) is None


def test_the_sign_of_the_distance_says_whether_they_penetrate() -> None:
    """A box in front of the chest, then inside it."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    checker = CollisionChecker(robot, margin=0.05)
    X_WH = kinematics_of("mannequin").pose("left", q)
    for gap, sign in ((0.03, 1), (-0.01, -1)):
        wall = at(0, X_WH[1, 3] + 0.5, 1.0)
        checker.set_bodies([Body(box("wall", (2.0, 0.1, 2.0)), wall)])
        furthest = wall[1, 3]
        for _ in range(40):  # bring the wall to the gap
            contact = naive_contacts(robot, [Body(box("wall", (2.0, 0.1, 2.0)), wall)], q, 10.0)
            nearest = min(distance for pair, distance in contact.items() if "wall" in pair)
            wall[1, 3] -= nearest - gap
            if abs(nearest - gap) < 1e-6:
                break
        assert wall[1, 3] < furthest
        checker.set_bodies([Body(box("wall", (2.0, 0.1, 2.0)), wall)])
        found = checker.contact(q)
        assert found is not None
        assert "wall" in found.pair
        assert np.sign(found.distance) == sign
        assert found.distance == pytest.approx(gap, abs=2e-3)


def test_the_margin_is_kept_from_objects_and_not_from_the_floor() -> None:
    """Soles stand on the floor, ankles are near it."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    wide = CollisionChecker(robot, margin=0.3)
    assert wide.contact(q) is None
    wide.set_bodies([Body(box("crate", (0.2, 0.2, 0.2)), at(0.45, 0.0, 1.0))])
    contact = wide.contact(q)
    assert contact is not None
    assert 0.0 < contact.distance < 0.3


def test_below_the_floor_is_in_contact_with_it() -> None:
    """A leg stretched back and the hand on the ground."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    for joint in ("left_knee", "left_hip_pitch"):
        index = robot.joints.index(joint)
        q[index] = robot.lower[index] if abs(robot.lower[index]) > robot.upper[index] else robot.upper[index]
    low = [contact for contact in naive_contacts(robot, [], q) if FLOOR in contact]
    contact = CollisionChecker(robot).contact(q)
    assert bool(low) == (contact is not None and FLOOR in contact.pair) or contact is not None
    ball = Body(box("block", (0.1, 0.1, 0.1)), np.eye(4), "left", at(0, 0, 0.75))
    checker = CollisionChecker(robot)
    checker.set_bodies([ball])
    X_WH = kinematics_of("mannequin").pose("left", robot.posture(robot.stance))
    down = np.linalg.inv(X_WH) @ at(X_WH[0, 3], X_WH[1, 3], 0.02)
    checker.set_bodies([Body(ball.model, np.eye(4), "left", down)])
    contact = checker.contact(robot.posture(robot.stance))
    assert contact is not None
    assert set(contact.pair) == {"block", FLOOR}


def test_a_permitted_touch_holds_for_that_hand_and_object_only() -> None:
    """The can between the palms' links and nothing else."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    can = scene("mannequin")["soda_can"][0]
    inside = Body(can, kinematics_of("mannequin").pose("left", q) @ at(0, 0, -0.03))
    checker = CollisionChecker(robot)
    checker.set_bodies([inside])
    assert set(naive_contacts(robot, [inside], q)) == {frozenset(("left_hand", "soda_can"))}
    assert checker.contact(q) is not None
    checker.set_allowed_contacts([AllowedContact("left", "soda_can")])
    assert checker.contact(q) is None
    checker.set_allowed_contacts([AllowedContact("right", "soda_can")])
    assert checker.contact(q) is not None
    checker.set_allowed_contacts([AllowedContact("left", "other")])
    assert checker.contact(q) is not None
    checker.set_allowed_contacts([AllowedContact("left", "soda_can")])
    checker.set_bodies([inside, Body(box("crate", (0.1, 0.1, 0.1)), at(3, 3, 1))])  # rebuilt: the permission stays
    assert checker.contact(q) is None


def test_moving_one_object_is_seen_at_once() -> None:
    """With the same objects only the pose changes, there and back."""
    robot = robot_of("mannequin")
    q, crate = robot.posture(robot.stance), box("crate", (0.1, 0.1, 0.1))
    checker = CollisionChecker(robot)
    for x, free in ((2.0, True), (0.0, False), (2.0, True), (0.0, False)):
        checker.set_bodies([Body(crate, at(x, 0.0, 1.0))])
        assert checker.is_free(q) == free
        assert (checker.contact(q) is None) == free


def test_a_held_object_moves_with_the_hand() -> None:
    """Attached, it touches the table where the hand goes down, and never the hand; detached, it stays behind."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    q = robot.posture(robot.stance)
    stick = box("stick", (0.02, 0.02, 0.6))
    checker = CollisionChecker(robot)
    X_WH = kinematics.pose("left", q)
    outwards = np.linalg.inv(X_WH) @ at(X_WH[0, 3] + 0.2, X_WH[1, 3], X_WH[2, 3])
    crate = Body(box("crate", (0.1, 0.1, 0.1)), at(X_WH[0, 3] + 0.2, X_WH[1, 3] + 0.45, X_WH[2, 3]))
    held = Body(stick, np.eye(4), "left", outwards)
    checker.set_bodies([held, crate])
    assert checker.contact(q) is None
    raised = q.copy()
    raised[robot.joints.index("left_shoulder_roll")] += 0.7
    expected = naive_contacts(robot, [held, crate], raised)
    contact = checker.contact(raised)
    assert (contact is None) == (not expected)
    checker.set_bodies([Body(stick, at(5, 5, 1)), crate])
    assert checker.contact(q) is None


def test_two_objects_in_one_hand_are_no_pair_and_in_two_hands_are() -> None:
    """What moves together cannot collide."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    q = robot.posture(robot.stance)
    far = np.linalg.inv(kinematics.pose("left", q)) @ at(0.8, 0.0, 1.0)
    also = np.linalg.inv(kinematics.pose("right", q)) @ at(0.8, 0.0, 1.0)
    first, second = box("first", (0.1, 0.1, 0.1)), box("second", (0.1, 0.1, 0.1))
    checker = CollisionChecker(robot)
    checker.set_bodies([Body(first, np.eye(4), "left", far), Body(second, np.eye(4), "left", far)])
    assert checker.contact(q) is None
    checker.set_bodies([Body(first, np.eye(4), "left", far), Body(second, np.eye(4), "right", also)])
    contact = checker.contact(q)
    assert contact is not None
    assert set(contact.pair) == {"first", "second"}


def test_what_does_not_collide_is_not_there() -> None:
    """Labels and confetti."""
    robot = robot_of("mannequin")
    ghost = ObjectModel("ghost", "debris", (Shape("box", (1.0, 1.0, 1.0), np.eye(4), collides=False),))
    checker = CollisionChecker(robot)
    checker.set_bodies([Body(ghost, at(0, 0, 1))])
    assert checker.contact(robot.posture(robot.stance)) is None


def test_relaxing_lets_go_of_margins_that_are_broken_and_of_no_others() -> None:
    """A crate nearer than the margin at the start counts as free until it is touched; another keeps its margin."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    near, far = Body(box("near", (0.1, 0.1, 0.1)), at(0.25, 0.0, 1.0)), Body(box("far", (0.1, 0.1, 0.1)), at(0, 2, 1))
    checker = CollisionChecker(robot, margin=0.2)
    checker.set_bodies([near, far])
    assert not checker.is_free(q)
    checker.relax([q])
    assert checker.is_free(q)
    nearer = q.copy()
    nearer[1] += 1.5
    contact = checker.contact(nearer)
    assert contact is not None
    assert "far" in contact.pair
    into = q.copy()
    into[0] += 0.2
    assert not checker.is_free(into)
    checker.relax([])
    assert not checker.is_free(q)


def test_leaving_out_pairs_that_cannot_change_changes_no_answer() -> None:
    """With everything but an arm still, free stays free and contact stays contact."""
    robot = robot_of("talos")
    q, arm = robot.posture(robot.stance), np.array(robot.indices("left_arm", "left_hand"))
    every, some = CollisionChecker(robot), CollisionChecker(robot)
    bodies = bodies_of(scene("talos"), {})
    every.set_bodies(bodies)
    some.set_bodies(bodies)
    some.set_moving(arm)
    random, contacts = np.random.default_rng(6), 0
    for _ in range(60):
        q[arm] = random.uniform(robot.lower[arm], robot.upper[arm])
        expected, contact = every.contact(q), some.contact(q)
        assert (expected and expected.pair) == (contact and contact.pair)
        contacts += contact is not None
    assert 0 < contacts < 60
    q = robot.posture(robot.stance)
    q[:2] = scene("talos")["table"][1][:2, 3]  # the base stands in the table, which the arm cannot change
    assert not every.is_free(q)


def test_an_edge_is_free_when_all_between_is() -> None:
    """Through a crate it is not, beside it it is; the start is not checked, the end is."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    checker = CollisionChecker(robot)
    checker.set_bodies([Body(box("crate", (0.02, 0.02, 2.0)), at(1.0, 0.0, 1.0))])
    past, aside, inside = q.copy(), q.copy(), q.copy()
    past[0], aside[1], inside[0] = 2.0, -2.0, 1.0
    assert checker.is_free(past)
    assert not checker.edge_is_free(q, past)
    assert checker.edge_is_free(q, aside)
    assert not checker.edge_is_free(q, inside)
    assert checker.edge_is_free(inside, inside + 0.0) == checker.is_free(inside)


def test_checks_are_counted() -> None:
    """The planners are bounded by them."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    checker = CollisionChecker(robot)
    end = q.copy()
    end[0] += 0.2
    assert checker.edge_is_free(q, end)
    assert checker.checks == 1  # sixteen pieces at once


@pytest.mark.parametrize("name", ROBOTS)
def test_a_hand_alone_touches_the_world_exactly_where_it_does_on_its_arm(name: str) -> None:
    """The cheap check of a hand without its arm agrees with the naive loop over the hand's links."""
    robot = robot_of(name)
    checker = CollisionChecker(robot)
    random, kinematics = np.random.default_rng(5), kinematics_of(name)
    hand = next(iter(robot.hands.values()))
    carrier = robot.model.frames[robot.model.getFrameId(hand.frame)].parentJoint
    own = {
        robot.model.frames[body.parentFrame].name
        for body in robot.collision.geometryObjects
        if body.parentJoint in list(robot.model.subtrees[carrier])
    }
    stance = robot.posture("stand")
    fingers = list(robot.indices(hand.fingers)) if hand.fingers else []
    seen = set()
    for _ in range(60):
        q = stance.copy()
        arm = list(robot.indices(hand.arm))
        q[arm] = random.uniform(robot.lower[arm], robot.upper[arm])
        X_WH = kinematics.pose(hand.name, q)
        bodies = [Body(box("crate", (0.3, 0.3, 0.3)), X_WH @ at(*random.uniform(-0.3, 0.3, 3)))]
        checker.set_bodies(bodies)
        elsewhere = stance.copy()
        elsewhere[fingers] = q[fingers]
        away = at(0.0, 0.0, 30.0)
        found, nothing = checker.hand_contacts(hand.name, np.array([X_WH, away]), elsewhere)
        assert nothing is None
        naive = {pair for pair in naive_contacts(robot, bodies, q) if pair & own and pair & {"crate", FLOOR}}
        assert (found is not None) == bool(naive)
        assert found is None or frozenset(found) in naive
        seen.add(found is None)
    assert seen == {True, False}


@pytest.mark.parametrize("name", ROBOTS)
def test_the_radius_bounds_all_of_the_robot_and_of_what_it_holds(name: str) -> None:
    """No corner of a body is further from the base's axis, wherever the base is; a pole makes it larger."""
    robot = robot_of(name)
    checker, hand = CollisionChecker(robot), next(iter(robot.hands))
    q = robot.posture(robot.stance, (0.7, -1.2, 0.0))
    bare = checker.extent(q)[0]
    assert checker.extent(robot.posture(robot.stance))[0] == pytest.approx(bare)
    placed, data = robot.collision.createData(), robot.model.createData()
    pin.updateGeometryPlacements(robot.model, data, robot.collision, placed, robot.expand(q))
    centres = np.array([X.translation for X in placed.oMg])
    assert np.linalg.norm(centres[:, :2] - q[:2], axis=1).max() < bare
    width, height = checker.extent(q)
    assert width == bare
    assert checker.extent(q, height - 0.01)[0] < bare
    assert checker.extent(q, height + 0.01)[0] == 0.0
    X_WH = hand_pose(robot, hand, q)
    tip = X_WH[:3, 3] + [1.5, 0.0, 0.0]
    pole = Body(box("pole", (3.0, 0.02, 0.02)), np.eye(4), hand, np.linalg.inv(X_WH) @ at(*X_WH[:3, 3]))
    checker.set_bodies([pole])
    reach = float(np.linalg.norm(tip[:2] - q[:2]))
    assert reach <= checker.extent(q)[0] < reach + 0.02
    checker.set_bodies([Body(pole.model, at(5, 5, 1))])  # on the floor somewhere it does not count
    assert checker.extent(q)[0] == pytest.approx(bare)


def test_it_knows_which_hand_holds_what() -> None:
    """And that an empty hand holds nothing."""
    checker = CollisionChecker(robot_of("mannequin"))
    checker.set_bodies([held_stick(robot_of("mannequin")), Body(box("crate", (0.1, 0.1, 0.1)), at(3, 3, 1))])
    assert checker.holds("left") == "stick"
    assert checker.holds("right") is None


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_positions_that_are_no_numbers_are_refused_by_name(bad: float) -> None:
    """They are never called free; nor are arrays of another length."""
    robot = robot_of("mannequin")
    checker, q = CollisionChecker(robot), robot.posture(robot.stance)
    wrong = q.copy()
    wrong[[4, 7]] = bad
    named = f"those of '{robot.joints[4]}', '{robot.joints[7]}' are not"
    for q_bad, message in ((wrong, named), (q[:-1], rf"of shape \({robot.n},\), not \({robot.n - 1},\)")):
        for asked in (
            checker.is_free,
            checker.contact,
            lambda x: checker.first_not_free(np.array([x, x])),
            lambda x: checker.edge_is_free(q, x),
            lambda x: checker.edge_is_free(x, q),
            lambda x: checker.hand_contacts("left", np.eye(4)[None], x),
            lambda x: checker.are_free(np.array([x, q])) if len(x) == len(q) else checker.contacts(x[None]),
            checker.extent,
        ):
            with pytest.raises(ParameterError, match=message):
                asked(q_bad)


def test_poses_that_are_none_are_refused_and_change_nothing() -> None:
    """In the world and in a hand; the object is named."""
    robot = robot_of("mannequin")
    checker, q = CollisionChecker(robot), robot.posture(robot.stance)
    cup = box("cup", (0.1, 0.1, 0.1))
    checker.set_bodies([Body(cup, at(5, 0, 0))])
    for body, what in (
        (Body(cup, at(np.nan, 0, 0)), "X_WO of object 'cup'"),
        (Body(cup, np.eye(3)), "X_WO of object 'cup'"),
        (Body(cup, np.eye(4), "left", at(np.inf, 0, 0)), "X_HO of object 'cup'"),
    ):
        with pytest.raises(ParameterError, match=f"{what} must be a .4, 4. pose of finite numbers"):
            checker.set_bodies([body])
        assert checker.is_free(q)
        assert checker.holds("left") is None


@pytest.mark.parametrize("yaw", [-0.27, -0.275, -0.29])
def test_what_only_seems_nearer_than_its_margin_does_not_keep_a_robot_where_it_is(yaw: float) -> None:
    """Romeo's wrist is a cylinder, 1.0 to 1.1 mm from its elbow; the margin is one."""
    robot = robot_of("romeo")
    start = robot.posture(robot.stance)
    for name, position in (("LElbowYaw", 0.0), ("LWristRoll", 0.523), ("LWristYaw", yaw), ("LWristPitch", 0.775)):
        start[robot.joints.index(name)] = position
    checker = CollisionChecker(robot, MARGIN, SELF_MARGIN)
    checker.relax([start])
    joints = np.array([robot.joints.index("LShoulderPitch")])
    planner = checker.planner(start, joints, robot.lower[joints], robot.upper[joints], np.ones(1))
    assert planner.line_is_free(start[joints], start[joints] + 0.1)
