"""Where the robot stands before it kicks."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree, Part
from taskmatrix.soccer import Fixmove
from taskmatrix.soccer.seeing import Seeing

from .field import field


class Asks(Seeing):
    """For a place from which the ball goes back to where the robot comes from."""

    fixmove = Part(Fixmove, ball=Seeing.ball, net=Seeing.net)

    def inform(self) -> None:
        self.perception.step()

    def work(self) -> bool:
        if not self.perception.ball_known:
            self.perception.suppose_ball(np.array([1.5, 0.0]), within=30.0)
        self.fixmove.ahead, self.fixmove.left, self.fixmove.heading = 0.2, 0.1, np.pi
        return self.fixmove.achieved

    def act(self) -> None:
        self.fixmove.step()


def test_robot_goes_round_the_ball_and_stands_where_the_ball_is_to_lie() -> None:
    """It keeps its distance until it is on the other side."""
    made = field((1.5, 0.0))
    assert made.run(ActivationTree(Asks()), 20.0).success
    x, y, yaw = made.skills.position()[:3].tolist()
    assert (x, y) == pytest.approx((1.7, 0.1), abs=0.005)
    assert abs(yaw) == pytest.approx(np.pi, abs=0.02)
    way = np.array([command.q[:2] for command in made.plant.commands]) - (1.5, 0.0)
    far = np.linalg.norm(way, axis=1)
    assert far[np.abs(np.arctan2(way[:, 1], way[:, 0])) > 0.8].min() > 0.5
