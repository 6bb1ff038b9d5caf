"""What differs between two recordings in words, the same on the terminal and in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from taskmatrix.core.base.failure import readable

from .comparison import Comparison, Divergence, Ending, ToldEvent


@dataclass(frozen=True)
class Difference:
    """One thing that differs, or that is said of both."""

    name: str
    """What it is."""
    first: str
    """What it is in the first recording."""
    second: str
    """What it is in the second; empty where it is said of both."""
    time: float | None = None
    """[s] When, if it begins at some time: the earlier of the two."""


def summary(comparison: Comparison) -> str:
    """How much two recordings have in common, in one sentence."""
    count, divergence = comparison.events[0], comparison.divergence
    if comparison.same:
        return f"The same run: all {count} messages and transitions at the same times, and the same motion."
    if divergence is not None and divergence.same == 0:
        return "Nothing is the same: the runs differ from their first message on."
    others = {"values": comparison.values, "times": comparison.late, "motions": comparison.motion}
    *most, last = [name for name, other in others.items() if other is not None] or [""]
    listed = f"{', '.join(most)} and {last}" if most else last
    with_other = f", with other {listed}" if listed else ""
    if divergence is None:
        return f"All {count} messages and transitions are the same{with_other}."
    return f"The first {divergence.same} messages and transitions are the same{with_other}; then the runs part."


def differences(comparison: Comparison) -> list[Difference]:
    """What differs, the most telling first: how they end, where they part, what was given."""
    return [*_course(comparison), *_given(comparison)]


def _course(comparison: Comparison) -> Iterator[Difference]:
    first, second = comparison.endings
    yield Difference("outcome", _outcome(first), _outcome(second))
    if comparison.divergence is not None:
        yield _divergence("they part", comparison.divergence)
    if comparison.values is not None:
        yield _divergence("other values from", comparison.values)
    if comparison.late is not None:
        yield _divergence("other times from", comparison.late)
    if not comparison.same_joints:
        yield Difference("motion", "other joints than the second", "other joints than the first")
    elif comparison.motion is not None:
        motion = comparison.motion
        unlike = f"{motion.joint} differs by {readable(motion.difference)} {motion.unit}"
        yield Difference("other motion from", f"{motion.time:.2f} s  {unlike}", "", motion.time)


def _given(comparison: Comparison) -> Iterator[Difference]:
    for name, (first, second) in comparison.settings.items():
        yield Difference(name.replace("_", " "), _value(first), _value(second))


def _divergence(name: str, divergence: Divergence) -> Difference:
    times = [told.time for told in (divergence.first, divergence.second) if told is not None]
    return Difference(name, _told(divergence.first), _told(divergence.second), min(times))


def _told(told: ToldEvent | None) -> str:
    return "nothing more" if told is None else f"{told.time:.2f} s  {told.source}: {told.text}"


def _outcome(ending: Ending) -> str:
    end = "" if ending.complete else "; the file breaks off"
    how = {True: "succeeded", False: f"failed: {ending.text}", None: ending.text}[ending.success]
    return f"{ending.duration:.2f} s, {ending.steps} control steps: {how}{end}"


def _value(value: Any) -> str:
    return str(value) if isinstance(value, (str, bool)) and value != "" else readable(value if value != "" else None)
