"""Trees of boxes: what stands for an octree, whose cubes are too many to be looked at one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.objects import Array


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Boxes in boxes, depth first: a node's first child follows it."""

    low: Array
    """(n, 3) [m] Lower corners."""
    high: Array
    """(n, 3) [m] Upper corners."""
    after: NDArray[np.int64]
    """(n,) Number of the first node that is not below a node; a leaf's is the next."""


def box_tree(low: Array, high: Array) -> BoxTree:
    """A tree over boxes with lower and upper corners (m, 3), split in halves along the longest side."""
    order = np.arange(len(low))
    lows, highs, after = np.zeros((2 * len(low) - 1, 3)), np.zeros((2 * len(low) - 1, 3)), []
    stack = [order]
    count = 0
    while stack:
        members = stack.pop()
        lows[count], highs[count] = low[members].min(axis=0), high[members].max(axis=0)
        after.append(count + 2 * len(members) - 1)
        if len(members) > 1:
            axis = int((highs[count] - lows[count]).argmax())
            half = len(members) // 2
            split = members[np.argpartition(low[members, axis] + high[members, axis], half, kind="introselect")]
            stack += [split[half:], split[:half]]
        count += 1
    return BoxTree(lows, highs, np.array(after, dtype=np.int64))


def merged(centres: Array, size: float) -> tuple[Array, Array]:
    """Lower and upper corners (m, 3) of boxes that fill the same space as cubes of one size: rows of them become one.

    Args:
        centres: (k, 3) [m] On a grid of that size.
        size: [m]
    """
    cells = np.unique(np.round((centres - centres.min(axis=0)) / size).astype(np.int64), axis=0)
    best: tuple[Array, Array] | None = None
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        ordered = cells[np.lexsort((cells[:, axis], cells[:, others[1]], cells[:, others[0]]))]
        follows = (np.diff(ordered[:, others], axis=0) == 0).all(axis=1) & (np.diff(ordered[:, axis]) == 1)
        first = np.flatnonzero(np.concatenate([[True], ~follows]))
        last = np.concatenate([first[1:] - 1, [len(ordered) - 1]])
        if best is None or len(first) < len(best[0]):
            best = ordered[first].astype(float), ordered[last].astype(float)
    assert best is not None
    origin = centres.min(axis=0)
    return best[0] * size + origin - size / 2, best[1] * size + origin + size / 2
