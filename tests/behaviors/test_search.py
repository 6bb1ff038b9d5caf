"""Looking for what nobody has seen yet."""

from __future__ import annotations

import pytest

from taskmatrix.behaviors import Search
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.perception.octree import Octree
from taskmatrix.testing import Bench, box_percept

CUP = box_percept("cup", (1.0, 0.0, 1.5))
HERE = pose((1.0, 0.0, 1.5))


def started(bench: Bench) -> set[str]:
    """Names of the states that were started."""
    found = [event.data["start"] for event in bench.events if event.kind == "transition" and event.source == "search"]
    return {str(name) for names in found for name in names}  # type: ignore[attr-defined]


def test_what_is_known_is_not_looked_for() -> None:
    """It ends at once."""
    bench = Bench([CUP])
    outcome = bench.run(Search(object="cup"))
    assert outcome.success, outcome
    assert outcome.duration < 0.1
    assert "explore" not in started(bench)
    assert bench.violation() is None


@pytest.mark.parametrize("mapped", [True, False])
def test_it_explores_until_it_sees_it_and_looks_at_it_then(mapped: bool) -> None:
    """Without a map it walks about."""
    bench = Bench([CUP], script=[(0.0, "cup", None), (4.0, "cup", HERE)])
    bench.skills.occupancy = Octree() if mapped else None
    outcome = bench.run(Search(object="cup"))
    assert outcome.success, outcome
    assert outcome.duration == pytest.approx(5.0, abs=0.1)
    assert "fixate" in started(bench)
    assert ("walk" in started(bench)) is not mapped
    assert not bench.skills.avoids_unseen
    assert bench.violation() is None


def test_it_gives_up_in_time() -> None:
    """And says what it did not find."""
    bench = Bench([CUP], script=[(0.0, "cup", None)])
    bench.skills.occupancy = Octree()
    outcome = bench.run(Search(object="cup", duration=3.0))
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.UNKNOWN_OBJECT
    assert outcome.duration == pytest.approx(3.0, abs=0.1)
