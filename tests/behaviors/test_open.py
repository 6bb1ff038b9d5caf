"""Drawers and doors are opened and closed, with what is in them, and what cannot be says why before anything moves."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Close, MovePart, Open, Pickup, Postural, Reach
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import inverse
from taskmatrix.simulation.judges import judge_of

from .judged import Run


def test_a_drawer_is_opened_and_closed_with_what_is_in_it() -> None:
    """Judged; the sponge stays where it is in the drawer, and can be taken out of it."""
    run = Run("mannequin", world="kitchen")
    session, part = run.session, "unit_top_drawer"

    def sponge() -> object:
        poses = session.plant.truth()["poses"]
        assert isinstance(poses, dict)
        return (inverse(poses[part]) @ poses["sponge"]).round(9).tolist()

    before = sponge()
    run.judged(Open(object=part))
    assert sponge() == before
    run.judged(Close(object=part))
    assert sponge() == before
    session.close()


def test_a_door_is_opened_along_its_arc_by_a_share() -> None:
    run = Run("pr2", world="kitchen")
    facts = run.judged(Open(object="cupboard_door", share=0.6))
    assert facts["share"] == pytest.approx(0.6, abs=0.01)
    run.session.close()


def test_what_is_in_an_open_drawer_can_be_picked_up() -> None:
    run = Run("pr2", world="kitchen")
    run.prepare(Open(object="unit_top_drawer"))
    run.judged(Pickup(object="sponge"))
    run.session.close()


def test_what_does_not_open_is_refused_before_anything_moves() -> None:
    with simulate("mannequin", world="kitchen", seed=0) as session:
        before = session.plant.sense().q.copy()
        for behavior in (Open(object="table"), Close(object="table"), MovePart(object="cupboard_door")):
            failure = session.run(behavior).failure
            assert failure is not None
            assert failure.kind is FailureKind.PRECONDITION
        assert "neither opens nor closes" in str(session.run(Open(object="table")).failure)
        np.testing.assert_array_equal(session.plant.sense().q, before)


def test_judges_see_a_part_that_is_not_open_or_still_held() -> None:
    run = Run("mannequin", world="kitchen")
    run.prepare(Postural(posture="ready"))
    judge = judge_of("open")
    assert judge(run.record, {"object": "unit_top_drawer", "share": 1.0}).reason == "'unit_top_drawer' is 0% open"
    assert judge(run.record, {"object": "table", "share": 1.0}).reason == "'table' is no part that moves on another"
    held = judge_of("move-part")(run.record, {"object": "unit_top_drawer", "share": 0.0})
    assert held.reason == "no hand holds 'unit_top_drawer' at the end"
    run.session.close()


def test_a_closed_door_in_the_way_is_named() -> None:
    """Not only the bodies that would touch it."""
    with simulate("g1", world="two_rooms", seed=1) as session:
        failure = session.run(Reach(object="soda_can")).failure
        assert failure is not None
        assert failure.root.message.endswith("could be connected; 'doorway_leaf' is 0% open")
