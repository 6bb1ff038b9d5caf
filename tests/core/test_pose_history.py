"""Where the robot was."""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from taskmatrix.core.robot.pose_history import PoseHistory


def test_poses_and_what_lies_between_them() -> None:
    """One that is as the last is none of its own; the oldest are forgotten, with their marks."""
    history = PoseHistory(3)
    for value in (0.0, 1.0, 1.0, 2.0):
        history.record(np.array([value]))
        history.mark()
    assert len(history) == 3
    assert_allclose([history.at(1.25), history.at(2.0), history.at(0.0)], [[1.25], [2.0], [0.0]])
    assert [(place, q.tolist()) for place, q in history.marked()] == [(2, [2.0]), (1, [1.0]), (0, [0.0])]
    history.record(np.array([3.0]))
    assert [place for place, _ in history.marked()] == [1, 0]
    history.go_back_to(0)
    assert len(history) == 1
    assert [q.tolist() for _, q in history.marked()] == [[1.0]]
    history.clear()
    history.mark()
    assert not list(history.marked())
