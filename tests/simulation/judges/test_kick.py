from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.simulation.judges import Step

from .setting import goal, record_of, robot, start_step

DEGREES = np.pi / 180


def kicked(way: float, far: float, moved: float = 0.0, joint: float = 0.0) -> str:
    start = start_step()
    q = start.q.copy()
    q[0] += moved
    q[robot().legs[0].joints[0]] += joint
    there = pose((far * np.cos(way), far * np.sin(way), 0.0)) @ np.eye(4)
    there[:3, 3] += start.poses["tennis_ball"][:3, 3]
    end = Step(q, {**start.poses, "tennis_ball": there}, {})
    return goal("kick", record_of([start, end]), object="tennis_ball", foot="left", direction="diagonal")


def test_ball_has_to_go_the_way_of_the_kick() -> None:
    """A diameter or more, within 20 degrees of half to the left."""
    assert kicked(45 * DEGREES, 0.1) == ""
    assert kicked(60 * DEGREES, 0.1) == ""
    assert "30 deg to the left" in kicked(75 * DEGREES, 0.1)
    assert "not 0.067" in kicked(45 * DEGREES, 0.05)


@pytest.mark.parametrize(("moved", "joint", "why"), [(0.02, 0.0, "base moved"), (0.0, 0.1, "before the kick")])
def test_base_stands_and_the_foot_returns(moved: float, joint: float, why: str) -> None:
    """Within 1 cm, and a hundredth of a radian."""
    assert why in kicked(45 * DEGREES, 0.1, moved, joint)
