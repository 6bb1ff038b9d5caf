"""Waiting until something is seen."""

from __future__ import annotations

import pytest

from taskmatrix.behaviors import Notice
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.testing import Bench, box_percept

CUP = box_percept("cup", (1.0, 0.0, 0.5))
HERE = pose((1.0, 0.0, 0.5))


def test_what_is_known_is_not_waited_for() -> None:
    """It is published all the same."""
    bench, notice = Bench([CUP]), Notice(object="cup")
    outcome = bench.run(notice)
    assert outcome.success
    assert outcome.duration < 0.05
    assert notice.outputs["noticed"] == "cup"
    assert bench.violation() is None


def test_what_comes_into_view_is_noticed_after_a_moment() -> None:
    """A second, in which it has to stay in view."""
    bench = Bench([CUP], script=[(0.0, "cup", None), (2.0, "cup", HERE), (2.5, "cup", None), (4.0, "cup", HERE)])
    outcome = bench.run(Notice(object="cup"))
    assert outcome.success
    assert outcome.duration == pytest.approx(5.0, abs=0.05)


def test_what_does_not_come_is_waited_for_as_long_as_asked() -> None:
    """The failure is that of an object that is not known."""
    bench = Bench([CUP], script=[(0.0, "cup", None)])
    outcome = bench.run(Notice(object="cup", duration=3.0))
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.UNKNOWN_OBJECT
    assert "was not seen in 3 s" in outcome.failure.explain()
    assert outcome.duration == pytest.approx(3.0, abs=0.05)
