from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Goal, GoalSolution, HandGoal, PositionGoal
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.collision.bodies import Body, bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.kinematics import ik
from taskmatrix.skills.kinematics.kinematics import in_limits
from taskmatrix.skills.planning.finding import Finder
from taskmatrix.skills.planning.queries import IkQuery

from .setting import ROBOTS, at, box, kinematics_of, reach_query, robot_of, scene, trunk
from .test_collision import naive_contacts

NAN = float("nan")
NAME = "mannequin"


def stance(name: str) -> Array:
    robot = robot_of(name)
    return robot.posture(robot.stance)


def whole(name: str, *hands: str) -> tuple[str, ...]:
    """The chains that move hands, with the base."""
    return *trunk(robot_of(name)), *(robot_of(name).hands[hand].arm for hand in hands or robot_of(name).hands)


def find(
    name: str,
    goals: Goal | list[Goal],
    chains: tuple[str, ...] | None = None,
    bodies: list[Body] | None = None,
    allowed_contacts: tuple[AllowedContact, ...] = (),
    **options: Any,
) -> GoalSolution | Failure:
    """What is found from the stance, unless ``starts`` are given."""
    checker = CollisionChecker(robot_of(name))
    checker.set_bodies(bodies or [])
    checker.set_allowed_contacts(allowed_contacts)
    starts = np.array(options.pop("starts", stance(name)), dtype=float, ndmin=2)
    query = IkQuery(tuple(goals) if isinstance(goals, list) else (goals,), starts, chains, **options)
    return Finder(kinematics_of(name), checker, allowed_contacts, query).find()


def found(*arguments: Any, **options: Any) -> GoalSolution:
    result = find(*arguments, **options)
    assert isinstance(result, GoalSolution), result.explain()
    return result


def failed(*arguments: Any, **options: Any) -> Failure:
    result = find(*arguments, **options)
    assert isinstance(result, Failure)
    return result


def somewhere(name: str, chains: tuple[str, ...], random: np.random.Generator, near: float = 0.5) -> Array:
    """(n,) Chains anywhere within the limits, the base near the stance."""
    robot, q = robot_of(name), stance(name)
    joints = np.array(robot.indices(*chains))
    there = random.uniform(robot.lower, robot.upper)
    there[:3] = q[:3] + random.uniform(-near, near, 3)
    q[joints] = there[joints]
    return q


def goal_at(name: str, q: Array, hand: str = "left", label: str = "there") -> HandGoal:
    return HandGoal(hand, kinematics_of(name).pose(hand, q), label)


def away(goal: HandGoal, *by: float) -> HandGoal:
    return HandGoal(goal.hand, at(*by) @ goal.X_WH, "away")


def is_at(name: str, solution: GoalSolution) -> bool:
    """Whether it is at its goal, by Pinocchio, and says rightly how near."""
    goal, X_WH = solution.goal, kinematics_of(name).pose(solution.goal.hand, solution.q)
    if isinstance(goal, HandGoal):
        distance, angle = pose_error(goal.X_WH, X_WH)
    else:
        distance, angle = float(np.linalg.norm(X_WH[:3, 3] - goal.p_WH)), 0.0
    np.testing.assert_allclose((solution.distance, solution.angle), (distance, angle), atol=1e-7)
    return distance < ik.POSITION_TOLERANCE and angle < ik.ROTATION_TOLERANCE


@pytest.mark.parametrize("with_base", [False, True])
@pytest.mark.parametrize("name", ROBOTS)
def test_what_is_found_is_at_its_goal_within_the_limits(name: str, with_base: bool) -> None:
    """Poses that the hand can take with the arm alone, or with the whole body; nothing else moves."""
    robot, random = robot_of(name), np.random.default_rng(0)
    for trial in range(15):
        hand = list(robot.hands)[trial % 2]
        chains = whole(name, hand) if with_base else (robot.hands[hand].arm,)
        solution = found(name, goal_at(name, somewhere(name, chains, random), hand), chains if with_base else None)
        assert is_at(name, solution)
        joints = robot.indices(*chains)
        assert in_limits(robot, solution.q, joints, 1e-12)
        others = np.setdiff1d(np.arange(robot.n), joints)
        np.testing.assert_array_equal(solution.q[others], stance(name)[others])
        assert np.abs(solution.q[:2] - stance(name)[:2]).max() <= 1.0


