"""Hands on straight lines: judged on a robot, refused with reasons, and told how far they get."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.behaviors import Move, Pickup
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.simulation.judges import judge_of
from taskmatrix.testing import Bench, box_percept

from ..worlds import sparse
from .judged import Run

CUP = box_percept("cup", (0.4, 0.3, 1.0))


def bench(held: bool = True) -> Bench:
    """The left hand holds the cup."""
    made = Bench([CUP])
    if held:
        made.plant.attach("left", "cup")
    return made


def test_what_is_held_goes_along_lines_and_turns_about_its_frames() -> None:
    """Judged; what there is no room for says how far it gets, and what is in the way."""
    run = Run("mannequin")
    run.prepare(Pickup(object="vacuum"))
    facts = run.judged(Move(z=0.1))
    assert facts["off_line"] < 0.002  # type: ignore[operator]
    tip = run.session.context.perception.pose("vacuum") @ run.session.world.objects["vacuum"].frames["tip"]
    run.judged(Move(object="vacuum", frame="tip", yaw=0.3, relative_to="world"))
    after = run.session.context.perception.pose("vacuum") @ run.session.world.objects["vacuum"].frames["tip"]
    assert pose_error(tip, after) == pytest.approx((0.0, 0.3), abs=2e-3)
    run.judged(Move(object="vacuum", frame="tip", yaw=-0.3, x=0.02, y=0.03, relative_to="table"))
    failure = run.session.run(Move(z=-1.0)).failure
    assert failure is not None
    assert failure.root.kind in (FailureKind.COLLISION, FailureKind.IK_EXHAUSTED)
    assert 0.0 < failure.root.facts["share"] < 1.0  # type: ignore[operator]
    assert "along its way, then" in failure.root.message
    elsewhere = judge_of("move")(run.record, {**dict(Move(z=0.2).parameters), "hand": "right"})
    assert not elsewhere.success
    run.session.close()


@pytest.mark.parametrize("sim", ["kinematic", "mujoco"])
def test_it_ends_where_it_touches_something(sim: str) -> None:
    """A can 1 mm over the table that it was taken from; where the way does not come to it, that is told first."""
    run = Run("mannequin", sparse("mannequin", "table", "soda_can", "stool"), sim=sim)
    run.prepare(Pickup(object="soda_can"))
    down = Move(object="soda_can", z=-0.5, until="table")
    facts = run.judged(down)
    assert facts["distance"] == pytest.approx(0.001, abs=3e-4 if sim == "kinematic" else 2e-3)
    assert "mm from 'stool'" in judge_of("move").goal(run.record, {**down.parameters, "until": "stool"}, {})
    if sim == "kinematic":
        run.judged(down)  # it touches it already
    before = run.session.skills.position().copy()
    for move, message in (
        (Move(z=-0.5, until="soda_can"), "'soda_can' is what the hand holds"),
        (Move(z=0.05, until="table"), "to the end of its way without touching 'table'"),
        (Move(z=-0.5, until="tabel"), "did you mean 'table'"),
    ):
        failure = run.session.run(move).failure
        assert failure is not None
        assert message in failure.root.message
    np.testing.assert_allclose(run.session.skills.position()[:3], before[:3], atol=1e-3)
    run.session.close()


def test_it_ends_where_the_hand_feels_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it comes to where that is perceived."""
    made = bench()
    state = made.skills.feel("left")
    nothing, something = (replace(state, contact={"left_finger": touches}) for touches in (False, True))
    monkeypatch.setattr(made.skills, "feel", lambda hand: something if made.context.clock.now() >= 1.0 else nothing)
    outcome = made.run(Move(z=0.1, duration=3.0, until="floor"))
    assert outcome.success
    assert 0.9 < outcome.duration < 1.2


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (Move(relative_to="cupp"), "no axes 'cupp'; did you mean 'cup'?"),
        (Move(frame="tip"), "a frame is one of an object: name the object, too"),
        (Move(object="cup", frame="tip"), "no frame 'tip' in object 'cup'"),
        (Move(hand="lft"), "did you mean 'left'?"),
        (Move(object="can"), "no hand holds can"),
    ],
    ids=["axes", "frame", "frames", "hand", "object"],
)
def test_what_is_unknown_is_refused_with_the_nearest(move: Move, message: str) -> None:
    """Before anything is planned."""
    failure = bench().run(move).failure
    assert failure is not None
    assert message in failure.explain()


def test_without_a_name_it_is_the_hand_that_holds_something() -> None:
    """And where none does, that is said; a hand that is named needs not hold anything."""
    made = bench()
    before = made.skills.forward_kinematics("left")
    assert made.run(Move(z=0.05)).success
    np.testing.assert_allclose(made.skills.forward_kinematics("left"), pose((0.0, 0.0, 0.05)) @ before, atol=2e-3)
    assert made.skills.held("left") == "cup"
    empty = bench(held=False)
    failure = empty.run(Move(z=0.05)).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert empty.run(Move(hand="right", z=0.05)).success
