"""The event stream."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.base.events import Event, EventStream
from taskmatrix.core.base.failure import Failure, FailureKind


@pytest.fixture
def stream() -> EventStream:
    return EventStream(SimulatedClock())


def test_readers_get_every_event_in_order(stream: EventStream) -> None:
    """All readers see the same events, with time, step and data."""
    first: list[Event] = []
    second: list[Event] = []
    stream.subscribe(first.append)
    stream.subscribe(second.append)
    stream.emit("grant", "reach", chains=["head"])
    stream.step = 4
    stream.emit("release", "reach")
    assert (
        first
        == second
        == [Event(0.0, 0, "grant", "reach", {"chains": ["head"]}), Event(0.0, 4, "release", "reach", {})]
    )


def test_a_cause_is_told_before_its_effect(stream: EventStream) -> None:
    """A reader that tells something when it is told something does not overtake that."""
    told: list[str] = []

    def answer(event: Event) -> None:
        if event.kind in ("question", "answer"):
            stream.emit("answer" if event.kind == "question" else "thanks", "reader")

    stream.subscribe(answer)
    stream.subscribe(lambda event: told.append(event.kind))
    stream.emit("question", "x")
    assert told == ["question", "answer", "thanks"]


def test_who_unsubscribes_gets_nothing_more(stream: EventStream) -> None:
    """The function that subscribe returns takes the reader off; twice does no harm."""
    told: list[Event] = []
    unsubscribe = stream.subscribe(told.append)
    unsubscribe()
    unsubscribe()
    stream.emit("run", "x")
    assert told == []


def test_a_reader_that_raises_is_taken_off(stream: EventStream, caplog: pytest.LogCaptureFixture) -> None:
    """A broken viewer loses its events; the others and the sender notice nothing, and the log says why."""
    calls: list[str] = []

    def broken(event: Event) -> None:
        calls.append("broken")
        raise RuntimeError("no window")

    told: list[Event] = []
    stream.subscribe(broken)
    stream.subscribe(told.append)
    with caplog.at_level(logging.ERROR):
        stream.emit("run", "x")
        stream.emit("run", "y")
    assert calls == ["broken"]
    assert [event.source for event in told] == ["x", "y"]
    assert "no window" in caplog.text


def test_a_reader_may_leave_and_raise_at_once(stream: EventStream) -> None:
    """Unsubscribing while being told is allowed, also when something goes wrong after it."""

    def leaving(event: Event) -> None:
        unsubscribe()
        raise RuntimeError

    unsubscribe = stream.subscribe(leaving)
    stream.emit("run", "x")
    stream.emit("run", "x")


def test_an_interrupt_in_a_reader_waits_until_all_are_told(stream: EventStream) -> None:
    """Ctrl-C in a reader neither tears the event nor loses the reader; it is noted."""
    told: list[str] = []

    def interrupted(event: Event) -> None:
        told.append("first")
        raise KeyboardInterrupt

    stream.subscribe(interrupted)
    stream.subscribe(lambda event: told.append("second"))
    assert not stream.interrupted
    stream.emit("run", "x")
    assert stream.interrupted
    stream.emit("run", "x")
    assert told == ["first", "second"] * 2


def test_data_may_be_called_kind_and_source(stream: EventStream) -> None:
    """The names of the event's own fields are free for facts."""
    told: list[Event] = []
    stream.subscribe(told.append)
    stream.emit("message", "find", kind="ball", source="camera")
    assert told[0].data == {"kind": "ball", "source": "camera"}


def test_an_event_is_one_line_of_strict_json() -> None:
    """Arrays, failures and infinities are written so that any reader of JSON takes them."""
    failure = Failure(FailureKind.IK_EXHAUSTED, "ik", "out of reach", {"distance": np.inf})
    line = Event(0.1 + 0.2, 3, "step", "plant", {"q": np.array([1.0, 2.0]), "failure": failure}).to_json()
    assert "\n" not in line
    data = json.loads(line, parse_constant=pytest.fail)
    assert data["time"] == 0.3
    assert data["data"]["q"] == [1.0, 2.0]
    assert data["data"]["failure"]["facts"] == {"distance": "inf"}
