"""When a robot is locked up."""

from __future__ import annotations

from taskmatrix.studio.validation.programs.locked import locked

from .told import HAND_AND_CAN, bad, good


def test_two_collisions_of_one_pair_in_a_row_are_a_lock_up() -> None:
    """Also with a find in between, which plans nothing; whichever is named first."""
    turned = bad("postural()", (HAND_AND_CAN[1], HAND_AND_CAN[0]))
    assert locked([good(), bad("pickup()", HAND_AND_CAN), good("find()", planned=False), turned]) == 3


def test_one_that_goes_on_is_not_locked_up() -> None:
    """A plan that succeeds in between or afterwards, or another pair, is a way out."""
    assert locked([bad("pickup()", HAND_AND_CAN), bad("postural()", HAND_AND_CAN), good()]) is None
    assert locked([bad("pickup()", HAND_AND_CAN), good(), bad("postural()", HAND_AND_CAN)]) is None
    assert locked([bad("pickup()", HAND_AND_CAN), bad("postural()", ("left_hand", "table"))]) is None


def test_a_failure_that_stays_to_the_end_is_a_lock_up() -> None:
    """Three times for the same reason, by more than one behavior; numbers do not matter."""
    steps = [good(), bad("reach()", root="off by 3 mm"), bad("pickup()", root="off by 7 mm")]
    assert locked(steps) is None
    assert locked([*steps, bad("reach()", root="off by 1 mm")]) == 3
    assert locked([*steps, bad("reach()", root="off by 1 mm"), good()]) is None
    assert locked([bad("reach()")] * 3) is None
