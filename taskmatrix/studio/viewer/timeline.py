"""A run as it was told, of which every moment can be seen again."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

import orjson

from taskmatrix.session.event_text import RepeatFilter
from taskmatrix.session.live.frames import EVENT, LAST_MATTERS, STEP, TREE, Frame

from .log_rows import LogRows
from .track import Track
from .view_state import ViewState

CHECKPOINT_EVENTS = 300  # between two copies of the state
STEPS, TREES, MAPS, EVENTS = 256_000_000, 128_000_000, 64_000_000, 128_000_000  # [bytes] kept of each, at most
MOST_POINTS = 600  # of a series


class Timeline:
    """Keeps the events of a run and the state of the view now and then; reaches any time from the copy before it.

    Steps, trees and maps are complete in themselves: of those the last one before a time is looked up, all others are
    applied in order.

    Attributes:
        rows: The log.
        end: [s] The latest time.
        state: What is to be seen at the end, without pose, trees and map.
    """

    def __init__(self) -> None:
        self.rows = LogRows()
        self.end = 0.0
        self.state = ViewState()
        self._count = 0
        self._repeats = RepeatFilter()
        self._steps, self._maps = Track(STEPS), Track(MAPS)
        self._trees: dict[str, Track] = {}
        self._numbers: list[int] = []
        self._times: list[float] = []
        self._bodies: list[bytes] = []
        self._checkpoints: list[tuple[int, ViewState]] = [(0, ViewState())]
        self._size = 0
        self._latest = (-1, ViewState())

    @property
    def steps(self) -> Sequence[float]:
        """[s] Of the control steps that are kept."""
        return self._steps.times

    def add(self, frame: Frame) -> None:
        """Take in an event.

        Raises:
            ValueError: It is not one: no JSON, or something is missing.
        """
        number, self._count = self._count, self._count + 1
        if frame.kind in LAST_MATTERS:
            self._track(frame).add(number, frame.time, frame.body)
        elif frame.kind == EVENT:
            event = decoded(frame.body)
            if not self._repeats(event["kind"], event["source"], event["data"]):
                return
            self.state.apply(number, event)
            self.rows.add(event)
            self._numbers.append(number)
            self._times.append(frame.time)
            self._bodies.append(frame.body)
            self._size += len(frame.body)
            if len(self._bodies) - self._checkpoints[-1][0] >= CHECKPOINT_EVENTS:
                self._checkpoints.append((len(self._bodies), self.state.copy()))
                if self._size > EVENTS:
                    self._forget()
        self.end = max(self.end, frame.time)

    def _track(self, frame: Frame) -> Track:
        if frame.kind == TREE:
            return self._trees.setdefault(frame.source, Track(TREES))
        return self._steps if frame.kind == STEP else self._maps

    def at(self, time: float) -> ViewState:
        """What is to be seen at a time [s]; what happened at that very time is seen. It is not to be changed."""
        if time >= self.end:
            if self._latest[0] != self._count:
                self._latest = (self._count, self.state.copy())
                self._complete(self._latest[1], time)
            return self._latest[1]
        last = bisect_right(self._times, time)
        begin, before = self._checkpoints[max(bisect_right(self._checkpoints, last, key=itemgetter(0)) - 1, 0)]
        state = before.copy()
        for index in range(begin, last):
            state.apply(self._numbers[index], orjson.loads(self._bodies[index]))
        self._complete(state, time)
        return state

    def step_at(self, time: float) -> int:
        """Number of the control step at a time [s]; 0 before the first."""
        index = self._steps.until(time)
        return int(orjson.loads(self._steps.at(index - 1)[1])["step"]) if index else 0

    def next_step(self, time: float) -> float:
        """[s] Of the first control step after a time, or the end."""
        index = self._steps.until(time)
        return self._steps.times[index] if index < len(self._steps) else self.end

    def next_transition(self, time: float) -> float:
        """[s] Of the first transition after a time, or the end."""
        for index in range(bisect_right(self._times, time), len(self._times)):
            if b'"transition"' in self._bodies[index] and decoded(self._bodies[index])["kind"] == "transition":
                return self._times[index]
        return self.end

    def series(self, joints: Mapping[str, int], begin: float, end: float) -> dict[str, Any]:
        """Desired and true positions [m, rad] of joints between two times [s], for a plot.

        Args:
            joints: Index into ``q`` by name.
            begin: [s]
            end: [s]

        Returns:
            ``time`` (k,) [s], and ``joints``: positions ``q`` (k,) and ``commanded`` (k,) by name; k is at most 600.
        """
        first, last = self._steps.until(math.nextafter(begin, -math.inf)), self._steps.until(end)
        stride = max(math.ceil((last - first) / MOST_POINTS), 1)
        chosen = range(first, last, stride)
        found = [orjson.loads(self._steps.at(index)[1])["data"] for index in chosen]
        told = [data.get("commanded") or data["q"] for data in found]
        return {
            "time": [self._steps.times[index] for index in chosen],
            "joints": {
                name: {"q": [data["q"][index] for data in found], "commanded": [q[index] for q in told]}
                for name, index in joints.items()
            },
        }

    def _complete(self, state: ViewState, time: float) -> None:
        """Add pose, trees and map."""
        for track in (self._steps, self._maps):
            self._apply_last(state, track, time)
        for source, track in self._trees.items():
            index = track.until(time)
            if index and track.at(index - 1)[0] > max(state.ended.get(source, -1), state.versions["program"]):
                self._apply_last(state, track, time)

    def _apply_last(self, state: ViewState, track: Track, time: float) -> None:
        index = track.until(time)
        if index:
            number, body = track.at(index - 1)
            state.apply(number, decoded(body))

    def _forget(self) -> None:
        """Forget the older half of what is not kept in tracks; before that nothing can be seen any more."""
        middle = self._checkpoints[len(self._checkpoints) // 2 :]
        gone = middle[0][0]
        self._size -= sum(map(len, self._bodies[:gone]))
        for values in (self._numbers, self._times, self._bodies):
            del values[:gone]
        self._checkpoints = [(index - gone, state) for index, state in middle]


def decoded(body: bytes) -> dict[str, Any]:
    """An event from its JSON.

    Raises:
        ValueError: It is not one: no JSON, or something is missing.
    """
    event = orjson.loads(body)
    if not isinstance(event, dict) or not {"time", "step", "kind", "source", "data"} <= event.keys():
        raise ValueError("not an event: time, step, kind, source or data is missing")
    return event
