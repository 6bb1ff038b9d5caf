"""What one viewer has been shown, and at which time it looks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import orjson

from .timeline import Timeline

ROWS = 2000  # in one message
NAMES = (
    *("pose", "program", "machine", "tree", "chains", "conditions"),
    *("parameters", "plan", "failures", "map", "objects"),
)
PLAIN = orjson.OPT_NON_STR_KEYS


class Encoded:
    """Sections as JSON, encoded once for all viewers that look at the same."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Hashable, bytes]] = {}

    def __call__(self, name: str, version: Hashable, value: Callable[[], Any]) -> bytes:
        """The JSON of a section in a version."""
        kept = self._kept.get(name)
        if kept is None or kept[0] != version:
            kept = self._kept[name] = (version, orjson.dumps(value(), option=PLAIN))
        return kept[1]


class Watch:
    """One viewer's own time, and what it has been sent.

    A viewer is sent what it does not have yet, whenever it can take it: one that is slow gets fewer states.

    Args:
        timeline: The run.
        run: What the section ``run`` says beyond the events, with its version.
        encoded: Shared by all viewers.
        live: Whether the run goes on: it begins at the end and follows it. Of a recording it stands there.

    Attributes:
        time: [s] At which it looks.
        live: Whether it follows the end.
        speed: [s/s] Of playing; 0 stands still.
    """

    def __init__(
        self, timeline: Timeline, run: Callable[[], tuple[Hashable, Mapping[str, Any]]], encoded: Encoded, live: bool
    ) -> None:
        self._timeline, self._run, self._encoded = timeline, run, encoded
        self.time, self.live, self.speed = timeline.end, live, 0.0
        self._recorded = not live
        self._row = 0
        self._sent: dict[str, Hashable] = {}
        self._told: tuple[float, float, bool, float] | None = None

    def seek(self, time: float) -> None:
        """Look at a time [s], and stand still there."""
        self.time, self.live, self.speed = min(max(time, 0.0), self._timeline.end), False, 0.0

    def follow(self) -> None:
        """Look at the end, and stay there."""
        self.time, self.live, self.speed = self._timeline.end, True, 0.0

    def play(self, speed: float) -> None:
        """Let time pass with a speed [s/s]; 0 stands still. At its end a recording begins anew, a run is followed."""
        at_end = self.time >= self._timeline.end
        if speed and at_end and not self._recorded:
            self.follow()
            return
        if speed and at_end:
            self.time = 0.0
        self.speed, self.live = speed, False

    def pass_time(self, seconds: float) -> None:
        """Have some time of the viewer's pass."""
        end = self._timeline.end
        if self.live:
            self.time = end
        elif self.speed:
            self.time = min(self.time + seconds * self.speed, end)
            if self.time >= end:
                self.speed = 0.0

    def state(self) -> bytes | None:
        """The next message ``state``, with the sections that changed; None if nothing has."""
        state = self._timeline.at(self.time)
        version, run = self._run()
        changed = {}
        for name in NAMES:
            if self._sent.get(name) != state.versions[name]:
                changed[name] = self._encoded(name, state.versions[name], lambda name=name: state.section(name))  # type: ignore[misc]
                self._sent[name] = state.versions[name]
        run_version = (version, state.versions["run"])
        if self._sent.get("run") != run_version:
            changed["run"] = self._encoded("run", run_version, lambda: {**state.sections["run"], **run})
            self._sent["run"] = run_version
        told = (self.time, self._timeline.end, self.live, self.speed)
        if not changed and told == self._told:
            return None
        self._told = told
        head = {
            "type": "state",
            "time": self.time,
            "step": self._timeline.step_at(self.time),
            "end": self._timeline.end,
            "live": self.live,
            "playing": self.speed or None,
            "sections": {name: orjson.Fragment(text) for name, text in changed.items()},
        }
        return orjson.dumps(head)

    def log(self) -> bytes | None:
        """The next message ``log``; None if it has all rows."""
        rows = self._timeline.rows.piece(self._row, ROWS)
        if not rows:
            return None
        self._row = rows[-1][0] + 1
        return orjson.dumps({"type": "log", "first": rows[0][0], "rows": rows})
