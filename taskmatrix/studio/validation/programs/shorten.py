"""Finds the shortest failing program by leaving out steps (delta debugging: Zeller and Hildebrandt, 2002)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def shortest(items: Sequence[T], fails: Callable[[Sequence[T]], bool], tries: int = 60) -> tuple[T, ...]:
    """Leave out items as long as the rest fails; where ``tries`` suffice, no single one can be left out any more.

    Halves are left out first, then quarters, and so on; from the back, because what is late prepares nothing.

    Args:
        items: Which fail together.
        fails: Whether some of them, in their order, fail likewise. It is never asked the same twice.
        tries: How often it may be asked.
    """
    left = tuple(items)
    known: dict[tuple[int, ...], bool] = {}
    order = tuple(range(len(left)))

    def still(kept: tuple[int, ...]) -> bool:
        if kept not in known:
            known[kept] = len(known) < tries and fails([left[k] for k in kept])
        return known[kept]

    size = max(len(order) // 2, 1)
    while size:
        for end in range(len(order), 0, -size):
            kept = order[: max(end - size, 0)] + order[end:]
            if kept and still(kept):
                order = kept
                break
        else:
            size //= 2
            continue
        size = min(size, max(len(order) // 2, 1))
    return tuple(left[k] for k in order)
