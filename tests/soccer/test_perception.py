"""What the player knows of ball and net."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree, Component, Part
from taskmatrix.soccer import Head, Perception
from taskmatrix.testing import Bench

from .field import GOAL, field, moved


class Stare(Component):
    """Looks one way, and perceives."""

    perception = Part(Perception)
    head = Part(Head)

    pan, tilt = 0.0, 0.5

    def inform(self) -> None:
        self.perception.step()

    def work(self) -> None:
        self.head.pan, self.head.tilt = self.pan, self.tilt

    def act(self) -> None:
        self.head.step()


def staring(made: Bench, ticks: int) -> Perception:
    tree = ActivationTree(Stare())
    made.ticks(tree, ticks)
    found = tree.components["perception"]
    assert isinstance(found, Perception)
    return found


def test_ball_is_seen_in_the_field_of_view_and_not_beside_it() -> None:
    """17.5 degrees to each side."""
    assert staring(field((2.5, 0.3)), 120).ball_seen
    assert not staring(field((2.5, 1.5)), 120).ball_known


def test_what_was_never_seen_is_no_place() -> None:
    """And asking for it is an error."""
    knows = staring(field((2.5, 2.5)), 10)
    with pytest.raises(LookupError, match="ball"):
        _ = knows.ball_place


def test_ball_that_is_not_where_it_should_be_seen_is_no_longer_known() -> None:
    """Somebody took it away."""
    knows = staring(field((2.5, 0.0), [moved(1.5, -2.5, 0.0)]), 180)
    assert not knows.ball_known
    assert knows.ball_age == pytest.approx(0.3, abs=0.06)


def test_supposed_ball_is_awaited_for_a_while() -> None:
    """Then it is not there."""
    made, tree = field((-2.5, 0.0)), ActivationTree(Stare())
    made.ticks(tree, 120)
    knows = tree.components["perception"]
    assert isinstance(knows, Perception)
    knows.suppose_ball(np.array([2.5, 0.0]), within=0.5)
    for _ in range(45):
        made.executive.step(tree)
        made.context.clock.sleep_until(made.context.clock.now() + 0.01)
    assert knows.ball_known
    for _ in range(15):
        made.executive.step(tree)
        made.context.clock.sleep_until(made.context.clock.now() + 0.01)
    assert not knows.ball_known


def test_speed_of_a_ball_is_told_by_looks_that_follow_each_other() -> None:
    """Within a twentieth."""
    script = [moved(0.01 * k, 2.0 + 0.5 * 0.01 * k, 0.0) for k in range(200)]
    assert staring(field((2.0, 0.0), script), 150).ball_speed == pytest.approx(0.5, rel=0.05)


def test_net_stays_known_with_its_pose_and_width() -> None:
    """It does not move."""
    Stare.tilt = 0.27
    try:
        knows = staring(field(), 120)
    finally:
        Stare.tilt = 0.5
    assert knows.net_seen
    assert knows.net_pose[:3, 3] == pytest.approx(GOAL)
    assert knows.net_width == pytest.approx(1.6)
