"""Where a hand has to be for what has slipped in it."""

from __future__ import annotations

import numpy as np

from taskmatrix.behaviors.manipulation.in_hand import RATE, InHand
from taskmatrix.core.world.geometry import inverse, pose, pose_error
from taskmatrix.core.world.objects import Shape
from taskmatrix.core.world.symmetry import symmetry_of

NONE = symmetry_of([])
BALL = symmetry_of([Shape("sphere", (0.03,), pose())])
PLANNED = pose((0.0, 0.01, 0.05), (0.1, 0.2, 0.3))
SLIPPED = PLANNED @ pose((0.01, 0.0, -0.004), (0.0, 0.2, 0.0))


def test_noise_is_no_slip() -> None:
    """A millimetre changes nothing at all."""
    in_hand = InHand(PLANNED, NONE)
    in_hand.update(PLANNED @ pose((0.001, 0.0, 0.0)), 1.0)
    assert in_hand.offset is None


def test_the_object_is_where_the_plan_has_it() -> None:
    """Whatever hand pose the plan has."""
    in_hand, X_WH = InHand(PLANNED, NONE), pose((1.0, 2.0, 0.5), (0.3, 0.2, 0.1))
    in_hand.update(SLIPPED, 100.0)
    assert in_hand.offset is not None
    np.testing.assert_allclose(X_WH @ in_hand.offset @ SLIPPED, X_WH @ PLANNED, atol=1e-9)


def test_it_goes_there_slowly() -> None:
    """No step is longer than its rate, and it arrives."""
    in_hand, before = InHand(PLANNED, NONE), np.eye(4)
    for _ in range(1200):
        in_hand.update(SLIPPED, 0.01)
        assert in_hand.offset is not None
        distance, angle = pose_error(before, in_hand.offset)
        assert distance <= RATE[0] * 0.01 + 1e-12
        assert angle <= RATE[1] * 0.01 + 1e-9
        before = in_hand.offset
    np.testing.assert_allclose(before, PLANNED @ inverse(SLIPPED), atol=1e-9)


def test_what_slips_back_is_followed_too() -> None:
    """Once it has slipped, every millimetre counts."""
    in_hand = InHand(PLANNED, NONE)
    in_hand.update(SLIPPED, 100.0)
    in_hand.update(PLANNED, 100.0)
    assert in_hand.offset is not None
    np.testing.assert_allclose(in_hand.offset, np.eye(4), atol=1e-9)


def test_a_ball_may_turn_in_the_hand() -> None:
    """Nobody sees the difference; one that moves aside has slipped."""
    in_hand = InHand(PLANNED, BALL)
    in_hand.update(PLANNED @ pose((0, 0, 0), (0.5, -0.3, 1.0)), 1.0)
    assert in_hand.offset is None
    in_hand.update(PLANNED @ pose((0.01, 0.0, 0.0), (0.5, -0.3, 1.0)), 100.0)
    assert in_hand.offset is not None
