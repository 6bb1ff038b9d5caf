"""Turning on the spot."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree, Component, Part
from taskmatrix.soccer import Turn

from .field import field


class Spins(Component):
    """Asks for a speed."""

    turn = Part(Turn)
    speed = 0.0

    def work(self) -> None:
        self.turn.speed = self.speed

    def act(self) -> None:
        self.turn.step()


@pytest.mark.parametrize(("asked", "turns"), [(0.5, 0.5), (-0.5, -0.5), (3.0, 0.9)])
def test_robot_turns_on_the_spot(asked: float, turns: float) -> None:
    """To the left where the speed is above 0, no faster than the base takes, and goes nowhere."""
    made, root = field(), Spins()
    root.speed = asked
    made.ticks(ActivationTree(root), 100)
    way = np.array([command.q[:3] for command in made.plant.commands])
    assert np.diff(way[-3:, 2]) / 0.01 == pytest.approx(turns)
    assert not way[:, :2].any()
