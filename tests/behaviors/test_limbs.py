"""Which chains, and whether they are free."""

from __future__ import annotations

from taskmatrix.behaviors.common.limbs import are_free, chains_of
from taskmatrix.testing import Bench


def test_chains_are_those_that_have_a_joint() -> None:
    """In the robot's order."""
    context = Bench().context
    assert chains_of(context, [12, 4, 3]) == ("head", "right_arm")
    assert chains_of(context, []) == ()


def test_chains_are_free_unless_one_of_them_is_taken() -> None:
    """By anyone."""
    context = Bench().context
    assert are_free(context, ["head", "right_arm"])
    context.arbiter.claim("somebody", ["head"])
    assert not are_free(context, ["head", "right_arm"])
    assert are_free(context, ["right_arm"])
