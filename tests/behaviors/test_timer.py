"""Letting time pass."""

from __future__ import annotations

import pytest

from taskmatrix.behaviors import Timer
from taskmatrix.testing import Bench


def test_it_tells_when_it_will_be_over_and_is() -> None:
    """To the step, and without any chain."""
    bench, timer = Bench(), Timer(duration=1.5)
    outcome = bench.run(timer)
    assert outcome.success
    assert outcome.duration == pytest.approx(1.5)
    assert timer.end == pytest.approx(1.5)
    assert not [event for event in bench.events if event.kind == "grant"]
