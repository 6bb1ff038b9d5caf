from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Contact, HandGoal, Plan
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.kinematics import ik
from taskmatrix.skills.planning import problem as problem_module
from taskmatrix.skills.planning import reaching
from taskmatrix.skills.planning.goals import Candidate
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.problem import Problem
from taskmatrix.skills.planning.queries import ConfigurationQuery, PoseQuery, Snapshot
from taskmatrix.skills.planning.reaching import with_fingers
from taskmatrix.skills.planning.retreat import LIFT, UP
from taskmatrix.skills.planning.seeds import SeedSampler
from taskmatrix.skills.planning.settings import PlannerSettings
from taskmatrix.skills.planning.straight_motion import arm_first, line, straight

from .setting import ROBOTS, at, box, kinematics_of, random_configuration, reach_query, robot_of, scene, start, trunk
from .test_collision import naive_contacts

PLANNERS: dict[str, Planner] = {}


def planner(name: str) -> Planner:
    if name not in PLANNERS:
        PLANNERS[name] = Planner(robot_of(name))
    return PLANNERS[name]


def solved(name: str, snapshot: Snapshot, query: PoseQuery | ConfigurationQuery) -> Plan:
    result = planner(name).solve(snapshot, query)
    assert isinstance(result, Plan), result.explain()
    return result


def at_time(plan: Plan, snapshot: Snapshot, time: float) -> Array:
    q = snapshot.q.copy()
    q[plan.trajectory.indices] = plan.trajectory.sample(time)[0]
    return q


def assert_sound(name: str, snapshot: Snapshot, plan: Plan, step: float = 0.005) -> None:
    """Within the limits and free of contact all along, by a check that shares nothing with the planner's."""
    robot = robot_of(name)
    bodies = [
        Body(model, X_WO, *({id: (hand, X_HO) for hand, (id, X_HO) in snapshot.held.items()}.get(id, (None, None))))
        for id, (model, X_WO) in snapshot.objects.items()
    ]
    for time in np.arange(0.0, plan.trajectory.duration + step, step):
        q = at_time(plan, snapshot, float(time))
        assert np.all(q >= robot.lower - 1e-6)
        assert np.all(q <= robot.upper + 1e-6)
        touching = plan.goal is not None and plan.goal.object is not None and time >= plan.approach
        touch = (
            AllowedContact(plan.goal.hand, plan.goal.object) if touching and plan.goal and plan.goal.object else None
        )
        assert not naive_contacts(robot, bodies, q, touch=touch), time


def assert_arrives(name: str, snapshot: Snapshot, plan: Plan) -> None:
    """At its goal within the tolerance of inverse kinematics, on a straight approach along the hand's z."""
    assert plan.goal is not None
    kinematics, X_WG, duration = kinematics_of(name), plan.goal.X_WH, plan.trajectory.duration
    last = kinematics.pose(plan.goal.hand, at_time(plan, snapshot, duration))
    distance, angle = pose_error(X_WG, last)
    assert distance < 1.1 * ik.POSITION_TOLERANCE
    assert angle < 1.1 * ik.ROTATION_TOLERANCE
    depths = []
    for time in np.linspace(plan.approach, duration, 20):
        X_GH = np.linalg.inv(X_WG) @ kinematics.pose(plan.goal.hand, at_time(plan, snapshot, float(time)))
        assert np.linalg.norm(X_GH[:2, 3]) < 1e-3
        assert pose_error(np.eye(4), X_GH)[1] < 5e-3
        depths.append(X_GH[2, 3])
    assert depths[0] == pytest.approx(-plan.goal.approach_distance, abs=2e-4)
    assert np.all(np.diff(depths) > -1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_grasped_can_be_lifted_from_where_the_hand_reaches(seed: int) -> None:
    """An arm that is at its end cannot take the broom out of its stand."""
    name, robot, snapshot = "asimo", robot_of("asimo"), start("asimo")
    plan = solved(name, snapshot, reach_query(name, "broom", seed))
    assert plan.goal is not None
    last = at_time(plan, snapshot, plan.trajectory.duration)
    joints = np.array(robot.indices("base", robot.hands[plan.goal.hand].arm), dtype=np.intp)
    way = line(plan.goal.X_WH, UP, LIFT)
    choices = arm_first(kinematics_of(name), plan.goal.hand, joints)
    assert len(straight(kinematics_of(name), plan.goal.hand, way, last, choices)) == len(way) + 1


@pytest.mark.parametrize("name", ROBOTS)
def test_a_can_on_the_table_is_reached_without_contact(name: str) -> None:
    """The whole motion, checked apart from the planner."""
    snapshot = start(name)
    plan = solved(name, snapshot, reach_query(name, "soda_can"))
    assert_arrives(name, snapshot, plan)
    assert_sound(name, snapshot, plan, 0.05)
    assert plan.trajectory.duration >= 4.0
    assert plan.stretched == (plan.trajectory.duration > 4.0 + 1e-9)
    assert plan.work["ik_attempts"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "object"),
    [("mannequin", "soda_can"), ("mannequin", "vacuum"), ("asimo", "tennis_ball"), ("talos", "broom")],
)
def test_objects_are_reached_without_contact(name: str, object: str) -> None:
    """The can in every control step."""
    snapshot = start(name, (0.2, -0.1, 2.0))
    plan = solved(name, snapshot, reach_query(name, object, 3))
    assert_arrives(name, snapshot, plan)
    assert_sound(name, snapshot, plan, 0.01 if object == "soda_can" else 0.02)


