"""Regions by parameters."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import Find, Forward, RandomWalk, Reverse
from taskmatrix.behaviors.common.bounds import outside, region_of
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.testing import Bench


def test_no_bound_is_no_region() -> None:
    """As by default."""
    assert region_of(Forward()) is None
    assert outside(None, [1e9, 0.0]) == 0.0


def test_bounds_that_are_not_given_are_far_away() -> None:
    """Also those that the behavior does not have."""
    region = region_of(Forward(xmax=2.0))
    assert region is not None
    assert region.upper == (2.0, np.inf, np.inf)
    assert region.lower == (-np.inf, -np.inf, -np.inf)
    found = region_of(Find(type="debris", zmin=0.0))
    assert found is not None
    assert found.lower[2] == 0.0


def test_outside_is_the_furthest_along_an_axis() -> None:
    """And 0 on the edge and within."""
    region = region_of(Forward(xmin=-1.0, xmax=1.0, ymin=0.0))
    assert outside(region, [0.0, 0.0]) == 0.0
    assert outside(region, [1.5, -2.0]) == pytest.approx(2.0)


@pytest.mark.parametrize(
    "behavior",
    [
        Find(type="debris", xmin=1.0, xmax=-1.0),
        RandomWalk(xmin=1.0, xmax=-1.0),
        Forward(ymin=1.0, ymax=-1.0),
        Reverse(xmin=1.0, xmax=-1.0),
    ],
)
def test_bounds_the_wrong_way_round_are_said_at_the_start(behavior: TaskBehavior) -> None:
    """Nothing moves."""
    bench = Bench()
    failure = bench.run(behavior).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    assert "a region goes from a smaller to a larger" in failure.message
    assert bench.messages(behavior.name)[0] == "task-failed-to-start"
