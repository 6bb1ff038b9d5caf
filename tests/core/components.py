"""Components that tests share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taskmatrix.core import Component, Event, EventStream, Modulation, Part
from taskmatrix.testing import Bench


class LateClock:
    """Real time that passes as tests say."""

    simulated = False

    def __init__(self) -> None:
        self.time = self.late = 0.0

    def now(self) -> float:
        """[s]"""
        return self.time

    def sleep_until(self, when: float) -> float:
        """Be there, or late."""
        self.late = max(0.0, self.time - when)
        self.time = max(self.time, when)
        return self.late


def real(bench: Bench) -> LateClock:
    """Have a bench run in real time, by the clock that is returned."""
    clock = LateClock()
    object.__setattr__(bench.context, "clock", clock)
    object.__setattr__(bench.context, "events", EventStream(clock))
    return clock


def told(bench: Bench, kind: str) -> list[Event]:
    """Events of a kind, in order."""
    return [event for event in bench.events if event.kind == kind]


class Counter(Component):
    """Notes when it worked, and what it was told."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.worked: list[float] = []
        self.acted: list[float] = []
        self.said: list[str] = []

    def started(self) -> None:
        """Note it."""
        self.said.append("started")

    def work(self) -> None:
        """Note the time."""
        self.worked.append(self.context.clock.now())

    def act(self) -> None:
        """Note the time."""
        self.acted.append(self.context.clock.now())

    def stopped(self) -> None:
        """Note it."""
        self.said.append("stopped")


class Pan(Component):
    """Notes where it is asked to look."""

    pan = Modulation(float, default=0.0, minimum=-1.5, maximum=1.5, doc="[rad] to the left")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seen: list[float] = []

    def work(self) -> None:
        """Note it."""
        self.seen.append(self.pan)


class Left(Component):
    """Steps a counter."""

    counter = Part(Counter)

    def act(self) -> None:
        """Step it."""
        self.counter.step()


class Right(Left):
    """Steps the same."""


class Above(Component):
    """Steps both."""

    left, right = Part(Left), Part(Right)

    def act(self) -> None:
        """Step them."""
        self.left.step()
        self.right.step()


class Steps(Component):
    """Steps a counter in some cycles."""

    counter = Part(Counter)

    def __init__(self, on: Sequence[bool] = (True,), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.on = list(on)

    def act(self) -> None:
        """Step it, or not; at the end of the list go on as before."""
        if self.on[0]:
            self.counter.step()
        if len(self.on) > 1:
            self.on.pop(0)
