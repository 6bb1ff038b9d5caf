"""Two states of the library, compared case by case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.studio.validation import Case, Matrix, Result
from taskmatrix.studio.validation.comparison import Comparison, Difference, read_matrix


def matrix(**failures: int) -> Matrix:
    """Forty runs of each behavior, of which the first so many fail."""
    return Matrix(
        tuple(
            Result(Case(behavior, "robot", "world", seed), "failure" if seed < count else "success")
            for behavior, count in failures.items()
            for seed in range(40)
        )
    )


def test_what_broke_is_significant_and_a_single_run_is_not() -> None:
    """Overall it is, too."""
    compared = Comparison(matrix(a=0, b=1, c=0), matrix(a=12, b=2, c=0))
    assert [cell.name for cell in compared.significant] == ["a by robot in world"]
    assert (compared.overall.before, compared.overall.after, compared.overall.runs) == (119, 106, 120)
    assert len(compared.overall.broken) == 13
    assert compared.overall.chance < 0.001


def test_the_interval_of_a_difference_is_newcombes() -> None:
    """10 of 10 against none: 0.6075 to 1, from his paper's table II, row (h)."""
    found = Difference("a", 0, 10, 10, (), ())
    assert found.rate == 1.0
    assert found.interval == pytest.approx((0.6075, 1.0), abs=1e-4)
    assert Difference("a", 10, 0, 10, (), ()).interval == pytest.approx((-1.0, -0.6075), abs=1e-4)


def test_no_change_is_none() -> None:
    """With an interval around nothing."""
    compared = Comparison(matrix(a=2, b=0), matrix(a=2, b=0))
    assert compared.significant == ()
    low, high = compared.overall.interval
    assert low == pytest.approx(-high)
    assert low < 0.0 < high
    assert compared.overall.chance == 1.0


def test_only_cases_of_both_count() -> None:
    """A cell that is new has nothing to be compared with."""
    assert [cell.name for cell in Comparison(matrix(a=0), matrix(a=0, b=3)).cells] == ["a by robot in world"]
    assert Comparison(matrix(a=0), matrix(b=3)).overall.runs == 0
    assert Comparison(matrix(a=0), matrix(b=3)).significant == ()


def test_a_matrix_is_read_as_it_was_written(tmp_path: Path) -> None:
    """And what is none is refused."""
    path, written = tmp_path / "matrix.json", matrix(a=2)
    path.write_text(json.dumps(written.to_dict()))
    assert read_matrix(path).to_dict() == written.to_dict()
    path.write_text("[]")
    with pytest.raises(ParameterError, match=r"is no matrix\.json"):
        read_matrix(path)
    with pytest.raises(ParameterError, match="cannot read"):
        read_matrix(tmp_path / "none.json")
