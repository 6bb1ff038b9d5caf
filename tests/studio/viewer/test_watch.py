from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from taskmatrix.studio.viewer.timeline import Timeline
from taskmatrix.studio.viewer.watch import NAMES, ROWS, Encoded, Watch

from .tales import Tale, framed, pickup


def watching(tale: Tale, live: bool = True) -> tuple[Timeline, Watch]:
    timeline = Timeline()
    for frame in tale.frames():
        timeline.add(frame)
    return timeline, Watch(timeline, lambda: (0, {"speed": 1.0}), Encoded(), live)


def told(watch: Watch) -> Mapping[str, Any] | None:
    text = watch.state()
    return None if text is None else orjson.loads(text)


def test_only_what_changed_is_sent() -> None:
    """Everything first; nothing where nothing has happened."""
    tale = pickup()
    timeline, watch = watching(tale)
    first = told(watch)
    assert first is not None
    assert set(first["sections"]) == {*NAMES, "run"}
    assert first["sections"]["run"]["speed"] == 1.0
    assert told(watch) is None
    tale.steps(1)
    timeline.add(framed(tale.events[-1]))
    watch.pass_time(0.0)
    second = told(watch)
    assert second is not None
    assert set(second["sections"]) == {"pose"}


def test_a_state_that_was_left_out_is_not_missed() -> None:
    """What changed twice between two messages is sent once, as it is now."""
    tale = pickup()
    timeline, watch = watching(tale)
    watch.state()
    begin = len(tale.events)
    for number in range(50):
        tale.say(f"pickup/{number}", "planning-started")
        tale.steps(1)
    for event in tale.events[begin:]:
        timeline.add(framed(event))
    watch.pass_time(0.0)
    state = told(watch)
    assert state is not None
    assert len(state["sections"]["machine"]) > 50
    assert state["time"] == timeline.end


def test_a_run_is_followed_and_a_recording_is_played() -> None:
    """Playing goes to the end and stands still there; at the end a recording begins anew."""
    timeline, watch = watching(pickup())
    watch.play(1.0)
    assert (watch.live, watch.speed) == (True, 0.0)
    watch.seek(1.0)
    watch.play(2.0)
    watch.pass_time(0.25)
    assert (watch.time, watch.live, watch.speed) == (1.5, False, 2.0)
    watch.pass_time(10.0)
    assert (watch.time, watch.speed) == (timeline.end, 0.0)
    watch.play(1.0)
    assert watch.live
    timeline, watch = watching(pickup(), live=False)
    watch.play(1.0)
    assert (watch.time, watch.speed) == (0.0, 1.0)
    watch.play(0.0)
    watch.pass_time(10.0)
    assert watch.time == 0.0
    watch.seek(1e6)
    assert watch.time == timeline.end
    watch.seek(-1.0)
    assert watch.time == 0.0


def test_the_log_comes_in_pieces() -> None:
    """A long run does not make one message of hundreds of megabytes."""
    tale = Tale()
    for number in range(ROWS + 5):
        tale.say(f"a/{number}", "planning-started")
    _, watch = watching(tale)
    sizes = []
    while (text := watch.log()) is not None:
        sizes.append(len(orjson.loads(text)["rows"]))
    assert sizes == [ROWS, 5]


def test_two_who_look_at_the_same_have_it_encoded_once() -> None:
    """Until one of them looks elsewhere."""
    encoded, calls = Encoded(), []

    def value() -> int:
        calls.append(1)
        return len(calls)

    assert encoded("a", 1, value) == encoded("a", 1, value) == b"1"
    assert encoded("b", 1, value) == b"2"
    assert encoded("a", 2, value) == b"3"
    assert len(calls) == 3
