"""Figures of peers on rows of problems, and how they compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from peers import OURS


@dataclass(frozen=True)
class Result:
    """One peer on one row."""

    row: str
    """Name of the row."""
    peer: str
    """Name of the peer."""
    figures: Mapping[str, float | None] = field(default_factory=dict)
    """What was measured; None where there is nothing to tell."""
    note: str = ""
    """Why there are no figures, or what is odd about them."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What only the JSON holds."""

    def get(self, key: str) -> float | None:
        """A figure, or None."""
        return self.figures.get(key)


def ratios(results: Sequence[Result], key: str) -> dict[tuple[str, str], float]:
    """How many times as much as ours a peer takes on a row; as the best peer where we have no figure."""
    found: dict[tuple[str, str], float] = {}
    for row in names(item.row for item in results):
        of_row = {item.peer: value for item in results if item.row == row and (value := item.get(key))}
        if of_row:
            base = of_row.get(OURS, min(of_row.values()))
            found |= {(row, peer): value / base for peer, value in of_row.items()}
    return found


def lead(results: Sequence[Result], key: str) -> dict[str, float]:
    """On each row that we have a figure of, how many times as much as ours the best peer takes."""
    found = ratios(results, key)
    measured = {row for row, peer in found if peer == OURS}
    others = {row: [r for (name, peer), r in found.items() if name == row and peer != OURS] for row in measured}
    return {row: min(values) for row, values in others.items() if values}


def summary(results: Sequence[Result], key: str) -> list[tuple[str, int, float, float]]:
    """For each peer that has figures: rows with ratios of a figure, and the least and the median of them."""
    found, lines = ratios(results, key), []
    for peer in names(item.peer for item in results if item.figures):
        mine = [r for (_, name), r in found.items() if name == peer]
        lines.append((peer, len(mine), min(mine, default=np.nan), float(np.median(mine)) if mine else np.nan))
    return lines


def names(items: Iterable[str]) -> list[str]:
    """Each name once, in the order in which they come."""
    return list(dict.fromkeys(items))


def median(values: Sequence[float] | NDArray[np.float64]) -> float | None:
    """The median, or None of nothing."""
    return float(np.median(values)) if len(values) else None


def quantile(values: Sequence[float] | NDArray[np.float64], share: float) -> float | None:
    """A quantile, or None of nothing."""
    return float(np.quantile(values, share)) if len(values) else None
