from __future__ import annotations

from taskmatrix.core.world.geometry import inverse, pose
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges import Step

from .setting import goal, holding, judged, record_of, robot, start_step, world


def at_grasp(off: float = 0.0) -> Step:
    """The vacuum so placed that the right hand is at its first grasp, ``off`` [m] beside it."""
    held = holding("right")
    return Step(held.q, {**held.poses, "vacuum": held.poses["vacuum"] @ pose((off, 0.0, 0.0))}, {})


def test_a_free_hand_at_a_grasp_is_success() -> None:
    """Within 5 mm."""
    assert goal("reach", record_of([start_step(), at_grasp(0.003)]), object="vacuum") == ""


def test_a_hand_beside_the_grasp_is_a_failure() -> None:
    """Six millimetres are too many, and so is the turn of a few degrees."""
    assert "from the nearest grasp" in goal("reach", record_of([start_step(), at_grasp(0.006)]), object="vacuum")
    step = at_grasp()
    X_HO = inverse(hand_pose(robot(), "right", step.q)) @ step.poses["vacuum"]
    tilted = hand_pose(robot(), "right", step.q) @ pose(rpy=(0.06, 0.0, 0.0)) @ X_HO
    record = record_of([start_step(), Step(step.q, {**step.poses, "vacuum": tilted}, {})])
    assert "from the nearest grasp" in goal("reach", record, object="vacuum")


def test_a_hand_that_holds_something_has_not_reached() -> None:
    """The formal specification asks for a free hand; a vanished object cannot be reached."""
    step = at_grasp()
    record = record_of([start_step(), Step(step.q, step.poses, {"right": "soda_can", "left": "broom"})])
    assert goal("reach", record, object="vacuum") == "no hand is free at the end"
    gone = {id: X for id, X in world().poses.items() if id != "vacuum"}
    record = record_of([start_step(), Step(step.q, gone, {})])
    assert goal("reach", record, object="vacuum") == "'vacuum' is not there at the end"


def test_a_hand_that_held_it_from_the_start_has_it_within_reach() -> None:
    """Nothing was to be done; another hand's reach is not that."""
    step = holding("right")
    record = record_of([step, step])
    assert goal("reach", record, object="vacuum") == ""
    assert goal("reach", record, object="vacuum", using="left") != ""


def test_a_real_reach_is_judged_with_its_contacts() -> None:
    """Up to the grasp of a recorded pickup."""
    reason = judged(lambda step, data: {"held": {}}, behavior="reach").reason
    assert reason == ""


def test_it_is_the_hand_that_was_asked_for_and_not_the_grasp_to_avoid() -> None:
    """The right hand at a grasp is no reach of the left."""
    record = record_of([start_step(), at_grasp()])
    first = world().objects["vacuum"].grasps[0].name
    assert goal("reach", record, object="vacuum", using="right") == ""
    assert "from the nearest grasp" in goal("reach", record, object="vacuum", using="left")
    assert goal("reach", record, object="vacuum", avoid="elsewhere") == ""
    assert goal("reach", record, object="vacuum", avoid=first) != ""
