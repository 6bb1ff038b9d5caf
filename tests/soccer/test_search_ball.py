"""Looking for the ball."""

from __future__ import annotations

import numpy as np

from taskmatrix.core import ActivationTree
from taskmatrix.soccer import SearchBall

from .field import field, transitions


def test_robot_looks_all_round_and_then_goes_back() -> None:
    """A ball at its feet is not to be seen."""
    made = field((0.3, 0.3))
    made.skills.robot.velocity[:5] = 3.0
    made.run(ActivationTree(SearchBall(pace=3.0)), 40.0)
    told = [start for start, _ in transitions(made, "search-ball")]
    assert told[:3] == ["turn", "scan", "go_back"]
    way = np.array([command.q[:2] for command in made.plant.commands])
    assert np.linalg.norm(way, axis=1).max() > 0.5


def test_robot_whose_head_turns_less_turns_on_to_the_same_side() -> None:
    """Back is where it has looked already; it turns twice before it has looked all round."""
    made = field((0.3, 0.3))
    made.skills.robot.velocity[:5] = 3.0
    made.skills.robot.upper[3], made.skills.robot.lower[3] = 1.2, -1.2
    made.run(ActivationTree(SearchBall(pace=3.0)), 18.0)
    told = [start for start, _ in transitions(made, "search-ball")]
    assert told[:5] == ["turn", "scan", "turn", "scan", "go_back"]
    yaw = np.array([command.q[2] for command in made.plant.commands])
    assert yaw.min() >= 0.0
    assert yaw.max() >= 2.0 * 2.0 * 1.2
