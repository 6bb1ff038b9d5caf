"""Places and directions on the floor."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.soccer.place import Base, Direction, bearing, direction, ray, turn_to, turned, way_round
from taskmatrix.testing import Bench


class Heads(TaskBehavior):
    """Turns the base as far as the bench asks."""

    yaw = 0.0

    def required_chains(self) -> list[str]:
        return ["base"]

    def step(self) -> bool:
        joints = self.context.skills.joints("base")
        self.command(joints, np.array([0.0, 0.0, self.yaw]))
        return bool(abs(self.context.skills.position()[joints[2]] - self.yaw) < 1e-9)


def heading(yaw: float) -> Bench:
    """A robot that has turned there."""
    made, behavior = Bench(), Heads()
    behavior.yaw = yaw
    assert made.run(behavior).success
    return made


def test_left_of_a_base_is_left_of_where_it_heads() -> None:
    """For a base that heads along y, that is against x."""
    base = Base(1.0, 2.0, math.pi / 2)
    assert base.place == pytest.approx((1.0, 2.0))
    assert base.seen(np.array([0.0, 3.0])) == pytest.approx((3.0, 0.0))
    assert base.seen(np.array([-3.0, 0.0])) == pytest.approx((0.0, 3.0))


def test_vector_that_is_turned_bears_that_much_further_to_the_left() -> None:
    """And is as long as before."""
    way = np.array([0.6, 0.8])
    assert bearing(turned(way, 0.5)) == pytest.approx(bearing(way) + 0.5)
    assert np.linalg.norm(turned(way, 0.5)) == pytest.approx(1.0)


def test_direction_is_to_the_left_and_below_the_horizon() -> None:
    """Of a base that heads along y."""
    seen = direction(np.array([-1.0, 1.0, -math.sqrt(2.0)]), math.pi / 2)
    assert (seen.pan, seen.tilt) == pytest.approx((math.pi / 4, math.pi / 4))


@pytest.mark.parametrize("yaw", [0.0, 2.5, -6.0])
def test_ray_leads_where_its_direction_was_seen(yaw: float) -> None:
    """Also where bearing and heading add up to more than half a turn."""
    for pan, tilt in ((0.3, -0.2), (-2.9, 0.6), (3.0, 1.4)):
        there = ray(Direction(pan, tilt), yaw)
        again = direction(2.0 * there, yaw)
        assert np.linalg.norm(there) == pytest.approx(1.0)
        assert (again.pan, again.tilt) == pytest.approx((pan, tilt))


@pytest.mark.parametrize(
    ("yaw", "goal", "by"),
    [
        (0.0, 1.0, 1.0),
        (3.0, -3.0, 2.0 * math.pi - 6.0),
        (6.0, 0.5, 0.5 - 6.0),
        (-6.0, -0.5, 6.0 - 0.5),
    ],
)
def test_base_turns_the_shorter_way_for_which_there_is_room(yaw: float, goal: float, by: float) -> None:
    """At 6 rad the fake robot has 0.28 rad left."""
    assert turn_to(heading(yaw).skills, goal) == pytest.approx(by)


def test_base_goes_on_the_way_round_that_it_is_on() -> None:
    """Also past the opposite, from where the other way is the shorter one, and where there is room for both."""
    asked, before = 6.2, -5.2
    for yaw in (5.1, 4.0, 3.1, 2.0, 0.5):
        before = turn_to(heading(yaw).skills, asked, before)
        assert before == pytest.approx(asked - 2.0 * math.pi - yaw)
    assert turn_to(heading(0.5).skills, 0.4, 0.1) == pytest.approx(-0.1)  # it has gone too far: back, and not all round


def test_base_turns_to_the_side_to_which_it_turns_further() -> None:
    """Away from the nearer limit."""
    assert way_round(heading(1.0).skills) == -1.0
    assert way_round(heading(-1.0).skills) == 1.0