@pytest.mark.parametrize("name", ROBOTS)
def test_a_position_leaves_the_orientation_free(name: str) -> None:
    """With the arm alone."""
    random = np.random.default_rng(1)
    for _ in range(15):
        X_WH = goal_at(name, somewhere(name, (robot_of(name).hands["left"].arm,), random)).X_WH
        solution = found(name, PositionGoal("left", X_WH[:3, 3], "there"))
        assert is_at(name, solution)
        assert solution.angle == 0.0


@pytest.mark.parametrize("name", ROBOTS)
def test_of_several_goals_the_one_that_is_reached_is_told(name: str) -> None:
    """Of poses and positions for both hands, the third; which, and by its number."""
    there = goal_at(name, somewhere(name, whole(name), np.random.default_rng(2)), "right")
    far = away(there, 0, 0, 5)
    goals = [far, PositionGoal("left", far.X_WH[:3, 3], "high"), there, HandGoal("left", far.X_WH, "high")]
    solution = found(name, goals, whole(name))
    assert (solution.number, solution.goal) == (2, there)
    assert is_at(name, solution)


def test_every_given_configuration_is_a_start() -> None:
    """Without any at random, what is not found from the stance is found from near where the goal was taken."""
    random, from_stance = np.random.default_rng(3), 0
    for _ in range(20):
        q = somewhere(NAME, ("left_arm",), random)
        near = q + 0.05 * random.uniform(-1, 1, len(q)) * (np.arange(len(q)) > 2)
        goal = goal_at(NAME, q)
        from_stance += isinstance(find(NAME, goal, attempts=0), GoalSolution)
        starts = [stance(NAME), *(somewhere(NAME, ("left_arm",), random) for _ in range(50)), near]
        solution = found(NAME, goal, starts=starts, attempts=0)
        assert is_at(NAME, solution)
        assert solution.work["ik_attempts"] <= 52
    assert from_stance < 18


def test_the_same_question_has_the_same_answer() -> None:
    """Bit for bit, whatever was asked between; another seed may find another."""
    random = np.random.default_rng(4)
    goals: list[Goal] = [goal_at(NAME, somewhere(NAME, whole(NAME, "left"), random)) for _ in range(3)]
    bodies = bodies_of(scene(NAME), {})
    first = found(NAME, goals, whole(NAME), bodies, free=True, choices=20, seed=5)
    found(NAME, goals[1], whole(NAME), seed=1)
    again = found(NAME, goals, whole(NAME), bodies, free=True, choices=20, seed=5)
    np.testing.assert_array_equal(first.q, again.q)
    assert first.work == again.work
    assert any(
        found(NAME, goals, whole(NAME), bodies, free=True, choices=20, seed=k).work != first.work for k in (6, 7)
    )


def test_the_work_is_bounded_and_told() -> None:
    """One descent from each start to each goal, those asked for at random, and a last one to come nearest."""
    far = away(goal_at(NAME, stance(NAME)), 0, 0, 5)
    failure = failed(NAME, [far, far], starts=[stance(NAME)] * 3, attempts=50)
    assert failure.facts["ik_attempts"] == 3 * 2 + 50 + 1
    assert failure.facts["collision_checks"] == 0
    iterations = failure.facts["ik_iterations"]
    assert isinstance(iterations, int)
    assert 57 < iterations <= 57 * 40 + 80
    solution = found(NAME, goal_at(NAME, stance(NAME)))
    assert solution.work == {"ik_attempts": 1, "ik_iterations": 0, "collision_checks": 0}


@pytest.mark.parametrize("name", ["mannequin", "bandit", "talos"])
def test_a_reference_is_approached(name: str) -> None:
    """Where the task leaves room the posture is nearer to it than without, and the hand at its goal all the same."""
    random, nearer = np.random.default_rng(6), 0
    joints = list(robot_of(name).indices(*whole(name, "left")))
    for _ in range(10):
        goal = goal_at(name, somewhere(name, whole(name, "left"), random))
        reference = somewhere(name, whole(name, "left"), random)
        with_it, without = (found(name, goal, whole(name, "left"), reference=r) for r in (reference, None))
        assert is_at(name, with_it)
        distances = [np.linalg.norm((solution.q - reference)[joints]) for solution in (with_it, without)]
        nearer += distances[0] < distances[1]
    assert nearer >= 9


