"""Whether the robot is in a posture."""

from __future__ import annotations

import pytest

from taskmatrix.conditions import InPosture
from taskmatrix.core import ParameterError
from taskmatrix.testing import Bench


def bench() -> Bench:
    """A robot that has a posture."""
    made = Bench()
    made.skills.postures = {"nod": {3: 0.2}}
    return made


def test_all_joints_have_to_be_there_within_the_tolerance() -> None:
    """Which is an argument as any other."""
    context = bench().context
    assert not InPosture("nod").evaluate(context)
    assert InPosture("nod", 0.3).evaluate(context)
    assert InPosture("nod", tolerance=0).bind(lambda value: value or 0.3).evaluate(context)
    assert repr(InPosture("nod", 0.3)) == "in_posture(posture='nod', tolerance=0.3)"


def test_in_a_posture_that_the_robot_does_not_have_it_is_not() -> None:
    """And that is why."""
    verdict = InPosture("nid").evaluate(bench().context)
    assert not verdict
    assert verdict.why.startswith("no posture 'nid'")
    assert "did you mean 'nod'?" in verdict.why


@pytest.mark.parametrize("tolerance", ["much", -0.1, True])
def test_a_tolerance_is_a_number_from_zero(tolerance: object) -> None:
    """Anything else is refused."""
    with pytest.raises(ParameterError, match="tolerance has to be a number from 0"):
        InPosture("nod", tolerance).evaluate(bench().context)
