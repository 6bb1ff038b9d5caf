from __future__ import annotations

from typing import Any

import orjson
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Postural
from taskmatrix.core.base.events import Event
from taskmatrix.session.live.frames import Frame, kind_of
from taskmatrix.studio.recording import Recording
from taskmatrix.studio.viewer.replay import replayed
from taskmatrix.studio.viewer.timeline import Timeline


def shown(timeline: Timeline, time: float) -> Any:
    state = timeline.at(time)
    told = {name: state.section(name) for name in state.sections}
    return orjson.loads(orjson.dumps(told, option=orjson.OPT_NON_STR_KEYS))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recording, Timeline]:
    """A run as it was recorded, and as a viewer saw it live."""
    path, live = tmp_path_factory.mktemp("run") / "run.mcap", Timeline()
    with simulate("mannequin", seed=1) as session:

        def send(event: Event) -> None:
            live.add(Frame(kind_of(event.kind), event.time, event.source, session.encode(event)))

        session.record(path)
        session.events.subscribe(send)
        session.run(Postural(posture="ready"))
    return Recording.open(path), live


def test_a_recording_shows_what_the_run_did(recorded: tuple[Recording, Timeline]) -> None:
    """The same at every time, from the same bytes."""
    recording, live = recorded
    run = replayed(recording)
    assert run.timeline.end == live.end > 0.5
    for share in (0.0, 0.3, 0.71, 1.0):
        assert shown(run.timeline, share * live.end) == shown(live, share * live.end)
    assert run.timeline.rows.piece(0, 1000) == live.rows.piece(0, 1000)


def test_a_recording_says_what_it_is(recorded: tuple[Recording, Timeline]) -> None:
    """Nothing in it can be controlled."""
    run = replayed(recorded[0])
    assert (run.live, run.command) == (False, None)
    assert run.hello["header"]["robot"] == "mannequin"
    assert len(run.hello["joints"]) == len(shown(run.timeline, 0.0)["pose"]["q"])
