"""The benchmark of the viewer measures what it says."""

from __future__ import annotations

import watching

from taskmatrix.session.live.frames import Frame, kind_of
from taskmatrix.session.recording import Encoder
from taskmatrix.studio.viewer.timeline import Timeline


def test_everything_changes_between_two_updates() -> None:
    """Every state and every component of the large programs."""
    timeline, encode = Timeline(), Encoder()
    seen = []
    for turn in range(2):
        for step in range(3 * turn, 3 * turn + 3):
            for event in (*watching.machine(step), *watching.tree(step), *watching.steps(step)):
                timeline.add(Frame(kind_of(event.kind), event.time, event.source, encode(event)))
        state = timeline.at(timeline.end)
        seen.append((state.section("machine"), {node["name"]: node for node in state.section("tree")}))
    for (before, after), count in zip(zip(*seen, strict=True), (watching.STATES, watching.COMPONENTS), strict=True):
        assert len(before) == len(after) == count
        assert all(before[name] != after[name] for name in before)