def test_the_fingers_open_on_the_way() -> None:
    """From where they are at the start to open, before the approach."""
    robot, snapshot = robot_of("asimo"), start("asimo")
    plan = solved("asimo", snapshot, reach_query("asimo", "soda_can"))
    assert plan.goal is not None
    hand = robot.hands[plan.goal.hand]
    for joint, position in hand.open.items():
        index = robot.joints.index(joint)
        assert at_time(plan, snapshot, 0.0)[index] == pytest.approx(snapshot.q[index])
        assert at_time(plan, snapshot, plan.approach)[index] == pytest.approx(position, abs=1e-3)


def test_the_answer_depends_on_the_arguments_only() -> None:
    """The same seed gives the same plan whatever was planned before, and on a fresh planner; another seed another."""
    snapshot, query = start("mannequin"), reach_query("mannequin", "vacuum", 5)
    first = solved("mannequin", snapshot, query)
    other = solved("mannequin", snapshot, replace(query, seed=6))
    planner("mannequin").solve(Snapshot(snapshot.q, {}), replace(query, seed=1))
    again = solved("mannequin", snapshot, query)
    fresh = Planner(robot_of("mannequin")).solve(snapshot, query)
    assert isinstance(fresh, Plan)
    times = np.linspace(0.0, first.trajectory.duration, 100)
    for plan in (again, fresh):
        assert plan.work == first.work
        assert plan.trajectory.duration == first.trajectory.duration
        for time in times:
            np.testing.assert_array_equal(at_time(plan, snapshot, float(time)), at_time(first, snapshot, float(time)))
    assert other.trajectory.duration != first.trajectory.duration


def test_a_plan_and_its_query_survive_pickling() -> None:
    """They cross the border of a process."""
    snapshot, query = start("mannequin"), reach_query("mannequin", "vacuum", 5)
    plan = solved("mannequin", *pickle.loads(pickle.dumps((snapshot, query))))
    copy = pickle.loads(pickle.dumps(plan))
    assert copy.goal.label == plan.goal.label  # type: ignore[union-attr]
    for time in np.linspace(0.0, plan.trajectory.duration, 20):
        np.testing.assert_array_equal(copy.trajectory.sample(time)[0], plan.trajectory.sample(time)[0])


def goal_at(hand: str, X_WH: Array, object: str | None = None, chains: tuple[str, ...] = ("torso",)) -> PoseQuery:
    return PoseQuery((HandGoal(hand, X_WH, "there", object, 0.03),), chains, {}, 1.0, 0)


def failed(name: str, snapshot: Snapshot, query: PoseQuery | ConfigurationQuery) -> Failure:
    result = planner(name).solve(snapshot, query)
    assert isinstance(result, Failure)
    return result


