"""What a running behavior can reach."""

from __future__ import annotations

import pytest

from taskmatrix.testing import Bench


def test_names_are_made_unique(bench: Bench) -> None:
    """Two behaviors of one run never share a name in the messages."""
    assert [bench.context.unique("reach") for _ in range(3)] == ["reach", "reach#2", "reach#3"]


@pytest.mark.parametrize(
    ("other", "same"), [((1, "a", 1), True), ((2, "a", 1), False), ((1, "b", 1), False), ((1, "a", 2), False)]
)
def test_random_numbers_depend_on_seed_source_and_run(other: tuple[int, str, int], same: bool) -> None:
    """And on nothing else."""
    seed, source, run = other
    first = Bench(seed=1).context.random("a", 1).integers(2**62, size=3)
    second = Bench(seed=seed).context.random(source, run).integers(2**62, size=3)
    assert (first == second).all() == same
