"""Things are put into others, and away; judged."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import Open, Pickup, Position, PutInto, Release, Store, TakeOut
from taskmatrix.behaviors.manipulation.ways_in import ways_in
from taskmatrix.conditions import Inside
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.core.world.perception import Percept
from taskmatrix.simulation.judges import judge_of
from taskmatrix.testing import Bench

from .judged import Run

DRAWER = "unit_top_drawer"


def board(x: float, y: float, z: float, size: tuple[float, float, float]) -> Shape:
    return Shape("box", size, pose((x, y, z)))


def case(*, lid: bool = False, front: bool = True) -> Percept:
    """A box of 40 cm without a top, with a bottom that is 1 cm thick."""
    shapes = [
        board(0.0, 0.0, 0.005, (0.4, 0.4, 0.01)),
        board(0.0, 0.195, 0.1, (0.4, 0.01, 0.2)),
        board(0.0, -0.195, 0.1, (0.4, 0.01, 0.2)),
        board(-0.195, 0.0, 0.1, (0.01, 0.38, 0.2)),
    ]
    shapes += [board(0.195, 0.0, 0.1, (0.01, 0.38, 0.2))] if front else []
    shapes += [board(0.0, 0.0, 0.205, (0.4, 0.4, 0.01))] if lid else []
    return Percept(ObjectModel("case", "furniture/case", tuple(shapes), movable=False), pose((1.0, 0.0, 0.5)))


def cube() -> Percept:
    return Percept(ObjectModel("cube", "cube", (board(0, 0, 0, (0.06, 0.06, 0.06)),), movable=True), pose((0, 0, 2.0)))


@pytest.mark.parametrize(
    ("z", "x", "holds", "why"),
    [
        (0.54, 1.0, True, "0.0 mm above a bottom of 'case'"),
        (0.56, 1.0, False, "20.0 mm above a bottom of 'case'"),
        (0.54, 1.3, False, "'cube' is beside the inside of 'case'"),
    ],
)
def test_inside_is_on_a_bottom_with_room_above(z: float, x: float, holds: bool, why: str) -> None:
    """And not beside it, or over it."""
    verdict = Inside("cube", "case").evaluate(Bench([case(), Percept(cube().model, pose((x, 0.0, z)))]).context)
    assert bool(verdict) is holds
    assert why in verdict.why


def test_what_has_no_inside_says_so() -> None:
    """A cube has none; a table's legs are no shelves."""
    bench = Bench([case(), cube()])
    assert Inside("case", "cube").evaluate(bench.context).why == "'cube' has no inside"
    assert not Inside("case", "cube").sample(bench.context, 3, np.random.default_rng(0))


@pytest.mark.parametrize("lid", [False, True])
def test_places_inside_are_clear_of_walls_and_lid(lid: bool) -> None:
    """And the condition holds at each of them."""
    bench = Bench([case(lid=lid), cube()])
    poses = Inside("cube", "case").sample(bench.context, 30, np.random.default_rng(0))
    assert len(poses) == 30
    for X_WO in poses:
        assert abs(X_WO[0, 3] - 1.0) < 0.165
        assert X_WO[2, 3] == pytest.approx(0.541)
        there = Bench([case(lid=lid), Percept(cube().model, X_WO)]).context
        assert Inside("cube", "case").evaluate(there)


@pytest.mark.parametrize(
    ("lid", "front", "ways"), [(False, True, [(0, 0, -1)]), (True, False, [(-1, 0, 0)]), (True, True, [])]
)
def test_ways_in_are_where_it_is_open(lid: bool, front: bool, ways: list[tuple[int, int, int]]) -> None:
    """From above, from the front, or from nowhere; as long as until the two are apart."""
    found = ways_in(case(lid=lid, front=front), cube(), pose((1.0, 0.0, 0.541)))
    assert [tuple(direction.round().astype(int).tolist()) for direction, _ in found] == ways
    if ways:
        assert found[0][1] == pytest.approx({(0, 0, -1): 0.209, (-1, 0, 0): 0.25}[ways[0]])


def test_a_can_is_stored_in_a_drawer() -> None:
    """Opened, fetched, put in and closed; it travels with the drawer."""
    run = Run("mannequin", world="kitchen")
    facts = run.judged(Store(object="soda_can", into=DRAWER, duration=1.0))
    assert facts["share"] == pytest.approx(0.0, abs=0.02)
    assert Inside("soda_can", DRAWER).evaluate(run.session.context)
    judgement = judge_of("store")(run.record, {"object": "mug", "into": DRAWER, "door": DRAWER})
    assert judgement.reason == "no hand held 'mug' at any time"
    run.session.close()


