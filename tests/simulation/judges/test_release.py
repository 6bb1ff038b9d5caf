from __future__ import annotations

import numpy as np

from taskmatrix.core.world.geometry import pose
from taskmatrix.session.session import CONTROL_STEP
from taskmatrix.simulation.judges import Record, Step

from .setting import goal, holding, record_of, robot, truth, world


def test_an_object_let_go_where_it_is_is_success() -> None:
    """The mannequin has no fingers to open."""
    held = holding()
    assert goal("release", record_of([held, Step(held.q, held.poses, {})]), object="vacuum") == ""


def test_what_is_still_held_moved_or_never_held_is_a_failure() -> None:
    """Each with its reason."""
    held = holding()
    free = Step(held.q, held.poses, {})
    assert goal("release", record_of([held, held]), object="vacuum") == "the right hand still holds 'vacuum'"
    assert goal("release", record_of([free, free]), object="vacuum") == "no hand held 'vacuum' at the start"
    dropped = Step(held.q, {**held.poses, "vacuum": pose((0.0, 0.0, -0.01)) @ held.poses["vacuum"]}, {})
    assert "moved by 10.0 mm" in goal("release", record_of([held, dropped]), object="vacuum")


def test_fingers_have_to_open() -> None:
    """A closed hand has not released, whatever the plant says."""
    own = robot("asimo")
    q = own.posture("stand")
    closed = q.copy()
    for joint, position in own.hands["right"].closed.items():
        closed[own.joints.index(joint)] = position
    for end, reason in ((q, ""), (closed, "from the open hand")):
        record = Record(own, world().objects, CONTROL_STEP, truth(Step(closed, world().poses, {"right": "vacuum"})))
        record.steps.append(Step(np.array(end), world().poses, {}))
        assert reason in goal("release", record, object="vacuum")
        assert bool(reason) == bool(goal("release", record, object="vacuum"))


def test_it_is_the_hand_that_was_asked_for() -> None:
    """Another may have taken the object over, and keeps it."""
    held = holding("right")
    other = Step(held.q, held.poses, {"left": "vacuum"})
    assert goal("release", record_of([other, other]), object="vacuum", using="right") == ""
    assert "left hand still holds" in goal("release", record_of([other, other]), object="vacuum", using="left")
    assert "left hand still holds" in goal("release", record_of([held, other]), object="vacuum", using="right")


def test_it_rests_where_it_was_to_rest() -> None:
    """In the air it does not."""
    held = holding()
    free = Step(held.q, held.poses, {})
    reason = goal("release", record_of([held, free]), object="vacuum", on="table")
    assert reason == "'vacuum' does not rest on 'table'"
    on_table = [Step(held.q, world().poses, given) for given in ({"right": "vacuum"}, {})]
    assert goal("release", record_of(on_table), object="vacuum", on="table") == ""