def test_of_more_choices_a_nearer_one_is_taken() -> None:
    """Nearer to the start, in metres that the robot moves; never further."""
    random, weights, nearer = np.random.default_rng(7), kinematics_of(NAME).displacement, 0
    for _ in range(10):
        goal = goal_at(NAME, somewhere(NAME, whole(NAME, "left"), random))
        one, best = (found(NAME, goal, whole(NAME, "left"), choices=n) for n in (1, 40))
        ways = [float(np.linalg.norm(weights * (solution.q - stance(NAME)))) for solution in (one, best)]
        assert ways[1] <= ways[0]
        assert best.work["ik_attempts"] > one.work["ik_attempts"]
        nearer += ways[1] < ways[0]
    assert nearer >= 3


def test_a_goal_with_joints_on_their_limits_is_reached() -> None:
    """All of the arm's, at one end or the other."""
    robot, random = robot_of(NAME), np.random.default_rng(8)
    joints = np.array(robot.indices("left_arm"))
    for _ in range(15):
        q = stance(NAME)
        q[joints] = np.where(random.uniform(size=len(joints)) < 0.5, robot.lower[joints], robot.upper[joints])
        solution = found(NAME, goal_at(NAME, q), attempts=2000)
        assert is_at(NAME, solution)
        assert in_limits(robot, solution.q, joints, 1e-12)


# free of contact


@pytest.mark.parametrize("name", ROBOTS)
def test_what_is_free_is_free_by_coal_on_the_exact_meshes(name: str) -> None:
    """At grasps of a can on a table, with the hand allowed to touch the can."""
    query, bodies = reach_query(name, "soda_can"), bodies_of(scene(name), {})
    for seed in range(10):
        goals: list[Goal] = [query.goals[(seed * 37 + 13 * k) % len(query.goals)] for k in range(12)]
        solution = found(name, goals, whole(name), bodies, free=True, base_range=3.0, seed=seed)
        assert is_at(name, solution)
        touch = AllowedContact(solution.goal.hand, "soda_can")
        assert not naive_contacts(robot_of(name), bodies, solution.q, touch=touch)
        assert solution.work["collision_checks"] > 0


def test_who_does_not_ask_for_it_gets_what_is_in_contact() -> None:
    """Half of what is found for the same goals."""
    query, bodies, in_contact = reach_query("talos", "soda_can"), bodies_of(scene("talos"), {}), 0
    for k in range(10):
        careless = found("talos", query.goals[7 * k], whole("talos"), bodies, base_range=3.0)
        in_contact += bool(naive_contacts(robot_of("talos"), bodies, careless.q))
    assert in_contact >= 5


def wall(name: str, hand: str = "left") -> tuple[HandGoal, list[Body]]:
    """A goal a little before the stance's hand, and a wall 6 cm behind it."""
    goal = HandGoal(hand, at(0.10, 0.0, 0.10) @ goal_at(name, stance(name), hand).X_WH, "before")
    x, y, z = goal.X_WH[:3, 3]
    return goal, [Body(box("wall", (0.02, 2.0, 2.0)), at(x + 0.5, y, z))]


def test_what_a_hand_holds_is_part_of_it() -> None:
    """A long stick keeps the hand where it would fit alone from its goal; the pair is told."""
    goal, bodies = wall(NAME)
    assert isinstance(find(NAME, goal, whole(NAME), bodies, free=True), GoalSolution)
    X_HW = np.eye(4)
    X_HW[:3, :3] = goal.X_WH[:3, :3].T
    stick = Body(box("stick", (1.2, 0.03, 0.03)), np.eye(4), "left", X_HW)  # along the world's x, at the goal
    failure = failed(NAME, goal, whole(NAME), [*bodies, stick], free=True)
    assert failure.kind is FailureKind.COLLISION
    assert failure.facts["pair"] in (("stick", "wall"), ("wall", "stick"))


