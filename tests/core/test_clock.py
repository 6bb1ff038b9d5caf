"""Simulated and real time."""

from __future__ import annotations

import pytest

from taskmatrix.core.base import clock as clock_module
from taskmatrix.core.base.clock import Clock, RealClock, SimulatedClock


def test_simulated_time_passes_only_when_told() -> None:
    """Sleeping jumps there at once, is never late, and never goes back."""
    clock: Clock = SimulatedClock()
    assert (clock.simulated, clock.now(), clock.now()) == (True, 0.0, 0.0)
    assert clock.sleep_until(2.5) == 0.0
    assert clock.now() == 2.5
    assert clock.sleep_until(1.0) == 0.0
    assert clock.now() == 2.5


class _Wall:
    """The two functions of the time module that the real clock uses, without waiting."""

    def __init__(self) -> None:
        self.time, self.slept = 100.0, 0.0

    def monotonic(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept += seconds
        self.time += seconds


def test_real_time_sleeps_for_what_is_left_and_tells_how_late_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts from its making, sleeps until the moment asked for, and does not sleep when that has passed."""
    wall = _Wall()
    monkeypatch.setattr(clock_module, "time", wall)
    clock: Clock = RealClock()
    assert (clock.simulated, clock.now()) == (False, 0.0)
    assert clock.sleep_until(0.25) == 0.0
    assert (wall.slept, clock.now()) == (0.25, 0.25)
    wall.time += 1.0
    assert clock.sleep_until(1.0) == pytest.approx(0.25)
    assert wall.slept == 0.25


def test_real_time_stands_still_while_it_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """For as long as it takes; held twice or let go twice is the same as once, and nothing is late afterwards."""
    wall = _Wall()
    monkeypatch.setattr(clock_module, "time", wall)
    clock = RealClock()
    wall.time += 1.0
    clock.hold()
    wall.time += 5.0
    clock.hold()
    assert clock.now() == 1.0
    clock.resume()
    clock.resume()
    assert clock.now() == 1.0
    wall.time += 0.5
    assert clock.now() == 1.5
    assert clock.sleep_until(2.0) == 0.0
    assert wall.slept == 0.5


def test_real_time_really_passes() -> None:
    """Without a fake under it, it moves on by itself."""
    clock = RealClock()
    before = clock.now()
    clock.sleep_until(before + 0.001)
    assert clock.now() >= before + 0.001
