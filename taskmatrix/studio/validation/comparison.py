"""Two states of the library: which rates differ by more than chance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from pathlib import Path

from rich.console import Console

from taskmatrix.core.base.errors import ParameterError

from .case import SUCCESS, Case, Result
from .matrix import Matrix
from .precision import CONFIDENCE, interval


@dataclass(frozen=True)
class Difference:
    """How the rate of the same cases changed."""

    name: str
    """Of the cell."""
    before: int
    """Successes before."""
    after: int
    """Successes now."""
    runs: int
    """Cases that both have."""
    broken: tuple[Case, ...]
    """That succeeded before, and do not now."""
    mended: tuple[Case, ...]
    """That succeed now, and did not before."""

    @property
    def rate(self) -> float:
        """Of now less that of before."""
        return (self.after - self.before) / self.runs if self.runs else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Of the difference of the rates, with 95 % confidence (Newcombe 1998, method 10: from Wilson's two)."""
        if not self.runs:
            return -1.0, 1.0
        p, q = self.after / self.runs, self.before / self.runs
        (low_p, high_p), (low_q, high_q) = interval(self.after, self.runs), interval(self.before, self.runs)
        return self.rate - hypot(p - low_p, high_q - q), self.rate + hypot(high_p - p, q - low_q)

    @property
    def chance(self) -> float:
        """Probability of as many changes to one side, if there were no difference: McNemar's exact test."""
        from scipy.stats import binomtest  # noqa: PLC0415 - takes most of a second to load

        changed = len(self.broken) + len(self.mended)
        return float(binomtest(len(self.broken), changed).pvalue) if changed else 1.0


class Comparison:
    """A matrix of another state of the library, and one of this, case by case; cases that only one has do not count.

    Args:
        before: Of the other.
        after: Of this.
    """

    def __init__(self, before: Matrix, after: Matrix) -> None:
        former = {result.case: result for result in before.results}
        pairs = [(former[result.case], result) for result in after.results if result.case in former]
        self._pairs = sorted(pairs, key=lambda pair: pair[1].case)

    @cached_property
    def overall(self) -> Difference:
        """The difference over all cases."""
        return _difference("all", self._pairs)

    @cached_property
    def cells(self) -> tuple[Difference, ...]:
        """In the order of their names."""
        groups: dict[tuple[str, str, str], list[tuple[Result, Result]]] = {}
        for pair in self._pairs:
            groups.setdefault(pair[1].case.cell, []).append(pair)
        return tuple(_difference("{} by {} in {}".format(*cell), pairs) for cell, pairs in groups.items())

    @property
    def significant(self) -> tuple[Difference, ...]:
        """Cells that differ by more than chance, with at most one in twenty of them by chance (Benjamini, Hochberg)."""
        from scipy.stats import false_discovery_control  # noqa: PLC0415

        if not self.cells:
            return ()
        chances = false_discovery_control([cell.chance for cell in self.cells])
        return tuple(
            cell for cell, chance in zip(self.cells, chances, strict=True) if chance <= 1.0 - CONFIDENCE + 1e-12
        )


def read_matrix(path: Path) -> Matrix:
    """The matrix in a file ``matrix.json``.

    Raises:
        ParameterError: It cannot be read, or is no matrix.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Matrix(tuple(Result.from_dict(result) for result in data["results"]))
    except OSError as error:
        raise ParameterError(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise ParameterError(f"{path} is no matrix.json of taskmatrix validate") from error


def show_comparison(comparison: Comparison, console: Console) -> None:
    """Print what differs: all cases together, and each cell in which a case changed."""
    console.print(f"compared, {comparison.overall.runs} cases in both:", style="bold", highlight=False)
    significant = comparison.significant
    for item in (comparison.overall, *(cell for cell in comparison.cells if cell.broken or cell.mended)):
        low, high = item.interval
        alone = item is comparison.overall and item.chance <= 1.0 - CONFIDENCE
        word = "significant" if alone or item in significant else "may be chance"
        console.print(
            f"{item.name}: {item.before}/{item.runs} -> {item.after}/{item.runs},"
            f" {item.rate:+.1%} ({low:+.1%} to {high:+.1%}), {word}",
            markup=False, highlight=False,
        )  # fmt: skip
        for case in item.broken[:1] if item is not comparison.overall else ():
            console.print(f"  broken: {case.replay}", style="dim", markup=False, highlight=False)


def _difference(name: str, pairs: Sequence[tuple[Result, Result]]) -> Difference:
    good = [(old.verdict == SUCCESS, new.verdict == SUCCESS) for old, new in pairs]
    return Difference(
        name,
        sum(old for old, _ in good),
        sum(new for _, new in good),
        len(pairs),
        tuple(pair[1].case for pair, (old, new) in zip(pairs, good, strict=True) if old and not new),
        tuple(pair[1].case for pair, (old, new) in zip(pairs, good, strict=True) if new and not old),
    )
