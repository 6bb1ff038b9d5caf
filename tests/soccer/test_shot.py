"""Which kick is taken, and where the robot stands for it."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.robot.skills.kicking import KickPlan
from taskmatrix.core.world.geometry import pose
from taskmatrix.soccer.place import Base, turned
from taskmatrix.soccer.shot import CENTRE, INSIDE, shots, target
from taskmatrix.testing import LineTrajectory

GOAL, WIDTH = pose((3.0, 0.0, 0.0)), 1.6
FASTEST = np.array([0.3, 0.3, 0.8])
STILL = LineTrajectory(np.array([0]), np.zeros(1), np.zeros(1), 1.0)


def kick(direction: str, angle: float, distance: float = 1.4) -> KickPlan:
    place = turned(np.array([0.2, 0.0]), angle) + np.array([0.0, 0.05])
    return KickPlan("left", direction, STILL, place, angle, 1.2, 0.5, distance)


KICKS = [kick("front", 0.0), kick("diagonal", np.pi / 4, 1.0), kick("lateral", np.pi / 2, 0.8)]


@pytest.mark.parametrize(
    ("ball", "aim"),
    [
        ((-1.0, 0.8), (3.0 + INSIDE, 0.0)),
        ((2.95, 0.2), (3.0 + INSIDE, 0.2)),
        ((2.9, 1.5), (3.0 - CENTRE, 0.0)),
        ((3.2, 1.7), (3.0 - CENTRE, 0.0)),
        ((3.6, 0.3), (3.6, 2.4)),
    ],
)
def test_ball_goes_into_the_goal_or_in_front_of_it(ball: tuple[float, float], aim: tuple[float, float]) -> None:
    """Its middle from afar, straight over the line from near, in front of it from beside, beside it from behind."""
    assert target(np.array(ball), GOAL, WIDTH) == pytest.approx(aim, abs=0.02)


def test_ball_lies_where_the_kick_wants_it_and_goes_where_it_should() -> None:
    """For each kick."""
    ball, aim = np.array([1.0, 0.5]), np.array([3.0, 0.0])
    for shot in shots(KICKS, ball, aim, Base(0.4, 0.5, 0.0), 0.6, FASTEST):
        assert shot.base.place + turned(shot.kick.ball, shot.base.yaw) == pytest.approx(ball)
        assert np.arctan2(*(aim - ball)[::-1]) == pytest.approx(shot.base.yaw + shot.kick.heading)


def test_kick_to_the_side_is_taken_where_the_net_is_at_the_side() -> None:
    """Where the ball has not far to go; else the one that carries it furthest."""
    ball, base = np.array([2.6, -0.5]), Base(2.0, -0.5, 0.0)
    near = shots(KICKS, ball, np.array([2.6, 0.0]), base, 0.6, FASTEST)
    assert near[0].kick.direction == "lateral"
    far = shots(KICKS, ball, np.array([-3.0, -0.5]), Base(3.2, -0.5, np.pi), 0.6, FASTEST)
    assert far[0].kick.direction == "front"
