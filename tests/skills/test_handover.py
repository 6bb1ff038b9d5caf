from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Contact, Plan
from taskmatrix.core.world.geometry import inverse, pose, pose_error
from taskmatrix.core.world.objects import Array, Grasp, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning import handover
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import HandoverQuery, Snapshot

from .setting import RETREAT, at, box, kinematics_of, robot_of, scene, trunk, world_for
from .test_collision import naive_contacts

GIVER, TAKER = "left", "right"


def holding(name: str, object: ObjectModel, grasp: Grasp) -> Snapshot:
    """The robot off the table, with an object in its left hand."""
    robot = robot_of(name)
    q = robot.posture(robot.stance, (-1.0, 0.0, 0.0))
    for joint, position in robot.hands[GIVER].closing(grasp.width).items():
        q[robot.joints.index(joint)] = position
    X_HO = inverse(grasp.X_OH)
    X_WO = kinematics_of(name).pose(GIVER, q) @ X_HO
    return Snapshot(q, {**scene(name), object.id: (object, X_WO)}, {GIVER: (object.id, X_HO)})


def query_for(name: str, object: ObjectModel, seed: int = 1) -> HandoverQuery:
    robot = robot_of(name)
    grasps = tuple(grasp for grasp in object.grasps if grasp.width <= robot.hands[TAKER].aperture)
    opening = {
        hand.name: {robot.joints.index(joint): position for joint, position in hand.open.items()}
        for hand in robot.hands.values()
    }
    return HandoverQuery(object.id, GIVER, TAKER, grasps, RETREAT, trunk(robot), opening, 4.0, seed)


def at_time(plan: Plan, snapshot: Snapshot, time: float) -> Array:
    q = snapshot.q.copy()
    q[plan.trajectory.indices] = plan.trajectory.sample(time)[0]
    return q


def off_the_grasp(name: str, snapshot: Snapshot, plan: Plan, time: float) -> Array:
    """(4, 4) Pose of the taker's hand in the frame of the grasp that it is to get."""
    object, X_HO = snapshot.held[GIVER]
    assert plan.goal is not None
    grasp = next(grasp for grasp in snapshot.objects[object][0].grasps if grasp.name == plan.goal.label)
    q, robot = at_time(plan, snapshot, time), robot_of(name)
    return inverse(hand_pose(robot, GIVER, q) @ X_HO @ grasp.X_OH) @ hand_pose(robot, TAKER, q)


@pytest.fixture(scope="module")
def met() -> tuple[Snapshot, HandoverQuery, Plan]:
    """The mannequin's hands meet over a can."""
    can = world_for("mannequin").objects["soda_can"]
    snapshot, query = holding("mannequin", can, can.grasps[0]), query_for("mannequin", can)
    plan = Planner(robot_of("mannequin")).solve(snapshot, query)
    assert isinstance(plan, Plan), plan.explain()
    return snapshot, query, plan


def test_the_hands_meet_at_a_grasp(met: tuple[Snapshot, HandoverQuery, Plan]) -> None:
    """At the end the taker's hand is at the grasp that the plan names, wherever the giver has the object by then."""
    snapshot, query, plan = met
    assert plan.goal is not None
    assert (plan.goal.hand, plan.goal.object) == (TAKER, "soda_can")
    assert plan.goal.label in {grasp.name for grasp in query.grasps}
    distance, angle = pose_error(np.eye(4), off_the_grasp("mannequin", snapshot, plan, plan.trajectory.duration))
    assert distance < 2e-3
    assert angle < np.deg2rad(0.6)
    last = at_time(plan, snapshot, plan.trajectory.duration)
    np.testing.assert_allclose(hand_pose(robot_of("mannequin"), TAKER, last), plan.goal.X_WH, atol=1e-3)


def test_the_last_stretch_is_straight_along_the_takers_axis(met: tuple[Snapshot, HandoverQuery, Plan]) -> None:
    """From 3 cm before the grasp, relative to the object in the giver's hand."""
    snapshot, query, plan = met
    depths = []
    for time in np.linspace(plan.approach, plan.trajectory.duration, 15):
        X = off_the_grasp("mannequin", snapshot, plan, float(time))
        assert np.linalg.norm(X[:2, 3]) < 3e-3
        depths.append(X[2, 3])
    assert depths[0] == pytest.approx(-query.approach_distance, abs=2e-3)
    assert np.all(np.diff(depths) > -1e-4)


def test_nothing_touches_but_the_taker_the_object_on_the_last_stretch(
    met: tuple[Snapshot, HandoverQuery, Plan],
) -> None:
    """By a check that shares nothing with the planner's; only the trunk, the arms and the taker's fingers move."""
    snapshot, _, plan = met
    robot = robot_of("mannequin")
    bodies = bodies_of(snapshot.objects, snapshot.held)
    for time in np.linspace(0.0, plan.trajectory.duration, 60):
        touch = AllowedContact(TAKER, "soda_can") if time >= plan.approach else None
        assert not naive_contacts(robot, bodies, at_time(plan, snapshot, float(time)), touch=touch), time
    fingers = (robot.joints.index(joint) for joint in robot.hands[TAKER].open)
    may = {*robot.indices(*trunk(robot), "left_arm", "right_arm"), *fingers}
    moving = np.flatnonzero(np.abs(at_time(plan, snapshot, plan.trajectory.duration) - snapshot.q) > 1e-9)
    assert set(moving.tolist()) <= may