def test_out_of_reach_the_nearest_distance_is_told() -> None:
    """In bounded work; with the base still, four metres away."""
    snapshot = Snapshot(start("mannequin").q, {})
    X_WH = kinematics_of("mannequin").pose("left", snapshot.q)
    X_WH[0, 3] += 4.0
    failure = failed("mannequin", snapshot, goal_at("left", X_WH))
    assert failure.kind is FailureKind.IK_EXHAUSTED
    nearest = failure.facts["nearest_distance"]
    assert isinstance(nearest, float)
    assert 3.0 < nearest < 4.0
    assert failure.facts["ik_attempts"] == reaching.ATTEMPTS
    assert f"the nearest that the left hand came to goal 'there' is {nearest:.3f} m" in failure.message
    at_limits = failure.facts["at_limits"]
    assert isinstance(at_limits, dict)
    assert at_limits
    joints = robot_of("mannequin").indices("torso", "left_arm")
    assert set(at_limits) <= {robot_of("mannequin").joints[joint] for joint in joints}
    assert set(at_limits.values()) <= {"lower", "upper"}


def test_a_start_in_collision_names_the_pair() -> None:
    """Cast in a block that there is no way out of, and how deep."""
    snapshot = start("mannequin")
    crate = {"crate": (box("crate", (4.0, 4.0, 2.0)), at(0.0, 0.0, 1.1))}
    arm = robot_of("mannequin").indices("left_arm")[0]
    for query in (reach_query("mannequin", "vacuum"), ConfigurationQuery({arm: 0.1}, 1.0, 0)):
        failure = failed("mannequin", replace(snapshot, objects={**snapshot.objects, **crate}), query)
        assert failure.kind is FailureKind.COLLISION
        assert "start" in failure.message
        pair, distance = failure.facts["pair"], failure.facts["distance"]
        assert isinstance(pair, tuple)
        assert "crate" in pair
        assert isinstance(distance, float)
        assert distance < 0


def test_a_start_nearer_than_the_margin_is_no_obstacle() -> None:
    """A crate 4 mm before the chest: free is free, and the way out is found."""
    snapshot = start("mannequin")
    crate = Body(box("crate", (0.2, 0.2, 0.2)), at(0.6, 0.0, 1.0))
    gap = naive_contacts(robot_of("mannequin"), [crate], snapshot.q, 1.0)
    nearest = min(distance for pair, distance in gap.items() if "crate" in pair)
    near = {"crate": (crate.model, at(0.6 - nearest + 0.004, 0.0, 1.0))}
    query = reach_query("mannequin", "broom")
    snapshot = replace(snapshot, objects={**snapshot.objects, **near})
    plan = solved("mannequin", snapshot, query)
    assert_sound("mannequin", snapshot, plan, 0.05)


def test_a_goal_outside_the_limits_names_the_joint() -> None:
    """And by how much."""
    robot = robot_of("mannequin")
    index = robot.joints.index("left_elbow")
    failure = failed("mannequin", start("mannequin"), ConfigurationQuery({index: 9.0}, 1.0, 0))
    assert failure.kind is FailureKind.JOINT_LIMIT
    assert failure.facts["joint"] == "left_elbow"
    assert failure.facts["position"] == 9.0
    assert failure.facts["upper"] == robot.upper[index]


def test_a_joint_that_was_pressed_beyond_its_limit_goes_back_to_it() -> None:
    """Where it may move, but no goal is for it."""
    robot, snapshot = robot_of("mannequin"), start("mannequin")
    head, elbow = robot.indices("head")[0], robot.joints.index("left_elbow")
    q = snapshot.q.copy()
    q[head] = robot.upper[head] + 1e-4
    query = ConfigurationQuery({elbow: float(q[elbow]) + 0.2}, 1.0, 0, relaxed=("head",))
    plan = solved("mannequin", replace(snapshot, q=q), query)
    assert at_time(plan, snapshot, plan.trajectory.duration)[head] <= robot.upper[head]


