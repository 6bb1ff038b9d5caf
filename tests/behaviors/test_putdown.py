from __future__ import annotations

from taskmatrix.behaviors import Pickup, Putdown
from taskmatrix.conditions import RestingOn
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.testing import Bench, box_percept

from .judged import Run

CUP = box_percept("cup", (0.4, 0.3, 1.0))
TABLE = box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")


def bench() -> Bench:
    made = Bench([CUP, TABLE])
    made.plant.attach("left", "cup")
    return made


def test_what_is_held_ends_on_the_surface_and_in_no_hand() -> None:
    """Without being named."""
    table = bench()
    assert table.run(Putdown(on="table")).success
    assert RestingOn("cup", "table").evaluate(table.context)
    assert table.skills.held("left") is None


def test_a_way_that_is_not_found_is_looked_for_once_more() -> None:
    """And if there is none again, both failures are told."""
    none = Failure(FailureKind.PLANNER_EXHAUSTED, "planner", "no path")
    once, twice = bench(), bench()
    once.skills.plans.append(none)
    assert once.run(Putdown(on="table")).success
    twice.skills.plans += [none, none]
    failure = twice.run(Putdown(on="table")).failure
    assert failure is not None
    assert failure.root.kind is FailureKind.PLANNER_EXHAUSTED
    assert failure.explain().count("no path") == 2
    assert twice.skills.held("left") == "cup"


def test_what_falls_off_when_it_is_let_go_was_not_put_down() -> None:
    """The failure says where it is."""
    table = bench()

    def fall(event: Event) -> None:
        if event.source == "putdown/release" and event.data.get("message") == "controlloop-ended":
            table.plant.set_pose("cup", pose((0.8, 0.0, 0.2)))
            table.context.perception.update(table.plant.observe(), table.context.clock.now())

    table.context.events.subscribe(fall)
    failure = table.run(Putdown(on="table")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ACHIEVED
    assert failure.message.startswith("it did not stay: the underside of 'cup' is")


def test_with_empty_hands_there_is_nothing_to_put_down() -> None:
    """It says so before anything moves."""
    failure = Bench([CUP, TABLE]).run(Putdown(on="table")).failure
    assert failure is not None
    assert failure.root.kind is FailureKind.PRECONDITION
    assert "no hand holds" in failure.explain()


def test_the_judge_finds_it_put_down() -> None:
    """By a claw."""
    run = Run("bandit")
    run.prepare(Pickup(object="soda_can"))
    facts = run.judged(Putdown(on="table"))
    assert abs(float(str(facts["height"]))) < 0.003


def test_a_can_is_carried_upright() -> None:
    """By the judge, at every step within the angle asked for; without being asked it is turned by 49 degrees here."""
    run = Run("bandit", seed=3)
    run.prepare(Pickup(object="soda_can"))
    tilted = run.judged(Putdown(on="table", keep="upright", tilt=0.1))["tilted"]
    assert isinstance(tilted, float)
    assert 0.05 < tilted < 0.1
