from __future__ import annotations

from taskmatrix.core.geometry import pose
from taskmatrix.simulation.judges import Step

from .setting import goal, holding, record_of


def test_an_object_held_where_it_was_is_success() -> None:
    """The hand closes, the object stays."""
    held = holding()
    before = Step(held.q, held.poses, {})
    assert goal("grasp", record_of([before, held]), object="vacuum") == ""


def test_an_object_that_is_not_held_or_was_pushed_is_a_failure() -> None:
    """By more than a millimetre."""
    held = holding()
    before = Step(held.q, held.poses, {})
    assert goal("grasp", record_of([before, before]), object="vacuum") == "no hand holds 'vacuum' at the end"
    pushed = Step(held.q, {**held.poses, "vacuum": pose((0.0, 0.0, 0.002)) @ held.poses["vacuum"]}, {})
    assert "moved by 2.0 mm" in goal("grasp", record_of([pushed, held]), object="vacuum")
