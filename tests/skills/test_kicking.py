from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from taskmatrix.core.failure import Failure
from taskmatrix.core.kick import DIRECTIONS, KickPlan
from taskmatrix.robots import Robot, load_robot
from taskmatrix.skills.collision import CollisionChecker
from taskmatrix.skills.feet import Foot
from taskmatrix.skills.kicking import ANGLES, Kicker

RADIUS, BOUNCE = 0.0325, 0.7  # [m] at Nao's size, [-]
ROUND = 0.01  # [rad] by which a spline goes round a corner at a limit; the filter of the limits cuts that
KICKERS = ("nao", "talos", "asimo", "romeo")


@cache
def kicker(name: str) -> tuple[Robot, Kicker]:
    robot = load_robot(name)
    return robot, Kicker(robot)


def kick(name: str, foot: str, direction: str) -> KickPlan:
    robot, found = kicker(name)
    radius = RADIUS * robot.shoulder_height / load_robot("nao").shoulder_height
    plan = found.kick(foot, direction, radius, BOUNCE, robot.posture(robot.stance))
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
    checker = CollisionChecker(robot)
    for row in positions[::4]:
        q[j] = row
        assert checker.contact(q) is None


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", KICKERS)
def test_foot_goes_where_the_ball_is_to_go(name: str, direction: str) -> None:
    """At the strike its sole moves along the heading; the ball lies ahead of it, a radius or more away."""
    robot = kicker(name)[0]
    plan = kick(name, "right", direction)
    foot = Foot(robot, robot.legs[1])
    places = []
    for time in (plan.strike - 1e-3, plan.strike + 1e-3):
        q = robot.posture(robot.stance)
        q[plan.trajectory.indices] = plan.trajectory.sample(time)[0]
        places.append(foot.pose(q)[:2, 3])
    way = places[1] - places[0]
    assert plan.heading == -ANGLES[direction]
    assert np.arctan2(way[1], way[0]) == pytest.approx(plan.heading, abs=0.05)
    ahead = np.array([np.cos(plan.heading), np.sin(plan.heading)])
    assert ahead @ (plan.ball - places[1]) > RADIUS
    assert plan.speed > 0.5


def test_feet_kick_as_mirror_images() -> None:
    """Where the ball has to lie, and where it goes."""
    left, right = kick("talos", "left", "diagonal"), kick("talos", "right", "diagonal")
    assert left.ball == pytest.approx(right.ball * (1, -1), abs=2e-3)
    assert left.heading == -right.heading


def test_leg_that_does_not_come_there_is_a_failure() -> None:
    """iCub's hip opens by 17 degrees."""
    robot, found = kicker("icub")
    plan = found.kick("left", "lateral", 0.06, BOUNCE, robot.posture(robot.stance))
    assert isinstance(plan, Failure) or plan.speed < 1.0
