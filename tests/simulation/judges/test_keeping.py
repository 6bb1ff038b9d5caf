"""What is held is kept upright, or as it was, in records made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.simulation.judges import Record, Step
from taskmatrix.simulation.judges.measures.keeping import unkept

from .setting import holding, record_of


def turned(*angles: tuple[float, float, float]) -> Record:
    """The vacuum in the hand, turned by roll, pitch and yaw [rad] step by step."""
    held = holding()
    poses = [{**held.poses, "vacuum": pose((0.5, 0.0, 1.0), each)} for each in angles]
    return record_of([Step(held.q, each, {"right": "vacuum"}) for each in poses])


@pytest.mark.parametrize(
    ("keep", "way", "kept"),
    [
        ("upright", ((0.0, 0.0, 0.0), (0.19, 0.0, 0.0), (0.0, 0.0, 0.0)), True),
        ("upright", ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.0, 0.0, 0.0)), False),
        ("upright", ((0.0, 0.0, 0.0), (0.0, 0.0, 3.0)), True),
        ("orientation", ((1.0, 0.0, 0.0), (1.15, 0.0, 0.0)), True),
        ("orientation", ((0.0, 0.0, 0.0), (0.0, 0.0, 0.3)), False),
        (None, ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)), True),
    ],
)
def test_every_step_counts(keep: str | None, way: tuple[tuple[float, float, float], ...], kept: bool) -> None:
    """Within the angle asked for and one degree, 0.217 rad here."""
    facts: dict[str, object] = {}
    reason = unkept(turned(*way), {"keep": keep, "tilt": 0.2}, facts)
    assert (reason == "") is kept
    assert ("tilted" in facts) is (keep is not None)
    if not kept:
        assert reason == f"'vacuum' is 17.2 deg from {keep} at step 1"


def test_what_no_hand_holds_may_turn() -> None:
    """From where a hand takes it on it counts."""
    held = holding()
    poses = [{**held.poses, "vacuum": pose((0.5, 0.0, 1.0), (roll, 0.0, 0.0))} for roll in (0.0, 1.0, 1.0)]
    steps = [Step(held.q, each, {"right": "vacuum"} if k else {}) for k, each in enumerate(poses)]
    facts: dict[str, object] = {}
    assert unkept(record_of(steps), {"keep": "orientation", "tilt": 0.1}, facts) == ""
    assert facts["tilted"] == pytest.approx(0.0, abs=1e-6)
    assert unkept(record_of(steps), {"keep": "upright", "tilt": 0.1}, facts)
    assert facts["tilted"] == pytest.approx(1.0, abs=np.deg2rad(0.1))
