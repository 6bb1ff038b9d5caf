from __future__ import annotations

import itertools

import numpy as np
import pytest

from taskmatrix.core.robot.plans import VIEW
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.kinematics.kinematics import in_limits
from taskmatrix.skills.kinematics.view import face, face_each, gaze_error

from .setting import ROBOTS, kinematics_of, robot_of


def error_at(name: str, q: Array, point: Array) -> float:
    return gaze_error(kinematics_of(name).pose(VIEW, q), point)


def brute_force(name: str, q: Array, point: Array, joints: Array) -> float:
    """The least error on a grid over the head's joints, refined twice."""
    robot, best, q = robot_of(name), np.inf, q.copy()
    low, high = robot.lower[joints], robot.upper[joints]
    for _ in range(4):
        axes = [np.linspace(a, b, 13 if len(joints) < 3 else 9) for a, b in zip(low, high, strict=True)]
        for values in itertools.product(*axes):
            q[joints] = values
            error = error_at(name, q, point)
            if error < best:
                best, place = error, np.array(values)
        half = (high - low) / 6
        low, high = np.maximum(low, place - half), np.minimum(high, place + half)
    return best


def test_the_gaze_error_is_the_angle_to_the_point() -> None:
    """Ahead, aside and behind."""
    X = np.eye(4)
    X[:3, 3] = 1.0, 2.0, 3.0
    ahead = np.array([3.0, 2.0, 3.0])
    assert gaze_error(X, ahead) == pytest.approx(0.0)
    assert gaze_error(X, np.array([1.0, 5.0, 3.0])) == pytest.approx(np.pi / 2)
    assert gaze_error(X, np.array([-3.0, 2.0, 3.0])) == pytest.approx(np.pi)


@pytest.mark.parametrize("name", ROBOTS)
def test_a_target_within_the_necks_limits_is_faced(name: str) -> None:
    """Targets are on the viewing ray of random postures of the head."""
    robot, kinematics = robot_of(name), kinematics_of(name)
    joints, random = np.array(robot.indices("head")), np.random.default_rng(0)
    q = robot.posture(robot.stance, (0.3, -0.2, 1.0))
    for _ in range(15):
        there = q.copy()
        there[joints] = random.uniform(robot.lower[joints], robot.upper[joints])
        X_WV = kinematics.pose(VIEW, there)
        point = X_WV[:3, 3] + random.uniform(0.5, 3.0) * X_WV[:3, 0]
        turned = face(kinematics, point, joints, q)
        assert error_at(name, turned, point) < 2e-3
        assert in_limits(robot, turned, joints)
        others = np.setdiff1d(np.arange(robot.n), joints)
        np.testing.assert_array_equal(turned[others], q[others])


@pytest.mark.parametrize("name", ROBOTS)
def test_beyond_the_limits_it_stops_at_the_smallest_error(name: str) -> None:
    """All around the robot, behind it too: within two degrees of the best on a grid."""
    robot = robot_of(name)
    joints, q = np.array(robot.indices("head")), robot.posture(robot.stance)
    height = kinematics_of(name).pose(VIEW, q)[2, 3]
    for angle, z in itertools.product(np.deg2rad([0, 60, 130, 170, -100, -155]), (0.1, height + 1.0)):
        point = np.array([1.5 * np.cos(angle), 1.5 * np.sin(angle), z])
        turned = face(kinematics_of(name), point, joints, q)
        assert in_limits(robot, turned, joints)
        least = brute_force(name, q, point, joints)
        assert error_at(name, turned, point) <= least + np.deg2rad(2.0), (np.rad2deg(angle), z)


@pytest.mark.parametrize("name", ROBOTS)
def test_with_the_base_everything_around_is_faced(name: str) -> None:
    """Straight behind as well."""
    robot = robot_of(name)
    joints, q = np.array(robot.indices("base", "head")), robot.posture(robot.stance)
    for angle in np.deg2rad([90, 135, 179, 180, -179, -120]):
        point = np.array([2.0 * np.cos(angle), 2.0 * np.sin(angle), 1.0])
        turned = face(kinematics_of(name), point, joints, q)
        assert error_at(name, turned, point) < 2e-3


def test_a_point_that_is_faced_moves_nothing() -> None:
    """The start is the answer."""
    robot, kinematics = robot_of("bandit"), kinematics_of("bandit")
    q = robot.posture(robot.stance)
    X_WV = kinematics.pose(VIEW, q)
    turned = face(kinematics, X_WV[:3, 3] + X_WV[:3, 0], np.array(robot.indices("head")), q)
    np.testing.assert_array_equal(turned, q)


def test_no_joints_turn_nothing() -> None:
    """The answer is the start, whatever the error."""
    robot, kinematics = robot_of("bandit"), kinematics_of("bandit")
    q = robot.posture(robot.stance)
    turned = face(kinematics, np.array([0.0, 3.0, 1.0]), np.array([], dtype=np.intp), q)
    np.testing.assert_array_equal(turned, q)


@pytest.mark.parametrize("name", ROBOTS)
def test_many_are_turned_as_each_alone(name: str) -> None:
    """And what is left is told."""
    robot, kinematics, random = robot_of(name), kinematics_of(name), np.random.default_rng(1)
    joints, point = np.array(robot.indices("head")), np.array([1.5, 0.4, 0.8])
    Q = np.array([robot.posture(robot.stance, tuple(random.uniform(-1.0, 1.0, 3))) for _ in range(9)])
    turned, left = face_each(kinematics, point, joints, Q)
    for q, there, error in zip(Q, turned, left, strict=True):
        np.testing.assert_array_equal(there, face(kinematics, point, joints, q))
        assert error == pytest.approx(error_at(name, there, point), abs=1e-6)


def test_a_head_that_follows_starts_where_it_was_left() -> None:
    """Each turn is from the one before, whatever the configurations say of the head."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    joints, point = np.array(robot.indices("head")), np.array([1.5, 0.4, 0.8])
    Q = np.array([robot.posture(robot.stance, (0.0, 0.0, yaw)) for yaw in np.linspace(0.0, 2.0, 20)])
    Q[1:, joints] = robot.upper[joints]
    turned, _ = face_each(kinematics, point, joints, Q, following=True)
    here = Q[0, joints]
    for q, there in zip(Q, turned, strict=True):
        q[joints] = here
        np.testing.assert_array_equal(there, face(kinematics, point, joints, q))
        here = there[joints]