def test_touches_are_allowed_as_for_plans() -> None:
    """The goal's own object, and what is in force; that stays in force, and no more."""
    robot, X_WH = robot_of(NAME), goal_at(NAME, stance(NAME)).X_WH
    block = Body(box("block", (0.12, 0.12, 0.12)), X_WH)
    named, unnamed = (HandGoal("left", X_WH, "there", object) for object in ("block", None))
    assert failed(NAME, unnamed, None, [block], free=True).kind is FailureKind.COLLISION
    assert found(NAME, named, None, [block], free=True).work["collision_checks"] == 1
    in_force = (AllowedContact("left", "block"),)
    assert found(NAME, unnamed, None, [block], in_force, free=True).number == 0
    checker = CollisionChecker(robot)
    checker.set_bodies([block])
    query = IkQuery((named,), stance(NAME)[None], free=True)
    assert isinstance(Finder(kinematics_of(NAME), checker, (), query).find(), GoalSolution)
    assert not checker.is_free(stance(NAME))


# where there is none


@pytest.mark.parametrize("name", ROBOTS)
def test_out_of_reach_the_nearest_is_told(name: str) -> None:
    """Which goal, how near, and the joints on their limits there, by name and end; in words too."""
    near = away(goal_at(name, stance(name)), 0.0, 0.0, 1.5)
    goals: list[Goal] = [away(near, 0, 0, 3), HandGoal("left", near.X_WH, "high"), away(near, 0, 0, 5)]
    failure = failed(name, goals)
    assert failure.kind is FailureKind.IK_EXHAUSTED
    facts = failure.facts
    assert (facts["goals"], facts["goal"], facts["hand"]) == (3, "high", "left")
    distance, angle, at_limits = facts["nearest_distance"], facts["nearest_angle"], facts["at_limits"]
    assert isinstance(distance, float)
    assert isinstance(angle, float)
    assert isinstance(at_limits, dict)
    assert set(at_limits.values()) <= {"lower", "upper"}
    assert set(at_limits) <= {
        robot_of(name).joints[k] for k in robot_of(name).indices(robot_of(name).hands["left"].arm)
    }
    assert failure.message == (
        f"no goal is within reach; the nearest that the left hand came to goal 'high' is {distance:.3f} m "
        f"and {np.rad2deg(angle):.0f} deg"
    )
    assert f"ik attempts: {facts['ik_attempts']}" in failure.explain()


def test_the_nearest_is_about_as_near_as_it_gets() -> None:
    """A place above: the arm stretched out; nearer than any of many random postures."""
    robot, random, kinematics = robot_of(NAME), np.random.default_rng(9), kinematics_of(NAME)
    p = goal_at(NAME, stance(NAME)).X_WH[:3, 3] + [0.5, 0.3, 1.5]
    failure = failed(NAME, PositionGoal("left", p, "above"), ("torso", "left_arm"))
    distance, at_limits = failure.facts["nearest_distance"], failure.facts["at_limits"]
    assert isinstance(distance, float)
    assert "nearest_angle" not in failure.facts
    assert failure.message.endswith(f"came to goal 'above' is {distance:.3f} m")
    for _ in range(300):
        q = somewhere(NAME, ("torso", "left_arm"), random)
        assert distance <= np.linalg.norm(kinematics.pose("left", q)[:3, 3] - p)
    assert isinstance(at_limits, dict)
    assert at_limits
    assert all(joint in robot.joints for joint in at_limits)


def test_the_base_stays_in_its_range_and_its_bound_is_told() -> None:
    """Two metres ahead it cannot go with one, and can with two; the base's own limits hold as well."""
    goal = away(goal_at(NAME, stance(NAME)), 2.0, 0.0, 0.0)
    failure = failed(NAME, goal, whole(NAME))
    at_limits = failure.facts["at_limits"]
    assert isinstance(at_limits, dict)
    assert at_limits["base_x"] == "upper"
    assert "base_x upper" in failure.explain()
    assert found(NAME, goal, whole(NAME), base_range=2.0).q[0] > 1.0
    still = found(NAME, away(goal, -2.05, 0, 0), whole(NAME), base_range=0.0)
    np.testing.assert_array_equal(still.q[:2], stance(NAME)[:2])
    limit = stance(NAME)
    limit[0] = robot_of(NAME).upper[0] + 0.3  # drifted beyond it
    beyond = goal_at(NAME, limit)
    assert found(NAME, beyond, whole(NAME), starts=limit).q[0] <= robot_of(NAME).upper[0]


