"""Machines for tests, and what is told of them."""

from __future__ import annotations

from taskmatrix.core import (
    Machine,
    Parameter,
    State,
    on,
    start,
)
from taskmatrix.testing import Bench

from .samples import Finder, Probe


def starts(bench: Bench) -> list[str]:
    """Who began a run, in order."""
    return [text.split()[0] for text in bench.messages() if text.endswith(" planning-started")]


def ended(bench: Bench, source: str) -> str:
    """The last but one message of a behavior: how it ended."""
    return bench.messages(source)[-2]


class Chain(Machine):
    """One state after the other."""

    first = State(Probe)
    second = State(Probe, final=True)

    transitions = (start(first), on(first.task_successful, start=second))


class Race(Machine):
    """Two states at once."""

    slow = State(Probe, steps=3, chain="left_arm")
    quick = State(Probe, steps=2, chain="right_arm")
    end = State(Probe, final=True)

    transitions = (start(slow, quick), on(slow.task_successful, start=end))


class Wired(Machine):
    """A machine's parameter to one state, and what that finds to the next."""

    value = Parameter(int, default=5)

    find = State(Finder, value=value)
    use = State(Probe, number=find.found, steps=2, final=True)

    transitions = (start(find), on(find.task_successful, start=use))


class Outer(Machine):
    """A machine as a state of a machine."""

    inner = State(Chain)
    after = State(Probe, final=True)

    transitions = (start(inner), on(inner.task_successful, start=after))
