"""Components that tests share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taskmatrix.core import Component, Event, Modulation, Part
from taskmatrix.testing import Bench


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