def test_what_is_held_is_put_into_what_is_open() -> None:
    """By its parts, too; and the judge tells it from what is not."""
    run = Run("pr2", world="kitchen")
    run.prepare(Open(object=DRAWER), Pickup(object="soda_can", into=DRAWER))
    run.prepare(Position(into=DRAWER))
    reason = judge_of("put-into")(run.record, {"object": "soda_can", "into": DRAWER}).reason
    assert "hand still holds 'soda_can'" in reason
    run.prepare(Release(into=DRAWER))
    assert Inside("soda_can", DRAWER).evaluate(run.session.context)
    assert run.session.plant.held() == {}
    reason = judge_of("put-into")(run.record, {"object": "soda_can", "into": "cupboard"}).reason
    assert "sticks out of 'cupboard'" in reason
    run.session.close()


def test_a_sponge_is_taken_out_of_a_drawer() -> None:
    """Which is closed again by the other hand."""
    run = Run("mannequin", world="kitchen")
    run.judged(TakeOut(object="sponge", door=DRAWER, duration=1.0))
    assert "sponge" in run.session.plant.held().values()
    reason = judge_of("store")(run.record, {"object": "sponge", "into": DRAWER, "door": DRAWER}).reason
    assert reason.endswith("hand still holds 'sponge'")
    run.session.close()


def test_what_cannot_be_put_in_says_why() -> None:
    """There is no inside; there is no such thing; two goals are none."""
    run = Run("mannequin", world="kitchen")
    run.prepare(Pickup(object="soda_can"))
    for behavior, kind, why in (
        (PutInto(into="table"), FailureKind.NO_PLACE, "no pose of 'soda_can' was found for inside"),
        (PutInto(into="tabel"), FailureKind.UNKNOWN_OBJECT, "did you mean 'table'"),
        (Position(into=DRAWER, on="table"), FailureKind.PARAMETER, "given: on and into"),
        (Store(object="soda_can", into="cupboard"), FailureKind.PRECONDITION, "neither opens nor"),
        (Store(object="soda_can", into=DRAWER, door="cupboard_door"), FailureKind.PARAMETER, f"no door of '{DRAWER}'"),
        (Store(object="soda_can", into="unit", door=DRAWER), FailureKind.PARAMETER, "is a drawer: into has to be"),
        (Store(object=DRAWER, into=DRAWER), FailureKind.PARAMETER, "cannot be put into itself"),
        (Store(object="soda_can", into="cupboard_door"), FailureKind.NO_PLACE, "'cupboard_door' has no inside"),
        (TakeOut(object="soda_can", door=DRAWER), FailureKind.PRECONDITION, f"neither in '{DRAWER}' nor in 'unit'"),
    ):
        failure = run.session.run(behavior).failure
        assert failure is not None
        assert failure.root.kind is kind
        assert why in failure.root.message
    run.session.close()


def test_a_bottle_goes_onto_the_upper_shelf_of_a_cupboard_on_the_wall() -> None:
    """The one that was named; a shelf that there is not is refused before anything moves."""
    run = Run("pr2", world="cafe", seed=3)
    failure = run.session.run(Store(object="bottle_1", into="cupboard", at="shelv", door="cupboard_door")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    assert "did you mean 'shelf'" in failure.message
    assert run.session.context.clock.now() < 0.1
    store = Store(object="bottle_1", into="cupboard", at="shelf", door="cupboard_door", duration=1.0)
    run.judged(store)
    assert "from the 'bottom'" in judge_of("store")(run.record, {**store.parameters, "at": "bottom"}).reason
    failure = run.session.run(Position(on="table", at="shelf")).failure
    assert failure is not None
    run.session.close()


def test_taking_out_takes_two_hands_that_hold_nothing() -> None:
    """One for the thing, one to close: where there are not, nothing is opened."""
    run = Run("mannequin", world="cafe", seed=3)
    run.prepare(Pickup(object="bottle_1"))
    failure = run.session.run(TakeOut(object="bottle_4", door="cupboard_door")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert "it takes two free hands" in failure.message
    assert "holds 'bottle_1'" in failure.message
    run.session.close()
