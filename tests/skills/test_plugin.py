"""Skills that a robot does in a way of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import taskmatrix as tm
from taskmatrix.behaviors import Pickup, Reach
from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.skills.kinematics.kinematics import Kinematics
from taskmatrix.skills.plugin import ArmSolver
from taskmatrix.skills.skillset import PinocchioSkills

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
NAMED = 'inverse_kinematics = "post.arm:solver"'


class OwnSkills(PinocchioSkills):
    """Counts how often it is asked for forward kinematics."""

    asked = 0

    def forward_kinematics(self, hand: str, q: Array | None = None) -> Array:
        OwnSkills.asked += 1
        return super().forward_kinematics(hand, q)


def lazy(robot: Robot) -> ArmSolver:
    """Inverse kinematics that answers with too little."""
    return lambda hand, X_WH, Q: Q[:1, :3]


@pytest.fixture
def post(tmp_path: Path) -> Path:
    """The robot of the example in a folder of its own, with its code beside the adapter."""
    return Path(shutil.copytree(EXAMPLES / "post", tmp_path / "post"))


def told(post: Path, skills: str) -> Robot:
    adapter = post / "robot.toml"
    text = adapter.read_text(encoding="utf-8")
    assert NAMED in text
    adapter.write_text(text.replace(NAMED, skills), encoding="utf-8")
    return load_robot(post)


def test_a_solution_in_closed_form_is_taken_as_it_is(post: Path) -> None:
    """At poses that the arm can take, the descent has nothing left to do."""
    robot = load_robot(post)
    kinematics, random = Kinematics(robot), np.random.default_rng(0)
    arm, exact = np.array(robot.indices("arm"), dtype=np.intp), 0
    for _ in range(200):
        q = robot.posture("stand", base=(0.4, -0.3, 0.7))
        goal = q.copy()
        goal[arm] = random.uniform(robot.lower[arm], robot.upper[arm])
        X = kinematics.pose("only", goal)
        (found,) = kinematics.towards("only", arm, X[None], q[None])
        assert np.all(found[arm] >= robot.lower[arm])
        assert np.all(found[arm] <= robot.upper[arm])
        exact += np.allclose(kinematics.pose("only", found), X, atol=1e-9)
    assert exact == 200


def test_without_the_whole_arm_it_is_not_asked(post: Path) -> None:
    """What may not move stays."""
    robot = load_robot(post)
    kinematics, q = Kinematics(robot), robot.posture("stand")
    some = robot.indices("arm")[:3]
    Q = q[None]
    assert kinematics.towards("only", some, np.eye(4)[None], Q) is Q


def test_behaviors_run_on_it_unchanged(post: Path) -> None:
    """A whole pickup, planned with it."""
    with tm.simulate(post, seed=1) as session:
        assert session.run(Pickup(object="soda_can")).success


def test_a_skill_set_of_its_own_takes_the_place_of_the_librarys(post: Path) -> None:
    """Its methods are what behaviors ask."""
    told(post, f'skill_set = "{__name__}:OwnSkills"')
    before = OwnSkills.asked
    with tm.simulate(post, seed=1) as session:
        assert isinstance(session.skills, OwnSkills)
        assert session.run(Reach(object="soda_can")).success
    assert OwnSkills.asked > before


@pytest.mark.parametrize(
    ("skills", "message"),
    [
        (
            'inverse_kinematics = "post.leg:solver"',
            r"skills\.inverse_kinematics: 'post\.leg:solver' is not to be found",
        ),
        ('inverse_kinematics = "post.arm:solve"', r"skills\.inverse_kinematics: 'post\.arm:solve' is not to be found"),
        ('inverse_kinematics = "no name"', r"skills\.inverse_kinematics: 'no name' is not to be found"),
        ('inverse_kinematics = "post.arm:FOREARM"', r"'post\.arm:FOREARM' is a float, and cannot be called"),
    ],
)
def test_what_cannot_be_had_is_named(post: Path, skills: str, message: str) -> None:
    """With the adapter and the key."""
    with pytest.raises(RobotError, match=message):
        Kinematics(told(post, skills))


def test_an_unknown_skill_is_refused(post: Path) -> None:
    """With the nearest that there is."""
    with pytest.raises(RobotError, match=r"skills\.inverse_kinematic: no key .*; did you mean 'inverse_kinematics'"):
        told(post, 'inverse_kinematic = "post.arm:solver"')


def test_answers_of_the_wrong_shape_are_refused(post: Path) -> None:
    """Before anything is done with them."""
    robot = told(post, f'inverse_kinematics = "{__name__}:lazy"')
    kinematics, q = Kinematics(robot), robot.posture("stand")
    with pytest.raises(RobotError, match=r"must return finite numbers of the shape \(1, 11\), and returned \(1, 3\)"):
        kinematics.towards("only", robot.indices("arm"), np.eye(4)[None], q[None])
