"""Intervals of rates, and the seeds that make them narrow."""

from __future__ import annotations

import pytest

from taskmatrix.studio.validation import Case, Matrix, Result
from taskmatrix.studio.validation.precision import interval, more_cases, runs_for, width


def cell_cases(behavior: str, runs: int) -> list[Case]:
    return [Case(behavior, "robot", "world", seed) for seed in range(runs)]


def results(cases: list[Case], failures: int) -> list[Result]:
    return [Result(case, "failure" if case.seed < failures else "success") for case in cases]


def test_the_interval_is_wilsons() -> None:
    """Of 20 of 20 as in tables; of nothing it is all."""
    assert interval(20, 20) == pytest.approx((0.8389, 1.0), abs=1e-4)
    assert interval(0, 0) == (0.0, 1.0)


def test_only_cells_that_are_not_sure_enough_get_more_seeds() -> None:
    """Those that follow; a cell that is not able gets none."""
    sure, wide, unable = cell_cases("sure", 60), cell_cases("wide", 20), cell_cases("unable", 5)
    found = [*results(sure, 0), *results(wide, 10), *(Result(case, "not able") for case in unable)]
    more = more_cases(Matrix(tuple(found)).cells, [*sure, *wide, *unable], 0.05)
    assert {case.behavior for case in more} == {"wide"}
    assert [case.seed for case in more] == list(range(20, 40))


def test_the_next_round_is_as_small_as_is_enough() -> None:
    """If the rate stays."""
    (cell,) = Matrix(tuple(results(cell_cases("wide", 30), 0))).cells
    needed = runs_for(cell, 0.05)
    assert 30 < needed < 60
    assert width(needed, needed) <= 0.05 < width(needed - 1, needed - 1)