def test_where_every_way_collides_the_pairs_are_told() -> None:
    """A hand inside a block that it may not touch: the pair most often in contact, and how often."""
    goal = goal_at(NAME, stance(NAME))
    block = Body(box("block", (0.3, 0.3, 0.3)), goal.X_WH)
    failure = failed(NAME, goal, ("torso", "left_arm"), [block], free=True, attempts=60)
    assert failure.kind is FailureKind.COLLISION
    assert "block" in failure.facts["pair"]  # type: ignore[operator]
    reached = int(failure.message.split()[2])
    assert failure.message == f"none of {reached} configurations at a goal is free of contact"
    assert 1 < reached <= 61
    assert (failure.facts["goal"], failure.facts["ik_attempts"]) == ("there", 61)
    assert failure.facts["nearest_distance"] < ik.POSITION_TOLERANCE  # type: ignore[operator]
    assert 0 < failure.facts["collision_checks"] <= 61  # type: ignore[operator]
    assert "block" in str(failure.facts["most_often"])
    assert "times" in failure.explain()


# what is asked wrongly


GOAL = HandGoal("left", np.eye(4), "there")


@pytest.mark.parametrize(
    ("message", "goals", "options"),
    [
        ("there must be a goal", [], {}),
        ("goal 'bad' of the left hand must be a .4, 4. pose of finite", [HandGoal("left", at(NAN, 0, 0), "bad")], {}),
        ("goal 'bad' of the left hand must be a .4, 4. pose", [GOAL, HandGoal("left", np.eye(3), "bad")], {}),
        ("orientation of goal 'bad' .* rotation", [GOAL, HandGoal("left", np.diag([1, 1, -1.0, 1]), "bad")], {}),
        ("orientation of goal 'bad' .* rotation", [HandGoal("left", 2.0 * np.eye(4), "bad")], {}),
        ("goal 'bad' .* three finite numbers", [PositionGoal("left", np.array([0, NAN, 0]), "bad")], {}),
        ("goal 'bad' .* three finite numbers", [PositionGoal("left", np.zeros(2), "bad")], {}),
        ("reference posture of 'mannequin' must be finite .* 'base_x'", [GOAL], {"reference": np.full(30, NAN)}),
        (r"reference posture .* of shape \(30,\), not \(3,\)", [GOAL], {"reference": np.zeros(3)}),
        ("positions to start from .* finite", [GOAL], {"starts": np.full(30, NAN)}),
        (r"positions to start from .* shape \(30,\), not \(29,\)", [GOAL], {"starts": np.zeros((4, 29))}),
        ("there must be joint positions to start from", [GOAL], {"starts": np.zeros((0, 30))}),
        ("none of the chains 'head', 'right_arm' moves the left hand", [GOAL], {"chains": ("head", "right_arm")}),
        ("no chain moves the left hand; its arm is 'left_arm'", [GOAL], {"chains": ()}),
        ("attempts must be at least 0 and choices 1, not -1 and 1", [GOAL], {"attempts": -1}),
        ("attempts must be at least 0 and choices 1, not 200 and 0", [GOAL], {"choices": 0}),
        ("range of the base must be a number of metres from 0, not -1", [GOAL], {"base_range": -1.0}),
        ("range of the base", [GOAL], {"base_range": NAN}),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(message: str, goals: list[Goal], options: dict[str, Any]) -> None:
    """With what is wrong and what is allowed."""
    with pytest.raises(ParameterError, match=message):
        find(NAME, goals, **options)


@pytest.mark.parametrize(
    ("message", "hand", "chains"),
    [
        ("no hand 'lefd' .* did you mean 'left'", "lefd", None),
        ("no chain 'left_am' .* did you mean 'left_arm'", "left", ("torso", "left_am")),
    ],
)
def test_names_that_do_not_exist_are_refused(message: str, hand: str, chains: tuple[str, ...] | None) -> None:
    """With the nearest that does."""
    with pytest.raises(NotFoundError, match=message):
        find(NAME, HandGoal(hand, np.eye(4), "there"), chains)
