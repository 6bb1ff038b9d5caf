from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.skills.kinematics import ik
from taskmatrix.skills.kinematics.kinematics import in_limits

from .setting import ROBOTS, at, kinematics_of, limb, robot_of


@pytest.mark.parametrize("name", ROBOTS)
def test_reachable_targets_are_found_with_restarts_and_limits_hold(name: str) -> None:
    """Targets are poses of random configurations; at least 97 of 100 are found with twenty descents."""
    robot, kinematics = robot_of(name), kinematics_of(name)
    random, found, count = np.random.default_rng(0), 0, 40
    for trial in range(count):
        hand = list(robot.hands)[trial % len(robot.hands)]
        joints, q = limb(robot, hand), robot.posture(robot.stance)
        there = q.copy()
        there[joints] = random.uniform(robot.lower[joints], robot.upper[joints])
        X_WT = kinematics.pose(hand, there)
        for _ in range(20):
            solution = ik.solve(kinematics, hand, X_WT, joints, q)
            assert in_limits(robot, solution.q, joints, 1e-12)
            if ik.reached(solution):
                distance, angle = pose_error(X_WT, kinematics.pose(hand, solution.q))
                assert distance < ik.POSITION_TOLERANCE
                assert angle < ik.ROTATION_TOLERANCE
                found += 1
                break
            q[joints] = random.uniform(robot.lower[joints], robot.upper[joints])
    assert found >= 0.97 * count


def test_only_the_joints_named_move() -> None:
    """Everything else stays exactly where it was."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    joints, q = limb(robot, "left"), robot.posture(robot.stance)
    X_WT = kinematics.pose("left", q) @ at(0.05, 0.02, -0.03)
    solution = ik.solve(kinematics, "left", X_WT, joints, q)
    others = np.setdiff1d(np.arange(robot.n), joints)
    np.testing.assert_array_equal(solution.q[others], q[others])


def test_a_target_at_the_exact_limits_is_reached() -> None:
    """Every joint of the arm on one of its limits, approached from within."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    joints, random = np.array(robot.indices("left_arm")), np.random.default_rng(3)
    reached = 0
    for _ in range(20):
        there = robot.posture(robot.stance)
        at_upper = random.uniform(size=len(joints)) < 0.5
        there[joints] = np.where(at_upper, robot.upper[joints], robot.lower[joints])
        near = there.copy()
        near[joints] += np.where(at_upper, -0.2, 0.2)
        solution = ik.solve(kinematics, "left", kinematics.pose("left", there), joints, near)
        assert in_limits(robot, solution.q, joints, 1e-12)
        reached += ik.reached(solution)
    assert reached >= 9


def test_a_start_outside_the_limits_is_brought_inside() -> None:
    """What drift or noise left beyond a limit comes back."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    joints = limb(robot, "left")
    q = robot.posture(robot.stance)
    X_WT = kinematics.pose("left", q)
    q[joints[-1]] = robot.upper[joints[-1]] + 0.3
    assert in_limits(robot, ik.solve(kinematics, "left", X_WT, joints, q).q, joints, 1e-12)


@pytest.mark.parametrize("name", ["mannequin", "bandit", "talos"])
def test_the_reference_is_approached_where_the_task_leaves_room(name: str) -> None:
    """Starting on the target, the hand stays and the rest of the limb and the base move towards the reference."""
    robot, kinematics = robot_of(name), kinematics_of(name)
    joints = np.concatenate([np.arange(3), limb(robot, "left")])
    random, nearer = np.random.default_rng(5), []
    for _ in range(20):
        q = robot.posture(robot.stance)
        middle = (robot.lower + robot.upper) / 2
        arm = joints[3:]
        q[arm] = middle[arm] + 0.2 * random.uniform(-1, 1, len(arm)) * (robot.upper - robot.lower)[arm]
        reference = q.copy()
        reference[joints] += random.uniform(-0.15, 0.15, len(joints))
        solution = ik.solve(kinematics, "left", kinematics.pose("left", q), joints, q, reference)
        assert ik.reached(solution)
        before, after = (np.linalg.norm((x - reference)[joints]) for x in (q, solution.q))
        assert after <= before + 1e-9
        nearer.append(after < 0.95 * before)
    assert sum(nearer) >= 9


def test_on_the_target_without_reference_nothing_moves() -> None:
    """The start itself is the answer."""
    robot, kinematics = robot_of("bandit"), kinematics_of("bandit")
    q = robot.posture(robot.stance)
    solution = ik.solve(kinematics, "left", kinematics.pose("left", q), limb(robot, "left"), q)
    np.testing.assert_array_equal(solution.q, q)


def test_out_of_reach_the_nearest_is_returned() -> None:
    """The arm stretches towards a target three metres away: nearer than all but a few of many random postures."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    joints, random = limb(robot, "left"), np.random.default_rng(2)
    q = robot.posture(robot.stance)
    X_WT = kinematics.pose("left", q)
    X_WT[:3, 3] = 3.0, 0.5, 1.2
    solution = ik.solve(kinematics, "left", X_WT, joints, q)
    assert not ik.reached(solution)
    distance, angle = pose_error(X_WT, kinematics.pose("left", solution.q))
    assert solution.distance == pytest.approx(distance, abs=1e-9)
    assert solution.angle == pytest.approx(angle, abs=1e-6)
    for _ in range(300):
        q[joints] = random.uniform(robot.lower[joints], robot.upper[joints])
        other = pose_error(X_WT, kinematics.pose("left", q))
        assert distance + ik.LEVER * angle <= other[0] + ik.LEVER * other[1] + 1e-6


def test_no_joint_goes_farther_than_it_may() -> None:
    """Within a narrow box it comes as near as it gets there; within a wide one, where it comes without any."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    joints, q = limb(robot, "left"), robot.posture(robot.stance)
    X_WT = kinematics.pose("left", q) @ at(0.05, 0.02, -0.03)
    for far in (0.01, 0.05):
        narrow = ik.solve(kinematics, "left", X_WT, joints, q, within=np.full(robot.n, far))
        assert np.max(np.abs(narrow.q - q)) <= far + 1e-12
        assert pose_error(X_WT, kinematics.pose("left", q))[0] > narrow.distance > ik.POSITION_TOLERANCE
    free, wide = (ik.solve(kinematics, "left", X_WT, joints, q, within=w) for w in (None, np.full(robot.n, 10.0)))
    np.testing.assert_allclose(wide.q, free.q, atol=1e-9)


def test_it_ends_within_its_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is bounded by the number given."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    calls = 0
    plain = kinematics.placement_and_jacobian

    def counted(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        return plain(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(kinematics, "placement_and_jacobian", counted)
    ik.solve(kinematics, "left", at(9.0, 0.0, 9.0), limb(robot, "left"), robot.posture(robot.stance), iterations=7)
    assert calls <= 8


def test_without_joints_the_error_is_reported() -> None:
    """No joints, no motion, and the distance as it is."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    q = robot.posture(robot.stance)
    X_WT = kinematics.pose("left", q)
    X_WT[2, 3] += 0.1
    solution = ik.solve(kinematics, "left", X_WT, np.array([], dtype=np.intp), q)
    np.testing.assert_array_equal(solution.q, q)
    assert solution.distance == pytest.approx(0.1)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_target_that_is_no_pose_is_refused(value: float) -> None:
    """NaN or infinity is said to be the caller's mistake."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    with pytest.raises(ParameterError, match=r"frame 'left'.*finite"):
        ik.solve(kinematics, "left", at(value, 0, 0), limb(robot, "left"), robot.posture(robot.stance))
