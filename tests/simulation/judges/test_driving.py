"""Judges forward, reverse and turn."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges import Record, Step

from .setting import goal, record_of, robot, start_step
from .test_initial_contacts import at

HEADING = 0.5  # [rad]


def driven(along: float, beside: float = 0.0, turned: float = 0.0) -> Record:
    """A record in which the base goes somewhere, seen along its heading, and turns."""
    start, c, s = start_step(), np.cos(HEADING), np.sin(HEADING)
    steps = []
    for share in (0.0, 0.5, 1.0):
        q = start.q.copy()
        x, y = share * along, share * beside
        q[:3] = c * x - s * y, s * x + c * y, HEADING + share * turned
        steps.append(Step(q, start.poses, {}))
    return record_of(steps)


@pytest.mark.parametrize(("behavior", "sense"), [("forward", 1.0), ("reverse", -1.0)])
def test_straight_on_is_success_and_all_else_is_not(behavior: str, sense: float) -> None:
    """As far as asked for, or less where something is in the way."""
    assert goal(behavior, driven(sense * 0.3), distance=0.3) == ""
    assert goal(behavior, driven(sense * 0.1), distance=0.3) == ""
    assert "not by 0.30" in goal(behavior, driven(sense * 0.4), distance=0.3)
    assert "moved by 1.0 cm" in goal(behavior, driven(sense * 0.01))
    assert "moved by -30.0 cm" in goal(behavior, driven(-sense * 0.3))
    assert "beside its line" in goal(behavior, driven(sense * 0.3, beside=0.05))
    assert "turned by" in goal(behavior, driven(sense * 0.3, turned=0.1))


def test_a_turn_is_on_the_spot_and_to_another_heading() -> None:
    """Once around is none."""
    assert goal("turn", driven(0.0, turned=1.0)) == ""
    assert "moved by" in goal("turn", driven(0.1, turned=1.0))
    assert "same heading" in goal("turn", driven(0.0, turned=2 * np.pi))


@pytest.mark.parametrize(("further", "why"), [(0.03, ""), (0.1, "moved by")])
def test_the_place_of_a_turn_that_starts_in_contact_is_where_it_is_clear(further: float, why: str) -> None:
    """A stool stands in the robot, which goes back and then turns."""
    steps, poses = [], at(-0.003)
    for back, yaw in ((0.0, 0.0), (0.2, 0.0), (0.2 + further, 0.5), (0.2 + further, 1.0)):
        q = start_step().q.copy()
        q[0], q[2] = q[0] - back, yaw
        steps.append(Step(q, poses, {}))
    assert goal("turn", record_of(steps)).startswith(f"the base {why}" if why else "")
    assert bool(goal("turn", record_of(steps))) is bool(why)


@pytest.mark.parametrize(("away", "why"), [(0.05, ""), (0.15, "the base moved by 6.0 cm")])
def test_the_place_of_a_turn_whose_hand_is_at_something_is_where_it_turns(away: float, why: str) -> None:
    """It backs off first."""
    start, steps = start_step(), []
    X_WH = hand_pose(robot(), "left", start.q)
    poses = {**start.poses, "tennis_ball": pose(X_WH[:3, 3] + [away, 0.0, 0.0])}
    for back, yaw in ((0.0, 0.0), (0.03, 0.0), (0.06, 0.0), (0.06, 0.5), (0.06, 1.0)):
        q = start.q.copy()
        q[0], q[2] = q[0] - back, yaw
        steps.append(Step(q, poses, {}))
    assert goal("turn", record_of(steps)) == why
