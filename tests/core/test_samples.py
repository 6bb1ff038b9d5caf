from __future__ import annotations

import numpy as np

from taskmatrix.core.robot.samples import samples
from taskmatrix.testing import LineTrajectory


def test_the_joints_that_move_are_sampled_and_the_others_stay() -> None:
    """From one end to the other."""
    line = LineTrajectory(np.array([2, 0]), np.array([0.0, 1.0]), np.array([3.0, -1.0]), 2.0)
    found = samples(line, np.full(4, 7.0), 4)
    np.testing.assert_allclose(found[:, 2], [0.0, 1.0, 2.0, 3.0])
    np.testing.assert_allclose(found[:, 0], [1.0, 1 / 3, -1 / 3, -1.0])
    np.testing.assert_array_equal(found[:, [1, 3]], 7.0)


def test_a_motion_that_takes_no_time_is_where_it_ends() -> None:
    """All samples are the same."""
    line = LineTrajectory(np.array([1]), np.array([0.0]), np.array([1.0]), 0.0)
    np.testing.assert_array_equal(samples(line, np.zeros(2), 3), [[0.0, 1.0]] * 3)
