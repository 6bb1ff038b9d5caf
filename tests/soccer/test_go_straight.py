"""Walking straight on."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree, Component, Part
from taskmatrix.soccer import GoStraight, Turn

from .field import field


class Corner(Component):
    """Turns, then walks, then stands."""

    turn = Part(Turn)
    go_straight = Part(GoStraight)

    def work(self) -> None:
        self.turn.speed = 0.5
        self.go_straight.speed = 0.6 if self.elapsed < 3.0 else 0.0

    def act(self) -> None:
        (self.turn if self.elapsed < 1.0 else self.go_straight).step()


def test_robot_walks_the_way_that_it_heads() -> None:
    """With the speed that is asked for, until none is."""
    made = field()
    made.ticks(ActivationTree(Corner()), 360)
    way = np.array([command.q[:3] for command in made.plant.commands])
    speed = np.diff(way, axis=0) / 0.01
    yaw = float(way[200, 2])
    assert 0.4 < yaw < 0.6
    assert speed[200] == pytest.approx([0.6 * np.cos(yaw), 0.6 * np.sin(yaw), 0.0])
    assert speed[-1] == pytest.approx(np.zeros(3))


def test_robot_that_is_asked_for_nothing_stands() -> None:
    """Nobody has set a speed."""
    made = field()
    made.ticks(ActivationTree(GoStraight()), 50)
    assert made.skills.position()[:3] == pytest.approx(np.zeros(3), abs=0.0)