def long_stick(robot: Robot) -> ObjectModel:
    """With room for two hands."""
    width = 0.5 * min(hand.aperture for hand in robot.hands.values())
    X_OH = pose((0.0, 0.0, 0.0), (0.0, np.pi / 2, 0.0))  # the hand's z is the stick's x
    grasps = tuple(
        Grasp(f"{along}_{turn}", at(0.0, 0.0, along) @ pose((0, 0, 0), (0.0, 0.0, turn)) @ X_OH, width)
        for along in (0.15, -0.15)
        for turn in np.linspace(0.0, 2 * np.pi, 8, endpoint=False)
    )
    return replace(box("stick", (0.02, 0.02, 0.4)), grasps=grasps)


def test_the_taker_arrives_with_open_fingers() -> None:
    """The giver's stay as they are."""
    name, robot = "bandit", robot_of("bandit")
    stick = long_stick(robot)
    snapshot = holding(name, stick, stick.grasps[0])
    plan = Planner(robot).solve(snapshot, query_for(name, stick))
    assert isinstance(plan, Plan), plan.explain()
    last = at_time(plan, snapshot, plan.approach)
    for joint, position in robot.hands[TAKER].open.items():
        assert last[robot.joints.index(joint)] == pytest.approx(position, abs=1e-3)
    for joint in robot.hands[GIVER].open:
        assert last[robot.joints.index(joint)] == snapshot.q[robot.joints.index(joint)]


def test_there_is_room_for_the_givers_fingers_to_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A meeting in which something is in their way is none."""
    name, robot = "bandit", robot_of("bandit")
    stick = long_stick(robot)
    snapshot, query = holding(name, stick, stick.grasps[0]), query_for(name, stick)
    asked = 0
    found = CollisionChecker.contact

    def blocked(self: CollisionChecker, q: Array) -> Contact | None:
        nonlocal asked
        if any(q[index] != position for index, position in query.opening[GIVER].items()):
            return found(self, q)
        asked += 1
        return Contact("left_fingers", "chair", -0.01)

    monkeypatch.setattr(handover, "ATTEMPTS", 60)
    monkeypatch.setattr(CollisionChecker, "contact", blocked)
    failure = Planner(robot).solve(snapshot, query)
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.COLLISION
    assert asked > 3


def test_the_same_seed_gives_the_same_plan(met: tuple[Snapshot, HandoverQuery, Plan]) -> None:
    """On a planner that has planned before."""
    snapshot, query, plan = met
    planner = Planner(robot_of("mannequin"))
    planner.solve(snapshot, replace(query, seed=7))
    again = planner.solve(snapshot, query)
    assert isinstance(again, Plan)
    assert again.work == plan.work
    for time in np.linspace(0.0, plan.trajectory.duration, 20):
        np.testing.assert_array_equal(again.trajectory.sample(float(time))[0], plan.trajectory.sample(float(time))[0])


def test_a_hand_that_does_not_hold_the_object_cannot_give_it(met: tuple[Snapshot, HandoverQuery, Plan]) -> None:
    """It holds nothing, or something else."""
    snapshot, query, _ = met
    model = snapshot.objects["soda_can"][0]
    on_the_floor = replace(snapshot, objects={**snapshot.objects, "soda_can": (model, at(2.0, -2.0, 0.1))}, held={})
    for asked in (replace(query, giver=TAKER, taker=GIVER), query):
        world = on_the_floor if asked is query else snapshot
        failure = Planner(robot_of("mannequin")).solve(world, asked)
        assert isinstance(failure, Failure)
        assert failure.kind is FailureKind.PRECONDITION
        assert failure.message == f"the {asked.giver} hand does not hold 'soda_can'"


def failed(object: ObjectModel, monkeypatch: pytest.MonkeyPatch) -> Failure:
    monkeypatch.setattr(handover, "ATTEMPTS", 120)
    snapshot = holding("mannequin", object, object.grasps[0])
    query = replace(query_for("mannequin", object), grasps=object.grasps[1:])
    failure = Planner(robot_of("mannequin")).solve(snapshot, query)
    assert isinstance(failure, Failure)
    return failure


def test_hands_that_cannot_meet_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only other grasp is three metres off: no posture has both, in bounded work."""
    here, there = Grasp("here", pose(), 0.05), Grasp("there", at(0.0, 3.0, 0.0), 0.05)
    failure = failed(replace(box("boom", (0.04, 0.04, 0.04)), grasps=(here, there)), monkeypatch)
    assert failure.kind is FailureKind.IK_EXHAUSTED
    assert failure.message == "the hands cannot meet at the object"
    assert failure.facts["ik_attempts"] == 120
    assert failure.facts["grasps"] == 1
    assert failure.facts["nearest_distance"] > 0.5  # type: ignore[operator]
    assert isinstance(failure.facts["at_limits"], dict)


def test_hands_in_each_others_way_name_the_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only other grasp is where the giver's hand is."""
    here, there = Grasp("here", pose(), 0.05), Grasp("same", pose((0, 0, 0), (0.0, 0.0, np.pi)), 0.05)
    failure = failed(replace(box("cube", (0.04, 0.04, 0.04)), grasps=(here, there)), monkeypatch)
    assert failure.kind is FailureKind.COLLISION
    assert "in each other's way" in failure.message
    pair = failure.facts["pair"]
    assert isinstance(pair, tuple)
    links = set(robot_of("mannequin").hands[GIVER].touch) | set(robot_of("mannequin").hands[TAKER].touch)
    assert set(pair) & links


def test_arms_that_cannot_be_taken_there_say_in_how_many_ways_they_could_meet(
    met: tuple[Snapshot, HandoverQuery, Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause is that no path was found."""
    snapshot, query, _ = met
    monkeypatch.setattr("taskmatrix.skills.planning.problem.Problem.connect", lambda self, start, end, joints: None)
    failure = Planner(robot_of("mannequin")).solve(snapshot, query)
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.PLANNER_EXHAUSTED
    assert f"{handover.ENOUGH} ways" in failure.message
    assert failure.root.message == "the arms cannot be taken to where they would meet"
