"""Things are put down on any of their sides; judged."""

from __future__ import annotations

import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import PickAndPlace, Pickup, Position, Putdown
from taskmatrix.behaviors.common.kept import at_odds
from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.simulation.judges import judge_of

from .judged import Run


@pytest.mark.parametrize(("up", "other", "leans"), [("-z", "z", 180), ("x", "z", 90)])
def test_a_can_is_turned_over_and_laid_down(up: str, other: str, leans: int) -> None:
    """It is taken by a grasp with which it can be put down so."""
    run = Run("g1", world="cafe")
    turn = PickAndPlace(object="soda_can", on="table", up=up, duration=1.0)
    facts = run.judged(turn)
    assert float(str(facts["tilt"])) < 0.01
    judge = judge_of("pick-and-place")
    assert f"leans by {leans}.0 deg" in judge(run.record, {**turn.parameters, "up": other}).reason
    assert not judge(run.record, {**turn.parameters, "up": None}).success
    run.session.close()


def test_which_side_is_said_by_an_axis() -> None:
    """Another word has the nearest one; it takes something to put it on."""
    with pytest.raises(ParameterError, match=r"parameter 'up': no choice 'w'.*There are: -x, -y, -z, x, y, z"):
        PickAndPlace(object="soda_can", on="table", up="w")
    with simulate("mannequin", seed=1) as session:
        failure = session.run(PickAndPlace(object="soda_can", on="table", up="-z")).failure
        assert failure is not None
        assert failure.root.kind is FailureKind.NO_GRASP
        assert failure.root.message.endswith("with which it can be taken and put on 'table' with -z up")
        failure = session.run(Pickup(object="soda_can", up="x")).failure
        assert failure is not None
        assert failure.root.message == "up says how to put it on something next: onto says on what"
        assert session.run(Pickup(object="soda_can")).success
        failure = session.run(Position(above="table", up="x")).failure
        assert failure is not None
        assert failure.root.message == "up says how to put it on something; given: above"
        odds = "with x up the object is 1.57 rad off what keep='upright' lets it be off by tilt=0.17"
        for turn in (
            PickAndPlace(object="soda_can", on="table", up="x", keep="upright"),
            Putdown(object="soda_can", on="table", up="x", keep="upright"),
        ):
            outcome = session.run(turn)
            assert outcome.failure is not None
            assert (outcome.failure.root.kind, outcome.failure.root.message) == (FailureKind.PARAMETER, odds)
            assert outcome.duration < 0.1
    assert not at_odds("upright", 1.6, "x")
    assert at_odds("upright", 1.6, "-z")
    assert not at_odds("orientation", 0.17, "x")
