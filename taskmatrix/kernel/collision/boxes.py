"""Trees of boxes: what stands for an octree, whose cubes are too many to be looked at one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array


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
