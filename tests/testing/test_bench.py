"""The fakes that ship with the library."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix import testing
from taskmatrix.behaviors import Fixate, Pickup, Postural
from taskmatrix.core import Contact, Failure, FailureKind, NotFoundError, Plant, SkillSet, TaskBehavior
from taskmatrix.core.robot.plans import GoalSolution, HandGoal, Job, PositionGoal, Trajectory
from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.testing import (
    Bench,
    FakeClock,
    FakeJob,
    FakeRobot,
    FakeSkills,
    LineTrajectory,
    bench,
    box_percept,
    test_objects,
)

CUP = (0.5, 0.1, 0.9)


@pytest.fixture
def fake() -> Bench:
    return Bench([box_percept("cup", CUP)])


def test_the_fakes_are_what_they_stand_for(fake: Bench) -> None:
    """The type checker holds them against the protocols; here it is used once."""
    skills: SkillSet = fake.skills
    plant: Plant = fake.plant
    line: Trajectory = LineTrajectory(np.array([3]), np.zeros(1), np.ones(1), 1.0)
    job: Job = FakeJob(Failure(FailureKind.TIMEOUT, "x", "y"), lambda: True)
    for fake_, protocol in ((skills, SkillSet), (plant, Plant), (line, Trajectory), (job, Job)):
        names = [name for facet in protocol.__mro__ for name in vars(facet) if not name.startswith("_")]
        assert names
        assert all(hasattr(fake_, name) for name in names)


@pytest.mark.parametrize("module", [bench, test_objects])
def test_the_examples_in_the_docstrings_run(module: Any) -> None:
    """What the documentation shows is what happens."""
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_a_whole_pickup_runs_on_the_fakes(fake: Bench) -> None:
    """The library's own program, unchanged: the cup ends in a hand, where the arm carries it."""
    outcome = fake.run(Pickup(object="cup"))
    assert outcome.success, outcome
    assert fake.plant.truth()["held"] == {"left": "cup"}
    assert fake.violation() is None
    q = fake.skills.position()
    X_HO = np.linalg.solve(fake.skills.forward_kinematics("left"), fake.context.perception.pose("cup"))

    class Lift(TaskBehavior):
        def required_chains(self) -> list[str]:
            return ["left_arm"]

        def step(self) -> bool:
            self.command(np.array([7]), self.context.arbiter.last[[7]] + 0.005)
            return self.elapsed > 0.1

    fake.run(Lift())
    assert fake.skills.position()[7] > q[7] + 0.04
    carried = fake.skills.forward_kinematics("left") @ X_HO
    assert pose_error(carried, fake.context.perception.pose("cup")) == pytest.approx((0.0, 0.0), abs=1e-9)
    fake.skills.detach("left")
    assert fake.plant.truth()["held"] == {}


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("hand", FakeRobot.hands)
def test_inverse_kinematics_is_exact(fake: Bench, hand: str, number: int) -> None:
    """Wherever the base stands and however the hand is turned; without the arm nothing moves."""
    random = np.random.default_rng(number)
    q = random.uniform(-1, 1, FakeRobot.n)
    goal = fake.skills.robot.hand_pose(hand, random.uniform(-1, 1, FakeRobot.n))
    goal[:2, 3] += q[:2]
    solution = fake.skills.inverse_kinematics(hand, goal, [f"{hand}_arm"], q)
    found = pose_error(goal, fake.skills.forward_kinematics(hand, solution.q))
    if (np.abs(solution.q) < fake.skills.robot.upper).all():
        assert found == pytest.approx((0.0, 0.0), abs=1e-9)
    assert (solution.distance, solution.angle) == pytest.approx(found)
    assert fake.skills.inverse_kinematics(hand, goal, ["head"], q).distance > 0


def test_the_first_goal_within_reach_is_found(fake: Bench) -> None:
    """Or none, or none that is free, as a test scripts it."""
    skills, X_WH = fake.skills, fake.skills.forward_kinematics("left")
    high, there = HandGoal("left", pose((0, 0, 9)), "high"), HandGoal("left", X_WH, "there")
    found = skills.find_configuration([high, there], free=True)
    assert isinstance(found, GoalSolution)
    assert (found.number, found.goal) == (1, there)
    place = skills.find_configuration([PositionGoal("left", X_WH[:3, 3], "place")])
    assert isinstance(place, GoalSolution)
    assert place.distance == pytest.approx(0.0, abs=1e-9)
    missed = skills.find_configuration([high], q=np.tile(skills.position(), (3, 1)))
    assert isinstance(missed, Failure)
    assert (missed.kind, missed.facts["ik_attempts"]) == (FailureKind.IK_EXHAUSTED, 3)
    skills.contact = lambda q: Contact("hand", "table", -0.01)
    blocked = skills.find_configuration([high, there], free=True)
    assert isinstance(blocked, Failure)
    assert (blocked.kind, blocked.facts["pair"]) == (FailureKind.COLLISION, ("hand", "table"))


@pytest.mark.parametrize("point", [(3, 1, 1.5), (1, -4, 0.5), (-2, 0.1, 3)])
@pytest.mark.parametrize("chains", [("head", "base"), ("base", "head")])
def test_the_view_turns_to_a_point(fake: Bench, point: tuple[float, ...], chains: tuple[str, ...]) -> None:
    """With the head as far as it goes, and the base for the rest; alone, the head stops at its limit."""
    target = np.array(point)
    q = fake.skills.inverse_kinematics_of_view(target, chains)
    direction = target - fake.skills.view_position(q)
    view = fake.skills.view(q)
    assert_allclose(view.T @ view, np.eye(3), atol=1e-12)
    assert_allclose(view[:, 0], direction / np.linalg.norm(direction), atol=1e-9)
    alone = fake.skills.inverse_kinematics_of_view(target, ["head"])
    assert abs(alone[3]) <= 1.5
    assert_allclose(alone[:3], 0.0)


