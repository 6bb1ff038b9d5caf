from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.robot.plans import VIEW
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills.kinematics.kinematics import Kinematics, in_limits

from .setting import ROBOTS, kinematics_of, random_configuration, robot_of


@pytest.mark.parametrize("name", ROBOTS)
def test_jacobians_of_hands_and_view_are_finite_differences(name: str) -> None:
    """Over all active joints, so that joints which drive mimics are among them."""
    robot, kinematics = robot_of(name), kinematics_of(name)
    random, h = np.random.default_rng(0), 1e-6
    joints = np.arange(robot.n)
    for frame in [*robot.hands, VIEW]:
        q = random_configuration(robot, random)
        _, J = kinematics.placement_and_jacobian(frame, q, joints)
        for index in joints:
            step = np.zeros(robot.n)
            step[index] = h
            ahead, behind = pin.SE3(kinematics.pose(frame, q + step)), pin.SE3(kinematics.pose(frame, q - step))
            twist = pin.log6(behind.actInv(ahead)).vector / (2 * h)
            np.testing.assert_allclose(J[:, index], twist, atol=2e-6)


def test_a_joint_that_drives_mimics_moves_a_frame_behind_them() -> None:
    """With the grasp frame on a finger that follows another, its column is the finite difference too."""
    robot = robot_of("talos")
    hand = replace(robot.hands["left"], frame="gripper_left_fingertip_2_link")
    kinematics = Kinematics(replace(robot, hands={"left": hand}))
    q, h = robot.posture(robot.stance), 1e-6
    driver = robot.indices("left_hand")[0]
    step = np.zeros(robot.n)
    step[driver] = h
    ahead, behind = pin.SE3(kinematics.pose("left", q + step)), pin.SE3(kinematics.pose("left", q - step))
    twist = pin.log6(behind.actInv(ahead)).vector / (2 * h)
    assert np.linalg.norm(twist) > 1e-3
    _, J = kinematics.placement_and_jacobian("left", q, np.array([driver]))
    np.testing.assert_allclose(J[:, 0], twist, atol=2e-6)


@pytest.mark.parametrize("name", ROBOTS)
def test_poses_agree_with_the_plants(name: str) -> None:
    """Two implementations of where a hand is."""
    robot, kinematics = robot_of(name), kinematics_of(name)
    random = np.random.default_rng(1)
    for hand in robot.hands:
        q = random_configuration(robot, random)
        np.testing.assert_allclose(kinematics.pose(hand, q), hand_pose(robot, hand, q), atol=1e-12)


def test_the_columns_are_those_asked_for() -> None:
    """In the order asked for."""
    robot, kinematics = robot_of("talos"), kinematics_of("talos")
    q = robot.posture(robot.stance)
    chosen = np.array([7, 2, 20])
    _, some = kinematics.placement_and_jacobian("left", q, chosen)
    _, every = kinematics.placement_and_jacobian("left", q, np.arange(robot.n))
    np.testing.assert_array_equal(some, every[:, chosen])


def test_the_robots_own_model_stays_as_it_is() -> None:
    """The frames of hands and view are added to a copy."""
    robot = robot_of("mannequin")
    frames = robot.model.nframes
    kinematics_of("mannequin").pose("left", robot.posture(robot.stance))
    assert robot.model.nframes == frames


def test_in_limits_looks_at_the_joints_named_only() -> None:
    """A joint beyond its limit counts when it is asked for."""
    robot = robot_of("mannequin")
    q = robot.posture(robot.stance)
    q[5] = robot.upper[5] + 0.1
    assert in_limits(robot, q, [3, 4])
    assert not in_limits(robot, q, [4, 5])
    assert in_limits(robot, q, [])
