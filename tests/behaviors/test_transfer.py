from __future__ import annotations

import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup, Transfer
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.testing import Bench, box_percept

from .truth import Truth


def test_the_object_changes_hands() -> None:
    """The giver's fingers end open, the taker's closed on it."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    bench.plant.attach("left", "cup")
    assert bench.run(Transfer(object="cup")).success
    assert bench.skills.held("left") is None
    assert bench.skills.held("right") == "cup"
    assert bench.skills.position()[18] == pytest.approx(0.06)
    assert bench.skills.position()[11] == pytest.approx(0.1)


def test_why_the_hands_cannot_meet_is_told_to_the_end() -> None:
    """The machine's failure has the chain from its state to the planner's pair."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    bench.plant.attach("left", "cup")
    facts = {"pair": ("left thumb", "right thumb")}
    bench.skills.plans += 3 * [Failure(FailureKind.COLLISION, "planner", "they are in each other's way", facts)]
    failure = bench.run(Transfer(object="cup")).failure
    assert failure is not None
    assert [link.where for link in failure.chain()] == ["transfer", "transfer/meet", "planner"]
    assert failure.kind is FailureKind.COLLISION
    told = failure.explain()
    assert "state 'meet' failed" in told
    assert "left thumb" in told
    assert bench.skills.held("left") == "cup"


def test_a_robot_passes_what_it_holds_to_its_other_hand() -> None:
    """Held at every moment by one of them, and back again."""
    with simulate("mannequin", seed=1) as session:
        assert session.run(Pickup(object="vacuum")).success
        giver = next(iter(session.plant.truth()["held"]))  # type: ignore[call-overload]
        holders: list[object] = []

        def note(event: Event) -> None:
            if event.kind == "step":
                holders.append(dict(event.data["held"]))  # type: ignore[call-overload]

        session.events.subscribe(note)
        truth = Truth(session)
        outcome = session.run(Transfer(object="vacuum"))
        assert outcome.success, outcome
        truth.assert_limits_held()
        taker = "left" if giver == "right" else "right"
        assert session.plant.truth()["held"] == {taker: "vacuum"}
        assert all("vacuum" in held.values() for held in holders)  # type: ignore[attr-defined]
        assert session.run(Transfer(object="vacuum")).success  # and back again
        assert session.plant.truth()["held"] == {giver: "vacuum"}


def test_what_is_lost_as_the_giver_lets_go_is_not_passed_on() -> None:
    """No hand holds it in the end."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    bench.plant.attach("left", "cup")

    def drop(event: Event) -> None:
        if event.source == "transfer/release" and event.data.get("message") == "controlloop-ended":
            bench.plant.detach("right")
            bench.context.perception.update(bench.plant.observe(), bench.context.clock.now())

    bench.context.events.subscribe(drop)
    failure = bench.run(Transfer(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.LOST_OBJECT
