from __future__ import annotations

from typing import Any

import pytest

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.events import Event
from taskmatrix.core.components.cycle import Node
from taskmatrix.session.live.breakpoints import Breakpoint, Breakpoints, check, check_states
from taskmatrix.soccer import ForwardPlayer

from .tales import FAILED
from .test_controls import Fails, Two


def event(kind: str, source: str, **data: Any) -> Event:
    return Event(0.0, 0, kind, source, data)


def nodes(*names: str) -> tuple[Node, ...]:
    return tuple(Node(name, 0, (), "active", 0.0, {}) for name in names)


STARTS = event("message", "pickup/reach", message="planning-started")
ENDS = event("message", "pickup/reach", message="planning-ended")
FAILS = event("message", "pickup", message="task-failed", failure=FAILED)
ASKED = event("condition", "a", role="guard", condition="near(cup)", holds=True)


@pytest.mark.parametrize(
    ("point", "told", "hit"),
    [
        (("state", "reach"), STARTS, True),
        (("state", "pickup/reach"), STARTS, True),
        (("state", "pickup"), STARTS, False),
        (("state", "each"), STARTS, False),
        (("state", "reach"), ENDS, False),
        (("state", "a"), event("message", "a", message="task-failed-to-start", failure=FAILED), True),
        (("message", "planning-ended"), ENDS, True),
        (("message", "reach planning-ended"), ENDS, True),
        (("message", "pickup/reach planning-ended"), ENDS, True),
        (("message", "grasp planning-ended"), ENDS, False),
        (("message", "planning-ended"), STARTS, False),
        (("message", ""), STARTS, False),
        (("condition", "near(cup)"), ASKED, True),
        (("condition", "near(can)"), ASKED, False),
        (("failure", ""), FAILS, True),
        (("failure", "collision"), FAILS, True),
        (("failure", "timeout"), FAILS, False),
        (("failure", ""), event("failure", "a", failure=FAILED, optional=True), True),
        (("failure", ""), event("recovery", "a", failure=FAILED), False),
        (("failure", ""), ENDS, False),
    ],
)
def test_what_hits_a_breakpoint(point: tuple[str, str], told: Event, hit: bool) -> None:
    """States by their path or last name, messages with or without a sender, conditions, failures."""
    points = Breakpoints()
    points.put(Breakpoint(*point), True)
    assert (points.hit(told) is not None) is hit


def test_a_component_that_becomes_active() -> None:
    """Not one that stays so."""
    points = Breakpoints()
    points.put(Breakpoint("state", "kick"), True)
    assert points.hit(event("tree", "player", nodes=nodes("look"))) is None
    assert points.hit(event("tree", "player", nodes=nodes("look", "kick"))) == Breakpoint("state", "kick")
    assert points.hit(event("tree", "player", nodes=nodes("kick"))) is None
    assert points.hit(event("tree", "player", nodes=nodes())) is None
    assert points.hit(event("tree", "player", nodes=nodes("kick"))) is not None


def test_setting_one_twice_and_taking_it_away() -> None:
    """One is there once; what is not there can be taken away, too."""
    points, point = Breakpoints(), Breakpoint("failure", "")
    points.put(point, True)
    points.put(point, True)
    assert points.points == [point]
    assert str(point) == "breakpoint: failure"
    points.put(point, False)
    points.put(point, False)
    assert points.points == []
    assert points.hit(FAILS) is None


@pytest.mark.parametrize(
    ("on", "what", "why"),
    [
        ("state", "pickup/rech", "no state or component 'pickup/rech'; did you mean 'pickup/reach'"),
        ("message", "rech planning-ended", "no state or component 'rech'"),
        ("message", "planning-endd", "no message 'planning-endd'; did you mean 'planning-ended'"),
        ("failure", "colision", "no kind of failure 'colision'; did you mean 'collision'"),
    ],
)
def test_a_place_that_is_not_there_is_refused(on: str, what: str, why: str) -> None:
    """With the nearest name."""
    with pytest.raises(NotFoundError, match=why):
        check(Breakpoint(on, what), ["pickup", "pickup/reach"])


@pytest.mark.parametrize(
    ("on", "what", "names"),
    [
        ("state", "reach", ["pickup", "pickup/reach"]),
        ("state", "anything", []),
        ("message", "pickup/reach planning-ended", ["pickup/reach"]),
        ("message", "planning-ended", ["pickup/reach"]),
        ("failure", "", []),
        ("failure", "collision", []),
        ("condition", "visible(object='cup')", ["pickup"]),
    ],
)
def test_a_place_that_is_there_is_not(on: str, what: str, names: list[str]) -> None:
    """Where nothing runs, nobody knows what will be there."""
    check(Breakpoint(on, what), names)


def test_a_state_that_no_behavior_has_is_named_with_the_nearest() -> None:
    """Before anything runs; of what an activation tree has nothing is known by then."""
    check_states(["two/second", "first", "two"], [Two()])
    check_states(["two/second"], [Fails(), Two()])
    with pytest.raises(NotFoundError, match="no state or component 'two/secnd'; did you mean 'two/second'"):
        check_states(["first", "two/secnd"], [Two()])
    with pytest.raises(NotFoundError):
        check_states(["second"], [Fails()])
    check_states(["anything"], [Two(), ForwardPlayer()])
