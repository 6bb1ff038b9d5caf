from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.skills.kicking import DIRECTIONS, KickPlan
from taskmatrix.core.world.objects import ObjectModel
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.legs.feet import Foot
from taskmatrix.skills.legs.kicking import ANGLES, STRONGEST, Kicker

ROUND = 0.01  # [rad] by which a spline goes round a corner at a limit; the filter of the limits cuts that
KICKERS = ("nao", "g1", "talos", "icub", "romeo", "asimo", "mannequin")


@cache
def kicker(name: str) -> tuple[Robot, Kicker]:
    robot = load_robot(name)
    return robot, Kicker(robot)


@cache
def ball(name: str) -> ObjectModel:
    return load_world("soccer", kicker(name)[0].shoulder_height).objects["ball"]


def kick(name: str, foot: str, direction: str) -> KickPlan:
    robot, found = kicker(name)
    plan = found.kick(foot, direction, ball(name), robot.posture(robot.stance))
    assert isinstance(plan, KickPlan)
    return plan


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", KICKERS)
def test_kick_keeps_limits_touches_nothing_and_returns(name: str, direction: str) -> None:
    """Of position, velocity and acceleration; the leg ends where it stood."""
    robot = kicker(name)[0]
    plan, q = kick(name, "left", direction), robot.posture(robot.stance)
    times = np.linspace(0.0, plan.trajectory.duration, 200)
    positions, v, a = plan.trajectory.sample(times)
    j = plan.trajectory.indices
    assert (positions >= robot.lower[j] - ROUND).all()
    assert (positions <= robot.upper[j] + ROUND).all()
    assert (np.abs(v) <= robot.velocity[j]).all()
    assert (np.abs(a) <= robot.acceleration[j]).all()
    assert positions[0] == pytest.approx(q[j], abs=1e-9)
    assert positions[-1] == pytest.approx(q[j], abs=1e-9)
    checker, foot = CollisionChecker(robot), Foot(robot, robot.legs[0])
    for row in positions[::4]:
        q[j] = row
        assert checker.contact(q) is None
        X = foot.pose(q)
        assert (foot.leg.outline @ X[2, :3]).min() + X[2, 3] > -0.003


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", KICKERS)
def test_foot_goes_where_the_ball_is_to_go(name: str, direction: str) -> None:
    """At the strike its tip moves along the heading, and rises little; the ball lies a radius ahead of it."""
    robot = kicker(name)[0]
    plan = kick(name, "right", direction)
    foot = Foot(robot, robot.legs[1])
    ahead = np.array([np.cos(plan.heading), np.sin(plan.heading), 0.0])
    tip = kicker(name)[1]._tip(foot, ahead)
    places = []
    for time in (plan.strike - 1e-3, plan.strike + 1e-3):
        q = robot.posture(robot.stance)
        q[plan.trajectory.indices] = plan.trajectory.sample(time)[0]
        X = foot.pose(q)
        places.append(X[:3, :3] @ tip + X[:3, 3])
        assert X[2, 2] > 0.999
    x, y, z = (places[1] - places[0]).tolist()
    assert plan.heading == -ANGLES[direction]
    assert np.arctan2(y, x) == pytest.approx(plan.heading, abs=0.02)
    assert -0.05 < z / np.hypot(x, y) < 0.35
    middle = (places[0] + places[1]) / 2
    assert plan.ball == pytest.approx((middle + ball(name).shapes[0].size[0] * ahead)[:2], abs=2e-3)
    assert STRONGEST * 1.01 > plan.speed > 0.5
    assert plan.distance == pytest.approx(plan.speed**2 / (2 * 0.05 * 9.81), rel=0.01)


def test_feet_kick_as_mirror_images() -> None:
    """Where the ball has to lie, and where it goes."""
    left, right = kick("talos", "left", "diagonal"), kick("talos", "right", "diagonal")
    assert left.ball == pytest.approx(right.ball * (1, -1), abs=2e-3)
    assert left.heading == -right.heading


def test_leg_that_does_not_come_there_is_a_failure() -> None:
    """One whose joints hardly turn."""
    robot = kicker("nao")[0]
    slow = replace(robot, velocity=0.02 * robot.velocity)
    plan = Kicker(slow).kick("left", "front", ball("nao"), robot.posture(robot.stance))
    assert isinstance(plan, Failure)
    assert plan.kind is FailureKind.IK_EXHAUSTED
    assert "limits" in plan.message
