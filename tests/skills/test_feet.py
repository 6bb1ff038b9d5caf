from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.robots import load_robot
from taskmatrix.skills.legs.feet import Foot

LEGGED = ("nao", "g1", "talos", "icub", "romeo", "asimo", "mannequin")


@pytest.mark.parametrize("name", LEGGED)
def test_foot_stands_on_the_floor_in_stance(name: str) -> None:
    """Level and looking ahead, wherever the base is."""
    robot = load_robot(name)
    q = robot.posture(robot.stance, (1.0, -2.0, 0.7))
    for leg in robot.legs:
        X = Foot(robot, leg).pose(q)
        assert np.allclose(X[:3, :3], np.eye(3), atol=1e-9)
        assert X[2, 3] == pytest.approx(0.0, abs=1e-9)
        assert np.sign(X[1, 3]) == leg.outward


@pytest.mark.parametrize("name", LEGGED)
def test_leg_puts_its_foot_where_it_is_wanted(name: str) -> None:
    """A few centimetres off the stance, lifted, with the sole level: to a tenth of a millimetre."""
    robot = load_robot(name)
    q = robot.posture(robot.stance)
    for leg in robot.legs:
        foot = Foot(robot, leg)
        wanted = foot.pose(q) @ pose((0.05 * leg.height, 0.02 * leg.outward * leg.height, 0.05 * leg.height))
        q[foot.joints] = foot.solve(foot.bent(q), wanted, 30)
        assert np.linalg.norm(foot.pose(q)[:3, 3] - wanted[:3, 3]) < 1e-4
        assert foot.pose(q)[2, 2] == pytest.approx(1.0, abs=1e-4)  # not all can turn their feet
        assert np.all((robot.lower <= q) & (q <= robot.upper))


@pytest.mark.parametrize("name", LEGGED)
def test_jacobian_is_that_of_the_pose(name: str) -> None:
    """Against central differences."""
    robot = load_robot(name)
    foot = Foot(robot, robot.legs[0])
    q = robot.posture(robot.stance)
    q[foot.joints] = foot.bent(q)
    J, _ = foot._jacobian(q[foot.joints])
    for column, joint in enumerate(foot.joints):
        ends = []
        for step in (-1e-6, 1e-6):
            there = q.copy()
            there[joint] += step
            ends.append(foot.pose(there)[:3, 3])
        assert np.allclose((ends[1] - ends[0]) / 2e-6, J[:3, column], atol=1e-6)


def test_pose_out_of_reach_is_raised_until_the_leg_comes_there() -> None:
    """And one within reach stays as it is."""
    robot = load_robot("talos")
    foot = Foot(robot, robot.legs[0])
    stance = foot.pose(robot.posture(robot.stance))
    assert np.array_equal(foot.within_reach(stance), stance)
    far = pose((0.5, 0.0, 0.0)) @ stance
    raised = foot.within_reach(far)
    assert raised[2, 3] > 0.05
    assert np.array_equal(raised[:2], far[:2])


@pytest.mark.parametrize(
    "aside", [(-0.1, 0.0), (0.0, 0.0), (0.1, 0.0), (0.0, 0.05)], ids=["back", "up", "ahead", "out"]
)
@pytest.mark.parametrize("knee", [0.0, -0.02], ids=["straight", "through"])
def test_a_straight_leg_bends_its_knee_the_right_way(aside: tuple[float, float], knee: float) -> None:
    """Also where the knee turns a little further than that, as many do; and no joint is thrown round."""
    robot = load_robot("mannequin")
    knees = [robot.joints.index(f"{side}_knee") for side in ("left", "right")]
    lower = robot.lower.copy()
    lower[knees] = -0.35
    foot = Foot(replace(robot, lower=lower), robot.legs[0])
    q = robot.posture(robot.stance)
    wanted = foot.pose(q)
    wanted[:3, 3] += [*aside, 0.05]
    q[knees] = knee
    solved = foot.solve(q[foot.joints], wanted, 12)
    q[foot.joints] = solved
    assert np.linalg.norm(foot.pose(q)[:3, 3] - wanted[:3, 3]) < 0.002
    assert q[knees[0]] > 0.2


@pytest.mark.parametrize("name", LEGGED)
def test_motors_of_a_leg_can_give_its_joints_that_share_of_their_accelerations(name: str) -> None:
    """All at once and in whichever directions, with the leg in the air."""
    robot, random = load_robot(name), np.random.default_rng(1)
    q = robot.posture(robot.stance)
    for leg in robot.legs:
        foot = Foot(robot, leg)
        j, share = foot.joints, foot.strength(q)
        for _ in range(100):
            a = np.zeros(robot.n)
            a[j] = share * robot.acceleration[j] * random.choice([-1.0, 1.0], len(j))
            tau = robot.S.T @ pin.rnea(
                robot.model, robot.model.createData(), robot.expand(q), 0.0 * robot.c, robot.S @ a
            )
            assert np.all(np.abs(tau[j]) <= robot.effort[j])
