"""How sure a rate is, and how many more runs would make it surer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .case import Case
from .matrix import Cell

CONFIDENCE = 0.95


def interval(successes: int, runs: int) -> tuple[float, float]:
    """Wilson's interval of a rate, with 95 % confidence; from 0 to 1 if nothing was run."""
    if not runs:
        return 0.0, 1.0
    from scipy.stats import binomtest  # noqa: PLC0415 - takes most of a second to load

    found = binomtest(successes, runs).proportion_ci(CONFIDENCE, method="wilson")
    return float(found.low), float(found.high)


def width(successes: int, runs: int) -> float:
    """Half the width of the interval."""
    low, high = interval(successes, runs)
    return (high - low) / 2.0


def runs_for(cell: Cell, precision: float) -> int:
    """How many runs make half the interval of a cell as narrow as that, if its rate stays; at most twice those it has.

    Doubling asks anew before it is too late: a rate from few runs is a guess.
    """
    runs = len(cell.results)
    if cell.not_able or width(cell.successes, runs) <= precision:
        return runs
    few, many = runs, 2 * runs
    while many - few > 1:
        between = (few + many) // 2
        few, many = (few, between) if width(round(cell.rate * between), between) <= precision else (between, many)
    return many


def more_cases(cells: Iterable[Cell], cases: Sequence[Case], precision: float) -> list[Case]:
    """The cases that cells need besides, with the seeds that follow; nothing if all are sure enough.

    Args:
        cells: With a result of every case.
        cases: Of these cells.
        precision: Half the width of an interval, at most.
    """
    seeds: dict[tuple[str, str, str], Case] = {}
    for case in cases:
        if case.cell not in seeds or seeds[case.cell].seed < case.seed:
            seeds[case.cell] = case
    found = []
    for cell in cells:
        last = seeds[cell.behavior, cell.robot, cell.world]
        more = runs_for(cell, precision) - len(cell.results)
        found += [replace(last, seed=last.seed + 1 + k) for k in range(more)]
    return sorted(found, key=lambda case: case.seed)
