"""Which hand has to be open before it grasps, on the fake robot."""

from __future__ import annotations

import pytest

from taskmatrix.behaviors import Grasp
from taskmatrix.core import FailureKind
from taskmatrix.testing import Bench, box_percept

HAND = (0.4, 0.3, 1.0)  # [m] where the fake robot's left hand hangs, pointing up
RIGHT_FINGERS, LEFT_FINGERS = 18, 11


def bench_at_the_cup(closed: int | None) -> Bench:
    """The left hand at the grasp of a cup, and one hand closed."""
    bench = Bench([box_percept("cup", HAND)])
    state = bench.plant.sense()
    state.q[8] = 3.141592653589793  # turned to point down
    if closed is not None:
        state.q[closed] = 0.0
    for index in (8, LEFT_FINGERS, RIGHT_FINGERS):
        bench.context.arbiter._last[index] = state.q[index]
    bench.skills.sense(state)
    return bench


@pytest.mark.parametrize("closed", [None, RIGHT_FINGERS])
def test_the_hand_at_the_grasp_closes_and_holds(closed: int | None) -> None:
    """Whatever the other hand does; the fingers end at the width of the grasp."""
    bench = bench_at_the_cup(closed)
    outcome = bench.run(Grasp(object="cup"))
    assert outcome.success, outcome
    assert bench.plant.truth()["held"] == {"left": "cup"}
    assert bench.skills.position()[LEFT_FINGERS] == pytest.approx(0.06)
    assert bench.violation() is None


def test_the_hand_that_would_close_has_to_be_open() -> None:
    """That the other one is open does not help."""
    failure = bench_at_the_cup(LEFT_FINGERS).run(Grasp(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert "a finger of the left hand is 0.10 rad from open" in failure.message
