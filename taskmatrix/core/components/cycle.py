"""What the components of a tree share while a cycle runs, and what is left of it as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from ..base.clock import Clock
from .stopwatch import Measured, Stopwatch


class Stepped(Measured, Protocol):
    """What is asked of a component to tell what it did."""

    modulations: dict[str, Any]
    """What its parents ask of it."""

    @property
    def state(self) -> str:
        """``active``, ``achieved`` or ``failed``; or its mode."""
        ...

    @property
    def frequency(self) -> float | None:
        """[Hz] At which it works; None: in every cycle."""
        ...


C = TypeVar("C", bound=Stepped)


@dataclass(frozen=True)
class Node:
    """A component that was active in a cycle."""

    name: str
    """Its name, the only one in its tree."""
    depth: int
    """How many components are above it, on the way on which it was first stepped; 0 for the root."""
    parents: tuple[str, ...]
    """Who stepped it, in order."""
    state: str
    """``active``, ``achieved`` or ``failed``; or its mode."""
    since: float
    """[s] When it became active, on the clock of the run."""
    modulations: Mapping[str, Any]
    """What its parents asked of it, those that stand at their defaults too."""
    frequency: float | None = None
    """[Hz] At which it works; None: in every cycle."""


class Cycle(Generic[C]):
    """The present cycle of a tree.

    Attributes:
        number: Of the cycle, from 0.
        now: [s] When it began.
        time: [s] Of the cycles before it as they should be: control steps that come late are caught up on.
        late: [s] By which it began late.
        current: The component that has the turn.
        depth: How many are above the next one that is stepped.
        entries: A component, who stepped it and its depth, for every step of the cycle in order.
        changed: Whether a component started, stopped, failed or changed its state.
        watch: What measures the components, if anything does.
    """

    def __init__(self, watch: Stopwatch | None = None) -> None:
        self.number = 0
        self.now = self.time = self.late = 0.0
        self.current: C | None = None
        self.depth = 0
        self.entries: list[tuple[C, C | None, int]] = []
        self.changed = False
        self.watch = watch

    def begin(self, clock: Clock, dt: float) -> list[tuple[C, C | None, int]]:
        """Begin the next cycle, a control step of ``dt`` [s], and return the entries of the last."""
        last, self.entries = self.entries, []
        self.time = self.number * dt
        self.number += 1
        self.now, self.late, self.current, self.depth = clock.now(), clock.late, None, 0
        return last

    def nodes(self) -> tuple[Node, ...]:
        """The activation tree: who was active, in the order of their first steps."""
        found: dict[C, tuple[int, list[str]]] = {}
        for component, above, depth in self.entries:
            parents = found.setdefault(component, (depth, []))[1]
            if above is not None and above.name not in parents:
                parents.append(above.name)
        return tuple(
            Node(each.name, depth, tuple(parents), each.state, each.began, dict(each.modulations), each.frequency)
            for each, (depth, parents) in found.items()
        )

    def way(self) -> str:
        """From the root down to who has the turn: ``player > follow-ball > body``."""
        names: list[str] = []
        at = self.current
        while at is not None:
            names.append(at.name)
            at = next((above for each, above, _ in self.entries if each is at), None)
        return " > ".join(reversed(names))