def test_a_posture_in_the_mirror_is_that_of_the_other_hand(fake: Bench) -> None:
    """The hand's pose is mirrored at the plane between the arms; twice gives the posture back."""
    posture = dict(zip(FakeRobot.chains["left_arm"], (0.3, 0.2, 1.1, 0.4, -0.5, 0.6), strict=True))
    mirrored = fake.skills.mirrored(posture)
    assert mirrored is not None
    q = np.zeros(FakeRobot.n)
    for joint, position in {**posture, **mirrored}.items():
        q[joint] = position
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])
    left, right = (fake.skills.forward_kinematics(hand, q) for hand in FakeRobot.hands)
    assert_allclose(right, mirror @ left @ mirror, atol=1e-12)
    assert fake.skills.mirrored(mirrored) == pytest.approx(posture)
    assert fake.skills.mirrored({0: 1.0}) is None


def test_plans_and_their_validity_follow_the_script(fake: Bench) -> None:
    """What is scripted comes first; then lines to the goal that arrive after the duration."""
    fake.skills.postures["nod"] = {4: 0.3}
    fake.skills.plans.append(Failure(FailureKind.IK_EXHAUSTED, "planner", "no way"))
    assert (
        str(fake.run(Postural(posture="nod")))
        == "failure after 0.50 s: postural: planning failed, because planner: no way."
    )
    assert fake.run(Postural(posture="nod")).success
    assert fake.skills.position()[4] == pytest.approx(0.3)
    assert len(fake.skills.seeds) == 2
    goal = HandGoal("right", pose((0.5, -0.2, 1.0)), "here")
    job = fake.skills.plan_to_poses([goal], [], 1.0, seed=1, planning_time=0.5)
    assert isinstance(job, FakeJob)
    assert not job.done()
    fake.context.clock.sleep_until(fake.context.clock.now() + 0.5)
    assert job.done()
    plan = job.result()
    assert not isinstance(plan, Failure)
    assert plan.goal is goal
    q = fake.skills.position()
    q[plan.trajectory.indices] = plan.trajectory.sample(99.0)[0]
    assert_allclose(fake.skills.forward_kinematics("right", q), goal.X_WH, atol=1e-9)


def test_a_line_has_constant_speed_and_rests_at_its_ends() -> None:
    """Clipped before and after; of no length and no duration it is at its end."""
    line = LineTrajectory(np.array([3]), np.array([1.0]), np.array([3.0]), 4.0)
    for time, expected in ((-1.0, (1.0, 0.0)), (1.0, (1.5, 0.5)), (4.0, (3.0, 0.0)), (9.0, (3.0, 0.0))):
        q, v, a = line.sample(time)
        assert (q[0], v[0], a[0]) == (*expected, 0.0)
    assert LineTrajectory(np.array([3]), np.zeros(1), np.ones(1), 0.0).sample(0.0)[0] == 1.0


def test_scripted_contacts_stop_the_robot(fake: Bench) -> None:
    """One function is the world's geometry: for the skill that is asked and for the guard that is not."""
    fake.skills.contact = lambda q: Contact("head", "lamp", -0.01) if q[3] > 0.05 else None
    fake.context.arbiter.claim("somebody", ["base"])  # or it would turn that
    outcome = fake.run(Fixate(target="cup"))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.COLLISION
    assert outcome.failure.facts["pair"] == ("head", "lamp")
    assert fake.skills.position()[3] <= 0.05


def test_perception_follows_its_script() -> None:
    """Out of sight from 0.1 s, back elsewhere at 0.2 s."""
    seen: list[object] = []

    class Watch(TaskBehavior):
        def step(self) -> bool:
            perception = self.context.perception
            seen.append(round(perception.pose("cup")[0, 3], 3) if "cup" in perception else None)
            return self.elapsed >= 0.3

    script = [(0.2, "cup", pose((0.9, 0.0, 1.0))), (0.1, "cup", None)]
    assert Bench([box_percept("cup", CUP)], script).run(Watch()).success
    assert seen == [0.5] * 10 + [None] * 10 + [0.9] * 11


@pytest.mark.parametrize("hand", ["left", "right"])
def test_unknown_names_are_answered_with_the_known(fake: Bench, hand: str) -> None:
    """As the real skills do."""
    for ask in (
        lambda: fake.skills.joints("haed"),
        lambda: fake.skills.held("middle"),
        lambda: fake.skills.posture("nood"),
        lambda: fake.skills.grasps("cupp", hand),
        lambda: fake.skills.attach(hand, "cupp"),
    ):
        with pytest.raises(NotFoundError, match="There are: "):
            ask()


def test_a_robot_without_a_head_says_so(fake: Bench) -> None:
    """Scripted by one attribute."""
    fake.skills.sees = False
    failure = fake.run(Fixate(target="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE


def test_the_fake_clock_is_simulated_time() -> None:
    """Nothing waits."""
    assert FakeClock().simulated


def test_all_is_sorted_and_true() -> None:
    """What the package names is there."""
    assert testing.__all__ == sorted(testing.__all__)
    assert testing.FakeSkills is FakeSkills
