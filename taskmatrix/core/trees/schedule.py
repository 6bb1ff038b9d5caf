"""Whether what components ask for can be met, before they run: their frequencies, with what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..components.stopwatch import Load

if TYPE_CHECKING:
    from ..components.component import Component

MOST = 0.8  # of the time: the rest is for what else a control step does, and for steps that take longer than others
LARGEST = 3  # components that are named where all together ask for too much


@dataclass(frozen=True)
class Demand:
    """What one component asks for."""

    frequency: float
    """[Hz] At which it is to work; that of the control steps where it is to work in every one."""
    cost: float
    """[s] For each time that it works, in the mean; 0 where nothing has measured it."""
    longest: float
    """[s] In one cycle at most; likewise."""

    @property
    def share(self) -> float:
        """Share of a processor core that it takes."""
        return self.frequency * self.cost


@dataclass(frozen=True)
class Schedule:
    """What the components of a tree ask for, were all of them active at once."""

    dt: float
    """[s] The control step."""
    demands: Mapping[str, Demand]
    """By the names of the components."""

    @classmethod
    def of(cls, components: Mapping[str, Component], dt: float, costs: Mapping[str, Load]) -> Schedule:
        """Of components, with control steps of ``dt`` [s] and what they cost in an earlier run."""
        none = Load()
        demands = {}
        for name, component in components.items():
            load = costs.get(name, none)
            demands[name] = Demand(component.frequency or 1.0 / dt, load.mean, load.longest)
        return cls(dt, demands)

    @property
    def share(self) -> float:
        """Share of a processor core that all demands take together."""
        return sum(demand.share for demand in self.demands.values())

    @property
    def longest(self) -> float:
        """[s] Of a cycle in which all of them take as long as they ever did: there steps may be late for a while."""
        return sum(demand.longest for demand in self.demands.values())

    @property
    def problems(self) -> tuple[str, ...]:
        """What cannot be met, and by how much; empty if all of it can."""
        steps = 1.0 / self.dt
        found = [
            f"'{name}' asks for {demand.frequency:g} Hz, and there are {steps:g} control steps a second"
            for name, demand in self.demands.items()
            if demand.frequency > steps * (1.0 + 1e-9)
        ]
        if self.share > MOST:
            largest = sorted(self.demands.items(), key=lambda item: -item[1].share)[:LARGEST]
            told = ", ".join(f"'{name}' {demand.share:.0%}" for name, demand in largest)
            found.append(
                f"the components need {self.share:.0%} of the time, more than {MOST:.0%} of it; the most have {told}"
            )
        return tuple(found)
