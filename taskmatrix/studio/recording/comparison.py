"""Where two recordings differ: in what they were told, in what happened, in how they moved, and in how they ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

from taskmatrix.session.event_text import GOAL_MESSAGES, event_text, explained

from .recording_reader import Recording

KINDS = ("message", "transition", "outcome")
"""Of the events that are compared one by one."""
SAME = 1e-9
"""[s], [m], [rad] What differs by no more is the same."""
UNVALUED = {"message", "failure"}
"""In a message, no parameter."""
UNTOLD = ("format", "command", "packages", "truth", "q")
"""In the header, of no consequence for the run."""


@dataclass(frozen=True)
class ToldEvent:
    """An event that is compared."""

    event: int
    """Its number in the recording."""
    time: float
    """[s]"""
    source: str
    """Who told it."""
    text: str
    """What, in words."""
    values: Mapping[str, Any]
    """Of the parameters that it sets."""


@dataclass(frozen=True)
class Divergence:
    """Where the messages and transitions of two runs part."""

    same: int
    """How many events before are the same in both."""
    first: ToldEvent | None
    """What came then in the first; None where it has no more."""
    second: ToldEvent | None
    """What came in the second."""


@dataclass(frozen=True)
class MotionDifference:
    """Where two robots of the same joints begin to stand otherwise, or to be told to."""

    time: float
    """[s] Of the first control step in which they do."""
    joint: str
    """That differs most in it."""
    difference: float
    """By how much."""
    unit: str
    """Of that: m or rad."""


@dataclass(frozen=True)
class Ending:
    """How a recording ends."""

    success: bool | None
    """Of its last run; None where that has no outcome."""
    text: str
    """The outcome in words."""
    duration: float
    """[s] Of all that is recorded."""
    steps: int
    """Control steps."""
    complete: bool
    """Whether the file ends as it should; else its process died."""


@dataclass(frozen=True)
class Comparison:
    """What two recordings have in common and what not."""

    names: tuple[str, str]
    """Of the files."""
    settings: Mapping[str, tuple[Any, Any]]
    """What differs in the headers, by name, and ``runs``, the behaviors; None where one has no such setting."""
    events: tuple[int, int]
    """How many messages, transitions and outcomes there are."""
    divergence: Divergence | None
    """None where the same is told in the same order from beginning to end."""
    values: Divergence | None
    """The first of the same events that tells of another value, such as that of a parameter; None where none does."""
    late: Divergence | None
    """The first of the same events that is not told at the same time; None where all are."""
    motion: MotionDifference | None
    """None where all control steps are the same, as far as both go, or the robots have other joints."""
    same_joints: bool
    """Whether the motions can be compared."""
    endings: tuple[Ending, Ending]
    """How they end."""

    @property
    def same(self) -> bool:
        """Whether nothing differs of what happened."""
        steps = {ending.steps for ending in self.endings}
        return self.same_joints and len(steps) == 1 and not (self.divergence or self.values or self.late or self.motion)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {**asdict(self), "same": self.same}


def compare(first: Recording, second: Recording) -> Comparison:
    """Compare two recordings.

    Messages, transitions and outcomes are compared in their order, by who told them and what, and only then by their
    values and by when: with another seed the same often happens a little later, with the other hand. Of failures the
    kinds and places count, not the numbers in them. Whether the goal of a recurrent task is achieved, which is told in
    every control step, is left out.
    """
    told = [list(_told(first)), list(_told(second))]
    divergence, values, late = None, None, None
    for number, (a, b) in enumerate(zip_longest(*told)):
        if a is None or b is None or a[0] != b[0]:
            divergence = Divergence(number, a and a[1], b and b[1])
            break
        if values is None and a[1].values != b[1].values:
            values = Divergence(number, a[1], b[1])
        if late is None and abs(a[1].time - b[1].time) > SAME:
            late = Divergence(number, a[1], b[1])
    same_joints = first.joints == second.joints
    return Comparison(
        names=(first.path.name, second.path.name),
        settings=_settings(_given(first), _given(second)),
        events=(len(told[0]), len(told[1])),
        divergence=divergence,
        values=values,
        late=late,
        motion=_motion(first, second) if same_joints else None,
        same_joints=same_joints,
        endings=(_ending(first), _ending(second)),
    )


def _told(recording: Recording) -> Iterator[tuple[object, ToldEvent]]:
    """The events that are compared, each with what makes it the same as another."""
    for number, kind in enumerate(recording.kinds):
        if kind not in KINDS:
            continue
        event = recording[number]
        source, data = event["source"], event["data"]
        if data.get("message") in GOAL_MESSAGES:
            continue
        failure, said, values = data.get("failure"), event_text(kind, data).text, dict[str, Any]()
        what, text = said, said
        if kind == "outcome":
            what = "success" if data.get("success") else "failure"
        elif kind == "message":
            what, values = data["message"], {key: data[key] for key in data.keys() - UNVALUED}
            text = f"{said}: {explained(failure)}" if failure else said
        yield (kind, source, what, _nature(failure)), ToldEvent(number, event["time"], source, text, values)


def _nature(failure: Mapping[str, Any] | None) -> tuple[tuple[str, str], ...]:
    """Kinds and places of a failure and its causes."""
    if not failure:
        return ()
    return ((str(failure.get("kind")), str(failure.get("where"))), *_nature(failure.get("cause")))


def _given(recording: Recording) -> dict[str, Any]:
    """Everything that a recording says it was made with, versions of packages each by its own name."""
    header = recording.header
    runs = [event_text("program", event["data"]).text for event in recording.events("program")]
    given = {**header, **header.get("packages", {}), "runs": ", ".join(runs)}
    return {key: value for key, value in given.items() if key not in UNTOLD}


def _settings(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Settings that differ, by name."""
    pairs = {key: (first.get(key), second.get(key)) for key in {**first, **second}}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def _motion(first: Recording, second: Recording) -> MotionDifference | None:
    """The first control step that is another one, in where the joints are or in where they are told to be."""
    count = min(len(first.steps.times), len(second.steps.times))
    if not count:
        return None
    a, b = first.steps, second.steps
    apart = np.maximum(np.abs(a.q[:count] - b.q[:count]), np.abs(a.commanded[:count] - b.commanded[:count]))
    others = np.flatnonzero((apart > SAME).any(axis=1))
    if not len(others):
        return None
    step = int(others[0])
    joint = int(apart[step].argmax())
    kinds = {each["q"]: each["type"] for each in first.scene["robot"].get("joints", ())}
    unit = "m" if kinds.get(joint) == "prismatic" else "rad"
    return MotionDifference(float(first.steps.times[step]), first.joints[joint], float(apart[step, joint]), unit)


def _ending(recording: Recording) -> Ending:
    last = next(
        (number for number in reversed(range(len(recording))) if recording.kinds[number] in ("outcome", "run")), -1
    )
    data = recording[last]["data"] if last >= 0 and recording.kinds[last] == "outcome" else None
    success = None if data is None else bool(data.get("success"))
    text = "no outcome" if data is None else "success" if success else explained(data.get("failure"))
    return Ending(success, text, recording.duration, recording.kinds.count("step"), not recording.truncated)
