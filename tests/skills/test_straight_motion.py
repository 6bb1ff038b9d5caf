from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.planning.straight_motion import STEP, TURN, arm_first, line, straight

from .setting import ROBOTS, kinematics_of, limb, random_configuration, robot_of

HAND, UP, LENGTH = "left", np.array([0.0, 0.0, 1.0]), 0.08


def moving(name: str) -> Indices:
    return np.union1d(limb(robot_of(name), HAND), [0, 1, 2]).astype(np.intp)


def bent(name: str) -> Array:
    """The stance with the arm in the middle of its joints' ranges."""
    robot = robot_of(name)
    q, arm = robot.posture(robot.stance), list(robot.indices(robot.hands[HAND].arm))
    q[arm] = (robot.lower[arm] + robot.upper[arm]) / 2
    return q


def test_a_line_goes_by_steps_along_a_direction() -> None:
    """Without the pose where it begins, and without turning."""
    X = np.eye(4)
    X[:3, 3] = 1.0, 2.0, 3.0
    poses = line(X, np.array([0.0, 1.0, 0.0]), 0.03)
    np.testing.assert_allclose(poses[:, :3, 3], [[1.0, 2.0 + STEP * k, 3.0] for k in range(1, 6)])
    np.testing.assert_array_equal(poses[:, :3, :3], np.tile(np.eye(3), (5, 1, 1)))


@pytest.mark.parametrize("name", ROBOTS)
def test_a_hand_takes_one_pose_after_the_other(name: str) -> None:
    """Each within the tolerances of inverse kinematics, from the configuration where it starts."""
    kinematics, q = kinematics_of(name), bent(name)
    way = line(kinematics.pose(HAND, q), UP, LENGTH)
    stretch = straight(kinematics, HAND, way, q, arm_first(kinematics, HAND, moving(name)))
    np.testing.assert_array_equal(stretch[0], q)
    assert len(stretch) == len(way) + 1
    for X, there in zip(way, stretch[1:], strict=True):
        distance, angle = pose_error(X, kinematics.pose(HAND, there))
        assert distance < 1e-4
        assert angle < 1e-3


@pytest.mark.parametrize("name", ROBOTS)
def test_it_never_jumps(name: str) -> None:
    """From anywhere: where the arm alone cannot go on, the base does not swing round to where another posture can."""
    robot, kinematics, random = robot_of(name), kinematics_of(name), np.random.default_rng(4)
    choices, far = arm_first(kinematics, HAND, moving(name)), 0
    for _ in range(40):
        q = random_configuration(robot, random)
        way = line(kinematics.pose(HAND, q), UP, LENGTH)
        stretch = straight(kinematics, HAND, way, q, choices)
        assert len(stretch) == 1 or np.abs(np.diff(stretch, axis=0)).max() < TURN
        far = max(far, len(stretch))
    assert far == round(LENGTH / STEP) + 1


def test_the_arm_goes_alone_as_long_as_it_can() -> None:
    """And where it is blocked, all joints go on from there; where they are too, it ends."""
    name = "mannequin"
    kinematics, q = kinematics_of(name), bent(name)
    arm, joints = arm_first(kinematics, HAND, moving(name))
    way = line(kinematics.pose(HAND, q), UP, LENGTH)
    asked: list[int] = []

    def first_blocked(Q: Array) -> int | None:
        asked.append(len(Q))
        return 5 if len(asked) == 1 else 3

    stretch = straight(kinematics, HAND, way, q, [arm, joints], first_blocked=first_blocked)
    assert asked == [len(way) + 1, len(way) + 1 - 5]
    assert len(stretch) == 1 + 5 + 3
    rest = np.setdiff1d(np.arange(len(q)), arm)
    np.testing.assert_array_equal(stretch[:6, rest], np.tile(q[rest], (6, 1)))


def test_a_pose_out_of_reach_ends_it() -> None:
    """With what was reached before."""
    name = "mannequin"
    kinematics, q = kinematics_of(name), bent(name)
    way = line(kinematics.pose(HAND, q), UP, LENGTH)
    way[4:, 2, 3] += 30.0
    assert len(straight(kinematics, HAND, way, q, arm_first(kinematics, HAND, moving(name)))) == 5


def test_without_joints_of_the_arm_there_is_one_choice() -> None:
    """Those that may move."""
    base = np.arange(3)
    (only,) = arm_first(kinematics_of("mannequin"), HAND, base)
    np.testing.assert_array_equal(only, base)


@pytest.mark.parametrize("name", ROBOTS)
def test_what_may_be_tilted_goes_on_along_the_line(name: str) -> None:
    """As it is as far as that goes, and then turning; without a jump, on the line, and farther from some postures."""
    robot, kinematics, random = robot_of(name), kinematics_of(name), np.random.default_rng(4)
    choices, farther = arm_first(kinematics, HAND, limb(robot, HAND)), 0
    for _ in range(20):
        q = random_configuration(robot, random)
        way = line(kinematics.pose(HAND, q), UP, LENGTH)
        level = straight(kinematics, HAND, way, q, choices)
        tilted = straight(kinematics, HAND, way, q, choices, tilting=True)
        np.testing.assert_array_equal(tilted[: len(level)], level)
        places = np.reshape([kinematics.pose(HAND, there)[:3, 3] for there in tilted[1:]], (-1, 3))
        np.testing.assert_allclose(places, way[: len(places), :3, 3], atol=1e-3)
        assert len(tilted) == 1 or np.abs(np.diff(tilted, axis=0)).max() < TURN
        farther += len(tilted) > len(level)
    assert farther > 0