def test_a_goal_configuration_in_collision_names_the_pair() -> None:
    """The base in the table."""
    snapshot = start("mannequin")
    x, y = scene("mannequin")["table"][1][:2, 3]
    failure = failed("mannequin", snapshot, ConfigurationQuery({0: float(x), 1: float(y)}, 1.0, 0))
    assert failure.kind is FailureKind.COLLISION
    assert "goal" in failure.message
    assert "table" in failure.facts["pair"]  # type: ignore[operator]


def test_a_blocked_goal_names_what_is_most_often_in_the_way() -> None:
    """The can in a block that leaves no room for a hand."""
    snapshot, query = start("mannequin"), reach_query("mannequin", "soda_can")
    X_WO = snapshot.objects["soda_can"][1]
    objects = {**snapshot.objects, "block": (box("block", (0.3, 0.3, 0.3)), X_WO)}
    objects.pop("soda_can")
    goals = tuple(replace(goal, object=None) for goal in query.goals)
    failure = failed("mannequin", replace(snapshot, objects=objects), replace(query, goals=goals))
    assert failure.kind is FailureKind.COLLISION
    often = failure.facts["most_often"]
    assert isinstance(often, list)
    assert "block" in often[0]
    assert "block" in failure.facts["pair"]  # type: ignore[operator]


def test_where_there_is_no_way_it_says_what_is_in_it_and_at_which_end() -> None:
    """An arm between two boards that leave it no room to go anywhere else."""
    robot, snapshot = robot_of("mannequin"), Snapshot(start("mannequin").q, {})
    elbow, shoulder = robot.joints.index("left_elbow"), robot.joints.index("left_shoulder_pitch")
    end = snapshot.q.copy()
    end[[shoulder, elbow]] = 1.5, 0.3
    p_WH = kinematics_of("mannequin").pose("left", end)[:3, 3]
    boards = {
        f"board_{side:+d}": (box(f"board_{side:+d}", (0.6, 0.6, 0.02)), at(p_WH[0], p_WH[1], p_WH[2] + side * 0.12))
        for side in (-1, 1)
    }
    query = ConfigurationQuery({shoulder: 1.5, elbow: 0.3}, 1.0, 0)
    failure = failed("mannequin", replace(snapshot, objects=boards), query)
    assert failure.kind is FailureKind.PLANNER_EXHAUSTED
    assert failure.facts["stuck_at"] == "goal"
    assert 0.0 < failure.facts["came_from_goal"] < 0.3 < failure.facts["came_from_start"]  # type: ignore[operator]
    in_the_way = failure.facts["in_the_way"]
    assert isinstance(in_the_way, list)
    assert "board" in in_the_way[0]
    assert failure.facts["collision_checks"] >= PlannerSettings().checks  # type: ignore[operator]


@pytest.mark.parametrize("name", ROBOTS)
def test_a_configuration_is_reached_without_contact(name: str) -> None:
    """Both arms to a random free posture of their own."""
    robot, snapshot = robot_of(name), start(name)
    random = np.random.default_rng(2)
    arms = robot.indices("left_arm", "right_arm")
    while True:
        q = snapshot.q.copy()
        q[list(arms)] = random_configuration(robot, random)[list(arms)]
        bodies = [Body(model, X_WO) for model, X_WO in snapshot.objects.values()]
        if not naive_contacts(robot, bodies, q, 0.02):
            break
    goal: Mapping[int, float] = {index: float(q[index]) for index in arms}
    plan = solved(name, snapshot, ConfigurationQuery(goal, 2.0, 1))
    assert plan.goal is None
    np.testing.assert_allclose(at_time(plan, snapshot, plan.trajectory.duration), q, atol=1e-6)
    assert_sound(name, snapshot, plan, 0.05)


@pytest.mark.parametrize("wide", [True, False])
def test_a_way_without_all_margins_is_told(monkeypatch: pytest.MonkeyPatch, wide: bool) -> None:
    """It is looked for where there is no other."""
    connect = Problem.connect
    monkeypatch.setattr(
        Problem, "connect", lambda self, *asked: connect(self, *asked) if wide or self.checker is self.fine else None
    )
    plan = solved("mannequin", start("mannequin"), ConfigurationQuery({7: 0.3}, 2.0, 1))
    assert plan.narrow is not wide


