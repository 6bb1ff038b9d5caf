from __future__ import annotations

from collections import Counter

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.robot.plans import HandGoal
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.planning.problem import Problem
from taskmatrix.skills.planning.seeds import arm_reach

from .setting import ROBOTS, kinematics_of, problem_of, reach_query, robot_of, seeds_of, trunk


def drawn(name: str, seed: int, count: int = 48) -> tuple[Array, list[HandGoal], Problem]:
    """Seeds for goals at the can, and what they were drawn with."""
    query = reach_query(name, "soda_can", seed)
    problem = problem_of(name, query)
    goals = [query.goals[k % len(query.goals)] for k in range(count)]
    return seeds_of(name, problem).draw(goals), goals, problem


@pytest.mark.parametrize("name", ROBOTS)
def test_seeds_are_within_the_limits_with_the_base_in_reach_of_the_goal(name: str) -> None:
    """Or of another goal of the object, which is not far; most of them where the robot can stand."""
    robot = robot_of(name)
    Q, goals, problem = drawn(name, 0)
    joints = np.array(robot.indices(*trunk(robot)[1:], *(hand.arm for hand in robot.hands.values())), dtype=np.intp)
    assert np.all((Q[:, joints] >= robot.lower[joints]) & (Q[:, joints] <= robot.upper[joints]))
    reach = np.array([arm_reach(robot, goal.hand) for goal in goals])
    offs = np.array([goal.X_WH[:2, 3] for goal in goals]) - Q[:, :2]
    assert np.all(np.linalg.norm(offs, axis=1) < 1.1 * reach + 0.3)
    turns = np.arctan2(offs[:, 1], offs[:, 0]) - Q[:, 2]
    assert np.mean(np.cos(turns)) > 0.7
    standing = np.tile(problem.start, (len(Q), 1))
    standing[:, :3] = Q[:, :3]
    assert np.mean(problem.checker.are_free(standing)) > 0.8


def test_only_the_arm_of_the_goals_hand_moves() -> None:
    """The other stays where it is."""
    robot = robot_of("mannequin")
    Q, goals, problem = drawn("mannequin", 0)
    for q, goal in zip(Q, goals, strict=True):
        for hand in robot.hands.values():
            arm = list(robot.indices(hand.arm))
            assert np.array_equal(q[arm], problem.start[arm]) == (hand.name != goal.hand)


def test_the_same_seed_draws_the_same() -> None:
    """And another others."""
    first, second, other = drawn("bandit", 3)[0], drawn("bandit", 3)[0], drawn("bandit", 4)[0]
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


def test_seeds_are_spread() -> None:
    """No two alike, and the base is in many places."""
    Q, _, _ = drawn("mannequin", 0)
    assert len(np.unique(Q.round(9), axis=0)) == len(Q)
    places = Counter(map(tuple, Q[:, :2].round(6).tolist()))
    assert len(places) > len(Q) / 3


@pytest.mark.parametrize("name", ROBOTS)
def test_no_hand_reaches_further_than_its_arm_is_long(name: str) -> None:
    """From the first joint of the arm to the grasp frame, in random postures."""
    robot, kinematics, random = robot_of(name), kinematics_of(name), np.random.default_rng(0)
    data = robot.model.createData()
    for hand in robot.hands.values():
        arm = list(robot.indices(hand.arm))
        shoulder, reach = robot.model.getJointId(robot.joints[arm[0]]), arm_reach(robot, hand.name)
        for _ in range(50):
            q = robot.posture(robot.stance)
            q[arm] = random.uniform(robot.lower[arm], robot.upper[arm])
            X_WH = kinematics.pose(hand.name, q)
            pin.forwardKinematics(robot.model, data, robot.expand(q))
            assert np.linalg.norm(X_WH[:3, 3] - data.oMi[shoulder].translation) <= reach + 1e-9
