from __future__ import annotations

from .setting import goal, holding, record_of


def test_regrasp_asks_for_another_grasp_or_hand() -> None:
    """The same grasp of the same hand is a failure."""
    assert goal("regrasp", record_of([holding("right", 0), holding("right", 4)]), object="vacuum") == ""
    assert goal("regrasp", record_of([holding("right", 0), holding("left", 0)]), object="vacuum") == ""
    same = goal("regrasp", record_of([holding("right", 0), holding("right", 0)]), object="vacuum")
    assert same == "the right hand holds 'vacuum' as it did at the start"


def test_transfer_asks_for_another_hand() -> None:
    """Another grasp is not enough."""
    assert goal("transfer", record_of([holding("right", 0), holding("left", 0)]), object="vacuum") == ""
    assert "still" in goal("transfer", record_of([holding("right", 0), holding("right", 4)]), object="vacuum")