def test_where_a_smooth_curve_would_touch_something_it_stops_at_the_corners(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which are on a path that is free: no plan fails for what its smoothing does."""
    name, corner, curves = "mannequin", np.array([0.3, 0.2]), list[int]()
    q = robot_of(name).posture("stand")
    joints = list(robot_of(name).indices("head")[:2])

    def touch_on_curves(checker: object, plan: Plan, *rest: object) -> Contact | None:
        off = np.abs(plan.trajectory.sample(np.arange(0.0, plan.duration, 0.005))[0] - q[joints] - corner).max(axis=1)
        curves.append(len(off))
        return Contact("head", "lamp", -0.01) if off.min() > 2e-3 or len(curves) < 3 else None

    def bend(problem: Problem, start: Array, end: Array, indices: Array) -> Array:
        return np.array([start[joints], start[joints] + corner, end[joints]])

    monkeypatch.setattr(problem_module, "first_contact", touch_on_curves)
    monkeypatch.setattr(Problem, "connect", bend)
    goal = dict(zip(joints, (q[joints] + [0.6, 0.0]).tolist(), strict=True))
    plan = solved(name, Snapshot(q, {}), ConfigurationQuery(goal, 0.0, 0))
    assert len(curves) == 3
    times = np.arange(0.0, plan.duration, 0.005)
    positions, speeds, _ = plan.trajectory.sample(times)
    there = int(np.abs(positions - q[joints] - corner).max(axis=1).argmin())
    assert np.abs(positions[there] - q[joints] - corner).max() < 2e-3
    assert np.abs(speeds[there]).max() < 0.1


def test_there_already_is_a_plan_that_takes_no_time() -> None:
    """The goal is the start."""
    snapshot = start("mannequin")
    plan = solved("mannequin", snapshot, ConfigurationQuery({7: float(snapshot.q[7])}, 2.0, 1))
    assert plan.trajectory.duration == 0.0


def test_what_is_held_is_taken_along() -> None:
    """A pole in the left hand keeps off a post that the robot alone would pass."""
    name, robot = "mannequin", robot_of("mannequin")
    q = robot.posture(robot.stance)
    X_WH = kinematics_of(name).pose("left", q)
    pole = box("pole", (0.02, 0.7, 0.02))
    X_HO = np.linalg.inv(X_WH) @ at(X_WH[0, 3], X_WH[1, 3] + 0.42, X_WH[2, 3])
    post = box("post", (0.1, 0.1, 2.0))
    objects = {"pole": (pole, X_WH @ X_HO), "post": (post, at(0.8, X_WH[1, 3] + 0.42, 1.0))}
    snapshot = Snapshot(q, objects, {"left": ("pole", X_HO)})
    plan = solved(name, snapshot, ConfigurationQuery({0: 1.8, 1: 0.0, 2: 0.0}, 2.0, 4))
    assert_sound(name, snapshot, plan, 0.01)
    straight = q.copy()
    straight[0] = 0.8 - X_WH[0, 3]
    held = Body(pole, np.eye(4), "left", X_HO)
    contacts = naive_contacts(robot, [held, Body(post, objects["post"][1])], straight)
    assert set(contacts) == {frozenset(("pole", "post"))}


def test_a_way_on_which_the_head_cannot_turn_is_taken_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """All ways are tried with a head that turns first; the head is kept out of none of them that is free with it."""
    name, random = "mannequin", np.random.default_rng(0)
    turned: list[str] = []
    drawn = (random_configuration(robot_of(name), random) for _ in range(500))
    colliding = next(q for q in drawn if naive_contacts(robot_of(name), [], q))

    def into_itself(self: reaching.Reaching, goal: HandGoal) -> Callable[[Array], Array]:
        turned.append(goal.label)
        return lambda Q: np.tile(colliding, (len(Q), 1))

    snapshot, query = start(name), reach_query(name, "soda_can", 3)
    monkeypatch.setattr(reaching.Reaching, "_turn", into_itself)
    plan = solved(name, snapshot, query)
    assert turned
    assert_sound(name, snapshot, plan)


def test_rdt_ik_finds_goals_when_no_candidate_can_be_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without candidates the tree's own nodes lead to a goal (thesis 5.5.4), by a sound motion."""
    snapshot, query = start("mannequin"), reach_query("mannequin", "soda_can")
    counted = []
    plain = reaching.Reaching.rdt_ik

    def watched(self: reaching.Reaching) -> Plan | None:
        plan = plain(self)
        counted.append(plan)
        return plan

    monkeypatch.setattr(reaching.Reaching, "rdt_ik", watched)
    monkeypatch.setattr(Problem, "connect", lambda self, start, end, joints: None)
    plan = solved("mannequin", snapshot, query)
    assert len(counted) == 1
    assert_arrives("mannequin", snapshot, plan)
    assert_sound("mannequin", snapshot, plan, 0.05)


def test_rdt_ik_finds_a_way_where_inverse_kinematics_from_the_start_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A knob where the elbow would go: descents from the start all end in it, some from nodes of the tree do not."""
    robot, kinematics = robot_of("bandit"), kinematics_of("bandit")
    monkeypatch.setattr(SeedSampler, "draw", lambda self, goals: np.tile(self._start, (len(goals), 1)))
    q, arm, found = robot.posture(robot.stance), np.array(robot.indices("left_arm")), 0
    data = robot.model.createData()
    for seed in range(12):
        there = q.copy()
        spread = 0.35 * (robot.upper - robot.lower)[arm] / 2
        there[arm] += np.random.default_rng(seed).normal(0.0, 1.0, len(arm)) * spread
        X_WH = kinematics.pose("left", np.clip(there, robot.lower, robot.upper))
        pin.forwardKinematics(robot.model, data, robot.expand(ik.solve(kinematics, "left", X_WH, arm, q).q))
        elbow = data.oMi[robot.model.getJointId("left_elbow")].translation
        knob = {"knob": (box("knob", (0.06, 0.06, 0.06)), at(*elbow))}
        snapshot, query = Snapshot(q, knob), goal_at("left", X_WH, chains=())
        candidates: list[Candidate] = []
        plain = reaching.Reaching._candidates

        def counted(self: reaching.Reaching, plain=plain, candidates=candidates) -> Iterator[Candidate]:  # type: ignore[no-untyped-def]
            for candidate in plain(self):
                candidates.append(candidate)
                yield candidate

        with monkeypatch.context() as patch:
            patch.setattr(reaching.Reaching, "_candidates", counted)
            plan = planner("bandit").solve(snapshot, query)
        if isinstance(plan, Plan) and not candidates and not plan.initial_contacts:
            found += 1
            assert_arrives("bandit", snapshot, plan)
            assert_sound("bandit", snapshot, plan, 0.02)
    assert found > 0


def test_fingers_open_in_the_first_part_of_the_path() -> None:
    """On a straight path as on one with corners, and then stay open."""
    closed, opened = np.array([0.0]), np.array([1.0])
    for path in (np.array([[0.0], [1.0]]), np.linspace(0, 1, 6)[:, None]):
        both = with_fingers(path, closed, opened)
        np.testing.assert_array_equal(both[[0, -1], 0], path[[0, -1], 0])
        assert both[0, 1] == 0.0
        assert np.all(both[both[:, 0] >= 0.4, 1] == 1.0)
    np.testing.assert_array_equal(with_fingers(path, np.zeros(0), np.zeros(0)), path)


def test_the_arm_of_the_hand_may_be_among_the_chains() -> None:
    """It counts once: the way to where the hand is already has no length."""
    robot, snapshot = robot_of("mannequin"), start("mannequin")
    goal = HandGoal("right", kinematics_of("mannequin").pose("right", snapshot.q), "here")
    query = PoseQuery((goal,), (robot.hands["right"].arm, *trunk(robot)), {}, 1.0, 0)
    plan = solved("mannequin", snapshot, query)
    assert len(plan.trajectory.indices) == len(set(plan.trajectory.indices.tolist()))
    assert at_time(plan, snapshot, plan.duration) == pytest.approx(snapshot.q)
