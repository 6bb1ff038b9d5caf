"""Random numbers of behaviors: the same seed gives the same run."""

from __future__ import annotations

import pytest

from taskmatrix.core import (
    TaskBehavior,
)
from taskmatrix.testing import Bench

from .samples import Each, Probe


def drawn(seed: int, runs: int = 1, name: str | None = None) -> list[int]:
    bench, probe = Bench(seed=seed), Probe(planning=True, name=name)
    for _ in range(runs):
        bench.run(probe)
    return bench.skills.seeds


def test_the_same_seed_draws_the_same_numbers() -> None:
    """They depend on the seed, the name and the number of the run."""
    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert drawn(1) != drawn(1, name="other")
    first, second = drawn(1, runs=2)
    assert first != second


def test_one_run_draws_from_one_generator(bench: Bench) -> None:
    """Numbers drawn in different steps differ."""
    numbers: list[float] = []

    class Dice(TaskBehavior):
        def step(self) -> bool:
            numbers.append(self.random.random())
            return len(numbers) == 10

    bench.run(Dice())
    assert len(set(numbers)) == 10


@pytest.mark.parametrize("earlier", [1, 5])
def test_a_run_draws_the_same_whatever_the_one_before_drew(bench: Bench, earlier: int) -> None:
    """Each run begins with a generator of its own."""
    numbers: list[float] = []

    def dice(behavior: TaskBehavior) -> bool:
        numbers.append(behavior.random.random())
        return len(numbers) >= earlier

    behavior = Each(dice, name="dice")
    bench.run(behavior)
    bench.run(behavior)
    assert numbers[-1] == bench.context.random("dice", 2).random()


def test_the_same_run_tells_the_same_events() -> None:
    """Bit for bit."""

    def story() -> list[str]:
        bench = Bench(seed=3)
        bench.run(Probe(chain="left_arm", planning=True, steps=20))
        return [event.to_json() for event in bench.events]

    assert story() == story()


def test_in_another_session_a_behavior_draws_as_if_it_were_new() -> None:
    """Same seed, same run, also for an object that was used before."""
    used, fresh = Probe(), Probe()
    Bench(seed=3).run(used)
    Bench(seed=3).run(used)
    Bench(seed=3).run(fresh)
    assert used.drawn == fresh.drawn


def test_a_fresh_instance_draws_what_the_one_before_it_did_not() -> None:
    """As the same instance does when it runs again; and another session with the same seed draws the same."""

    class Draws(TaskBehavior):
        def step(self) -> bool:
            numbers.append(int(self.random.integers(2**62)))
            return True

    numbers: list[int] = []
    once, again, other = Draws(), Bench(seed=1), Bench(seed=1)
    for behavior in (once, once, Draws()):
        assert again.run(behavior).success
    for _ in range(3):
        assert other.run(Draws()).success
    assert len(set(numbers[:3])) == 3
    assert numbers[:3] == numbers[3:]
