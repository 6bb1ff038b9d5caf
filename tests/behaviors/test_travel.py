from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Travel
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.testing import Bench

from .truth import Truth


def test_the_base_is_there_at_the_end() -> None:
    """Facing where it was told to, or where it faced before."""
    bench = Bench()
    assert bench.run(Travel(x=0.6, y=-0.4, yaw=1.0)).success
    np.testing.assert_allclose(bench.plant.sense().q[:3], (0.6, -0.4, 1.0), atol=1e-6)
    assert bench.run(Travel(x=0.0, y=0.1)).success
    np.testing.assert_allclose(bench.plant.sense().q[:3], (0.0, 0.1, 1.0), atol=1e-6)


def test_a_way_that_takes_too_long_is_not_begun() -> None:
    """It waits for the time."""
    bench = Bench()
    outcome = bench.run(Travel(x=5.0, y=0.0, until=2.0))
    assert outcome.success
    assert outcome.duration == pytest.approx(2.0, abs=0.05)
    np.testing.assert_array_equal(bench.plant.sense().q[:2], 0.0)


def test_a_place_in_the_furniture_is_a_collision() -> None:
    """It says with what."""
    with simulate("mannequin", seed=1, start=(-0.6, 0.0, 0.0)) as session:
        truth = Truth(session)
        table = session.context.perception.pose("table")[:2, 3]
        outcome = session.run(Travel(x=float(table[0]), y=float(table[1])))
        assert outcome.failure is not None
        assert outcome.failure.root.kind is FailureKind.COLLISION
        assert "table" in outcome.failure.explain()
        assert session.run(Travel(x=-0.6, y=0.8, yaw=2.0)).success
        truth.assert_no_contact()
        np.testing.assert_allclose(truth.q[-1][:3], (-0.6, 0.8, 2.0), atol=1e-3)


def test_a_base_that_does_not_come_to_its_place_is_told_by_how_much() -> None:
    """One of its joints is named."""
    bench = Bench()
    bench.plant.jammed = {1}
    failure = bench.run(Travel(x=0.5, y=0.4)).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING
    assert failure.message == "base_1 stays 0.400 from the end of its way"
