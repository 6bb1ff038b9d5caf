"""What components cost: how long each takes, how often and how late it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class Measured(Protocol):
    """What is asked of a component to measure it."""

    name: str
    """The only one in its tree."""

    @property
    def began(self) -> float:
        """[s] When it became active."""
        ...

    @property
    def stepped(self) -> int:
        """The last cycle in which it was active."""
        ...

    @property
    def frequency(self) -> float | None:
        """[Hz] At which it is to work; None: in every cycle."""
        ...


@dataclass
class Load:
    """Of one component, from when its tree started."""

    asked: float | None = None
    """[Hz] At which it is to work; None: in every cycle."""
    cycles: int = 0
    """In which it was active."""
    active: float = 0.0
    """[s] For which it was."""
    works: int = 0
    """How often it worked."""
    gaps: int = 0
    """How often it worked after it had worked before, active all the time."""
    span: float = 0.0
    """[s] Between those, summed up."""
    busy: float = 0.0
    """[s] Spent in it, without its parts."""
    longest: float = 0.0
    """[s] Spent in it in one cycle at most."""
    late: float = 0.0
    """[s] By which it worked late, summed up."""
    latest: float = 0.0
    """[s] By which it worked late at most."""

    @property
    def rate(self) -> float:
        """[Hz] At which it worked while it was active, in the mean; 0 unless it worked twice in a row."""
        return self.gaps / self.span if self.span > 0.0 else 0.0

    @property
    def mean(self) -> float:
        """[s] Spent in it for each time that it worked."""
        return self.busy / self.works if self.works else 0.0

    @property
    def utilisation(self) -> float:
        """The share of a core that it took while it was active."""
        return self.busy / self.active if self.active > 0.0 else 0.0


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
        self._last: dict[str, tuple[int, float]] = {}  # the cycle in which each was last active, and when that began
        self._worked: dict[str, float] = {}  # [s] when each worked last
        self.loads: dict[str, Load] = {}

    def enter(self) -> None:
        """A component gets the turn."""
        self._turns.append([self._now(), 0.0])

    def worked(self, component: Measured, when: float, late: float) -> None:
        """It works at ``when`` [s], and should have ``late`` [s] earlier."""
        load = self._load(component)
        load.asked = component.frequency
        if component.began < when and component.name in self._worked:
            load.gaps += 1
            load.span += when - self._worked[component.name]
        self._worked[component.name] = when
        load.works += 1
        load.late += max(late, 0.0)
        load.latest = max(load.latest, late)

    def leave(self, component: Measured, when: float) -> None:
        """It gives the turn back, in a cycle that began at ``when`` [s]."""
        began, parts = self._turns.pop()
        took = self._now() - began
        load = self._load(component)
        cycle, before = self._last.get(component.name, (component.stepped, when))
        load.active += when - before if cycle == component.stepped - 1 else 0.0
        self._last[component.name] = component.stepped, when
        load.cycles += 1
        load.busy += took - parts
        load.longest = max(load.longest, took - parts)
        if self._turns:
            self._turns[-1][1] += took

    def _load(self, component: Measured) -> Load:
        return self.loads.setdefault(component.name, Load())
