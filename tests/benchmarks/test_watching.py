"""The benchmark of the viewer measures what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
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


@pytest.mark.slow
def test_the_report(tmp_path: Path) -> None:
    """A share of the loop, updates that arrive, and the time to any moment."""
    out = tmp_path / "watching.json"
    watching.bench(rounds=1, seconds=0.5, minutes=0.05, case=["mannequin"], out=out)
    report = json.loads(out.read_text())
    cost = report["cost"]["mannequin"]
    assert 0.0 < cost["viewer"] < cost["loop"]
    assert cost["share"] == pytest.approx(cost["viewer"] / cost["loop"])
    for row in report["updates"].values():
        assert row["updates"] > 0.0
        assert row["possible"] > 0.0
    assert report["seek"] > 0.0
