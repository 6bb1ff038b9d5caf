"""Periodic motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from taskmatrix.behaviors import PeriodicCanned
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench


def run(bench: Bench, **parameters: Any) -> Array:
    """(steps,) Positions of the joint that waves, of the run without the way to it."""
    outcome = bench.run(PeriodicCanned(motion="wave", converge="dmp", **parameters))
    assert outcome.success, outcome
    return np.array([command.q[14] for command in bench.plant.commands])


def test_it_plays_for_the_duration_and_ends_at_rest() -> None:
    """To the step."""
    bench = Bench()
    path = run(bench, duration=5.0)
    assert len(path) == pytest.approx(501, abs=1)
    assert abs(path[-1] - path[-2]) < 1e-3
    assert bench.violation() is None


def test_the_period_is_that_of_the_data_unless_given() -> None:
    """Counted by how often the joint comes by its middle, upwards."""

    def repetitions(path: Array) -> int:
        above = path[500:2500] > 1.21
        return int(np.sum(above[1:] & ~above[:-1]))

    assert repetitions(run(Bench(), duration=29.0)) == pytest.approx(20 / 2.0, abs=1)
    assert repetitions(run(Bench(), duration=29.0, period=4.0)) == pytest.approx(20 / 4.0, abs=1)


def test_a_period_that_is_too_short_is_stretched_and_it_says_so() -> None:
    """To the limits; the event tells both."""
    bench = Bench()
    path = run(bench, duration=5.0, period=0.1)
    (event,) = [event for event in bench.events if event.kind == "motion"]
    assert event.data["stretched"] is True
    assert float(str(event.data["period"])) > 0.3
    speed = np.diff(path) / 0.01
    assert np.max(np.abs(speed)) <= 1.0
    assert np.max(np.abs(np.diff(speed))) / 0.01 <= 10.0
