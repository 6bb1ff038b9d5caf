"""What components cost: how long each takes, how often and how late it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .component import Component


@dataclass
class Load:
    """Of one component, from when its tree started."""

    cycles: int = 0
    """In which it was active."""
    works: int = 0
    """How often it worked."""
    busy: float = 0.0
    """[s] Spent in it, without its parts."""
    longest: float = 0.0
    """[s] Spent in it in one cycle at most."""
    first: float = 0.0
    """[s] When it first worked."""
    last: float = 0.0
    """[s] When it last worked."""
    late: float = 0.0
    """[s] By which it worked late, summed up."""
    latest: float = 0.0
    """[s] By which it worked late at most."""

    @property
    def rate(self) -> float:
        """[Hz] At which it worked, in the mean; 0 unless it worked twice."""
        return (self.works - 1) / (self.last - self.first) if self.last > self.first else 0.0

    @property
    def mean(self) -> float:
        """[s] Spent in it for each time that it worked."""
        return self.busy / self.works if self.works else 0.0


class Stopwatch:
    """Measures the components of a tree.

    Args:
        now: A clock [s]: that of the run, or one of the machine's where the run's is simulated.

    Attributes:
        loads: By the name of a component.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._turns: list[list[float]] = []  # of those who have the turn: when it began, and what parts took of it
        self.loads: dict[str, Load] = {}

    def enter(self) -> None:
        """A component gets the turn."""
        self._turns.append([self._now(), 0.0])

    def worked(self, component: Component, when: float, late: float) -> None:
        """It works at ``when`` [s], and should have ``late`` [s] earlier."""
        load = self._load(component)
        if not load.works:
            load.first = when
        load.works += 1
        load.last = when
        load.late += max(late, 0.0)
        load.latest = max(load.latest, late)

    def leave(self, component: Component) -> None:
        """It gives the turn back."""
        began, parts = self._turns.pop()
        took = self._now() - began
        load = self._load(component)
        load.cycles += 1
        load.busy += took - parts
        load.longest = max(load.longest, took - parts)
        if self._turns:
            self._turns[-1][1] += took

    def _load(self, component: Component) -> Load:
        return self.loads.setdefault(component.name, Load())
