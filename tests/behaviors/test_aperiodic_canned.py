"""Motions that are not periodic."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import AperiodicCanned, Postural
from taskmatrix.testing import Bench


@pytest.mark.parametrize(("asked", "takes", "stretched"), [(None, 1.0, False), (3.0, 3.0, False), (0.1, 0.75, True)])
def test_it_takes_the_time_that_was_asked_for_or_that_the_limits_allow(
    asked: float | None, takes: float, stretched: bool
) -> None:
    """The robot nods at the pace of the data unless told otherwise."""
    bench = Bench()
    outcome = bench.run(AperiodicCanned(motion="nod", duration=asked, converge="none"))
    assert outcome.success, outcome
    assert outcome.duration == pytest.approx(takes, abs=0.05)
    (event,) = [event for event in bench.events if event.kind == "motion"]
    assert event.data["stretched"] is stretched


def test_from_elsewhere_it_converges_and_ends_where_the_motion_does() -> None:
    """Also when the head looks up to begin with."""
    for converge in ("planned", "dmp"):
        bench = Bench()
        bench.skills.postures["up"] = {4: 0.8}
        assert bench.run(Postural(posture="up")).success
        before = len(bench.plant.commands)
        assert bench.run(AperiodicCanned(motion="nod", converge=converge)).success
        path = np.array([command.q[4] for command in bench.plant.commands[before:]])
        assert path[0] == pytest.approx(0.8, abs=0.01)
        assert path[-1] == pytest.approx(0.0, abs=2e-3)
