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
