from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from taskmatrix.session.live.frames import EVENT, Frame
from taskmatrix.studio.viewer import timeline as module
from taskmatrix.studio.viewer import view_state
from taskmatrix.studio.viewer.timeline import MOST_POINTS, Timeline
from taskmatrix.studio.viewer.view_state import ViewState

from .tales import Tale, encoded, framed, pickup


def told(tale: Tale) -> Timeline:
    timeline = Timeline()
    for frame in tale.frames():
        timeline.add(frame)
    return timeline


def everything(state: ViewState) -> bytes:
    return orjson.dumps({name: state.section(name) for name in state.sections}, option=orjson.OPT_NON_STR_KEYS)


def long_tale() -> Tale:
    """Pickups, trees and goals, one after the other."""
    tale = Tale()
    for number in range(40):
        part, begin = pickup(success=bool(number % 3)), tale.time
        node = {"name": f"node {number}", "depth": 0}
        tale.tell("tree", "pickup/reach", nodes=[node])
        for event in part.events:
            tale.time = round(begin + event.time, 9)
            tale.tell(event.kind, event.source, **event.data)
            if event.kind == "step":
                tale.say("gaze", "goal-failed")
    return tale


@pytest.mark.parametrize("every", [3, 50, 300])
def test_any_time_is_what_it_was(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reached from a copy of the state, it is the same as when all events until then are applied in order."""
    monkeypatch.setattr(module, "CHECKPOINT_EVENTS", every)
    tale = long_tale()
    timeline = told(tale)
    for time in (0.0, 0.005, 1.0, 3.7, 2.5, 20.0, timeline.end - 0.01, timeline.end, 1e6):
        state = ViewState()
        for number, event in enumerate(tale.events):
            if event.time <= time:
                state.apply(number, orjson.loads(encoded(event)))
        found = timeline.at(time)
        assert everything(found) == everything(state)
        assert found.versions["pose"] == state.versions["pose"]


def test_little_is_applied_to_get_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done for one moment of it is bounded, counted in events."""
    timeline, tale = Timeline(), Tale()
    tale.tell("program", "a", behavior="A", parameters={})
    for second in range(200):
        tale.say(f"a/{second % 7}", "planning-started", "planning-ended", "controlloop-started")
        tale.steps(100)
        tale.say(f"a/{second % 7}", "controlloop-ended", "task-successful", "task-complete")
    for frame in tale.frames():
        timeline.add(frame)
    applied: list[int] = []
    apply = view_state.ViewState.apply

    def counted(state: ViewState, number: int, event: Mapping[str, Any]) -> None:
        applied.append(number)
        apply(state, number, event)

    monkeypatch.setattr(view_state.ViewState, "apply", counted)
    for time in (1.0, 30.0, 137.5, 199.0):
        applied.clear()
        assert timeline.at(time).section("pose")["q"][0] == round(time * 100)
        assert len(applied) <= module.CHECKPOINT_EVENTS + 1


def test_steps_and_transitions_one_after_the_other() -> None:
    """For stepping through a recording."""
    timeline = told(pickup())
    assert timeline.next_step(0.0) == 0.01
    assert timeline.next_step(0.015) == 0.02
    assert timeline.next_step(1e6) == timeline.end
    assert timeline.next_transition(0.0) == 1.5
    assert timeline.next_transition(1.5) == timeline.end
    assert timeline.step_at(0.105) == 10


def test_a_series_has_few_points_of_the_whole() -> None:
    """Desired and true positions between two times, evenly chosen."""
    tale = Tale()
    tale.steps(2000)
    timeline = told(tale)
    series = timeline.series({"a": 0}, 0.0, 100.0)
    assert MOST_POINTS / 2 < len(series["time"]) <= MOST_POINTS
    assert series["joints"]["a"]["commanded"] == [value + 1 for value in series["joints"]["a"]["q"]]
    series = timeline.series({"a": 0, "b": 1}, 0.1, 0.12)
    assert series == {
        "time": [0.1, 0.11, 0.12],
        "joints": {
            "a": {"q": [10.0, 11.0, 12.0], "commanded": [11.0, 12.0, 13.0]},
            "b": {"q": [1.0] * 3, "commanded": [1.0] * 3},
        },
    }
    assert timeline.series({"a": 0}, 5.0, 1.0)["time"] == []


def test_rows_of_the_log() -> None:
    """Every event but steps, trees and maps; of goal messages only what is new."""
    tale = Tale()
    tale.tell("tree", "a", nodes=[])
    tale.tell("map", "a", size=0.1, cells=[])
    for _ in range(5):
        tale.steps(1)
        tale.say("gaze", "goal-failed")
    tale.say("gaze", "goal-achieved")
    rows = told(tale).rows.piece(0, 10)
    assert [row[-2] for row in rows] == ["goal-failed", "goal-achieved"]
    assert rows[1] == (1, 0.05, 5, "message", "gaze", "goal-achieved", "success")


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"time": 0}', b'"text"'])
def test_what_is_no_event_is_refused(body: bytes) -> None:
    """With a word; the timeline is as before."""
    timeline = Timeline()
    with pytest.raises(ValueError, match=r"."):
        timeline.add(Frame(EVENT, 1.0, "a", body))
    assert timeline.end == 0.0


def test_what_is_long_past_is_forgotten_when_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that goes on for days: what is kept is bounded, and later times are still reached."""
    monkeypatch.setattr(module, "CHECKPOINT_EVENTS", 10)
    monkeypatch.setattr(module, "EVENTS", 10_000)
    timeline, tale = Timeline(), Tale()
    for number in range(1000):
        tale.time = number * 0.1
        tale.say(f"a/{number}", "planning-started")
        timeline.add(framed(tale.events[-1]))
    assert timeline._size < 12_000
    assert sum(map(len, timeline._bodies)) == timeline._size
    assert len(timeline.at(99.85).section("machine")) == 999
    assert len(timeline.at(99.0).section("machine")) == 991
    timeline.at(0.0)  # the oldest that there is
