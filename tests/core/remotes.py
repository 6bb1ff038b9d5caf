"""A player in another process, and who has it as a part, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from taskmatrix.core import ActivationTree, Component, Event, Failure, FailureKind, Modulation, Part, Remote
from taskmatrix.testing import Bench, FakeNetwork

from .components import told


class Head(Component):
    """Is looked with."""

    pan = Modulation(float, default=0.0, maximum=1.5)
    seen = 0.0

    def work(self) -> None:
        self.seen = self.pan


class Player(Component):
    """Sees a ball, and kicks it."""

    speed = Modulation(float, default=0.1)
    goal = Modulation(str, default=None)
    head = Part(Head)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ball: tuple[float, float] | None = None
        self.line = np.zeros((2, 2))
        self.cycles = 0
        self.speeds: list[float] = []
        self.kicks: list[float] = []
        self.trouble = ""
        self.thing = object()

    def work(self) -> Failure | None:
        self.cycles += 1
        self.speeds = [*self.speeds[-50:], self.speed]
        if self.trouble:
            return self.fail(FailureKind.LOST_OBJECT, self.trouble, ball="ball")
        return None

    def act(self) -> None:
        self.head.step()

    def kick(self, power: float = 1.0) -> dict[str, float]:
        """Kick."""
        self.kicks.append(power)
        return {"power": power, "distance": 2.0 * power}

    def look(self, pan: float) -> None:
        """Look somewhere."""
        self.head.pan = pan

    def stumble(self) -> None:
        """Fail."""
        raise ZeroDivisionError("stumbled")

    def give(self) -> object:
        """Give what cannot be sent."""
        return self.thing


class Captain(Component):
    """Has the player as a part, and what it modulates in a cycle."""

    mate = Remote(Player, at="player-2", optional=True)
    wants: float | None = None
    steps = True

    def inform(self) -> None:
        if self.steps:
            self.mate.step()

    def work(self) -> None:
        if self.wants is not None:
            self.mate.speed = self.wants


class Pair:
    """Two benches on one network, one with a captain, one with the player."""

    def __init__(self, captain: Component | None = None, network: FakeNetwork | None = None) -> None:
        self.network = network or FakeNetwork()
        self.here = Bench(transport=self.network.process())
        self.there = Bench(transport=self.network.process())
        self.captain = captain or Captain()
        self.player = Player()
        self.near = ActivationTree(self.captain)
        self.far = ActivationTree(self.player, at="player-2")
        self._prepared = False

    @property
    def mate(self) -> Any:
        """The player, as the captain knows it."""
        return self.near.components["mate"]

    def run(self, cycles: int = 10) -> None:
        """Run both."""
        runs = (self.here, self.near), (self.there, self.far)
        self.network.run(*runs, cycles=cycles, prepare=not self._prepared)
        self._prepared = True

    def run_here(self, cycles: int) -> None:
        """Run the captain only."""
        self.network.run((self.here, self.near), cycles=cycles, prepare=not self._prepared)

    def events(self, what: str) -> list[Event]:
        """What was told here of the other process."""
        return [event for event in told(self.here, "remote") if event.data["what"] == what]

    def failures(self) -> list[str]:
        """What failed here."""
        return [event.data["failure"].message for event in told(self.here, "failure")]  # type: ignore[attr-defined]
