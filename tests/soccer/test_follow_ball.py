"""Going to the ball."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree
from taskmatrix.soccer import FollowBall, Perception

from .field import field, transitions


def followed(place: tuple[float, float], ticks: int) -> tuple[FollowBall, list[tuple[str, str]], np.ndarray]:
    made, tree = field(place), ActivationTree(FollowBall())
    made.executive.prepare(tree)
    for tick in range(ticks):
        made.executive.step(tree)
        made.context.clock.sleep_until(made.context.clock.now() + 0.01)
        if tick == 0:
            knows = tree.components["perception"]
            assert isinstance(knows, Perception)
            knows.suppose_ball(np.array(place), within=3.0)
    root = tree.components["follow-ball"]
    assert isinstance(root, FollowBall)
    return root, transitions(made, "follow-ball"), made.skills.position()[:3]


def test_ball_in_front_is_gone_to_straight() -> None:
    """And reached at the distance that the robot keeps."""
    root, told, base = followed((3.0, 0.0), 500)
    assert told == []
    assert root.reached
    assert base[:2] == pytest.approx((3.0 - root.distance, 0.0), abs=0.05)


@pytest.mark.parametrize(("degrees", "turns"), [(30.0, False), (40.0, True), (-40.0, True)])
def test_robot_turns_where_the_neck_is_turned_by_35_degrees(degrees: float, turns: bool) -> None:
    """And not before (BICA VI)."""
    angle = np.radians(degrees)
    _, told, base = followed((3.0 * np.cos(angle), 3.0 * np.sin(angle)), 60)
    assert bool(told) == turns
    assert (np.sign(base[2]) == np.sign(degrees)) == turns


def test_robot_goes_back_from_a_ball_that_lies_too_near_to_be_seen() -> None:
    """Until it sees it again."""
    root, told, base = followed((0.05, 0.0), 600)
    assert told == []
    assert root.reached
    assert 0.05 - root.distance <= base[0] < -0.2
