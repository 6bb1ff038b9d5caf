"""Frequencies in real time, and whether they can be kept, known ahead."""

from __future__ import annotations

from typing import Any

import pytest

from taskmatrix.core import ActivationTree, Component, Event, Load, Part
from taskmatrix.core.trees.schedule import Demand, Schedule
from taskmatrix.testing import Bench

from .components import LateClock, real, told


class Player(Component):
    """Works at 30 Hz, and takes its time on the clock of the machine."""

    takes = 0.0
    clock: LateClock | None = None

    def work(self) -> None:
        if self.clock is not None:
            self.clock.time += self.takes


class Two(Component):
    """One that works often, and one that works rarely."""

    often, rarely = Part(Player, name="often", frequency=50.0), Part(Player, name="rarely", frequency=4.0)

    def act(self) -> None:
        self.often.step()
        self.rarely.step()


def run(takes: float, seconds: float, **arguments: Any) -> tuple[ActivationTree, list[Event]]:
    """A tree in real time, in which each turn of the frequent one takes so long [s]."""
    bench, events = Bench(), list[Event]()
    clock = real(bench)
    bench.context.events.subscribe(events.append)

    class Slow(Player):
        def started(self) -> None:
            self.clock, self.takes = clock, takes if self.name == "often" else 0.0

    tree = ActivationTree(Two(), instead={Player: Slow}, **arguments)
    bench.run(tree, timeout=seconds)
    return tree, events


def test_rates_are_kept_as_long_as_there_is_time() -> None:
    """Though steps take longer than the control step now and then: those after them catch up."""
    tree, _ = run(takes=0.014, seconds=10.0)
    for name, asked in (("often", 50.0), ("rarely", 4.0)):
        assert tree.loads[name].asked == asked
        assert tree.loads[name].rate == pytest.approx(asked, rel=0.01)
    assert tree.loads["often"].utilisation == pytest.approx(0.7, rel=0.02)


def test_beyond_that_all_of_them_slow_down_by_one_factor() -> None:
    """And how late they are is told; they are not skipped."""
    tree, _ = run(takes=0.030, seconds=20.0)
    for name, asked in (("often", 50.0), ("rarely", 4.0)):
        assert tree.loads[name].rate == pytest.approx(asked / 1.5, rel=0.05)
        assert 0.2 < tree.loads[name].latest < 0.3


def test_a_rate_is_that_of_when_it_was_active() -> None:
    """What nobody steps for a while does not count."""

    class Sometimes(Component):
        often = Part(Player, name="often", frequency=50.0)
        steps = 0

        def act(self) -> None:
            self.steps += 1
            if self.steps % 100 < 50:
                self.often.step()

    ticks = iter(range(100_000))
    tree = ActivationTree(Sometimes(), stopwatch=lambda: 1e-3 * next(ticks))
    Bench().run(tree, timeout=5.0)
    load = tree.loads["often"]
    assert load.rate == pytest.approx(50.0)
    assert load.active == pytest.approx(2.5, rel=0.03)


def test_what_cannot_be_met_is_known_before_it_starts() -> None:
    """More than there are control steps; more than there is time, with who takes the most of it."""
    first, events = run(takes=0.030, seconds=2.0)
    assert not [event for event in events if event.kind == "schedule"]
    (problem,) = first.schedule(0.01).problems
    assert problem.startswith("the components need 150% of the time, more than 80% of it; the most have 'often' 150%")
    assert (
        first.schedule(0.04).problems[0].startswith("'often' asks for 50 Hz, and there are 25 control steps a second")
    )
    _, events = run(takes=0.0, seconds=0.1, costs=first.loads)
    (event,) = (event for event in events if event.kind == "schedule")
    assert event.data["problems"] == (problem,)


def test_a_frequency_that_there_are_not_enough_steps_for_is_told_without_costs() -> None:
    """It works in every one."""
    bench, player = Bench(), Player(name="player")
    player.frequency = 200.0
    bench.run(ActivationTree(player), timeout=0.1)
    (event,) = told(bench, "schedule")
    assert event.data["problems"] == ("'player' asks for 200 Hz, and there are 100 control steps a second",)


def test_demands_add_up() -> None:
    """Shares of a core, and the longest cycle."""
    load = Load(works=10, busy=0.02, longest=0.004)
    components = {"player": Player(name="player"), "new": Player(name="new")}
    components["player"].frequency = 25.0
    schedule = Schedule.of(components, 0.01, {"player": load})
    assert schedule.demands == {"player": Demand(25.0, 0.002, 0.004), "new": Demand(100.0, 0.0, 0.0)}
    assert schedule.share == pytest.approx(0.05)
    assert schedule.longest == 0.004
    assert not schedule.problems
