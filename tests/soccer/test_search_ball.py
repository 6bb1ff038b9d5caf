"""Looking for the ball."""

from __future__ import annotations

import pytest

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
    x, y, _ = made.skills.position()[:3].tolist()
    assert (x**2 + y**2) ** 0.5 == pytest.approx(0.6, abs=0.3)
