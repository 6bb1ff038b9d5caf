"""Bounding volume hierarchies: boxes in boxes, for what has too many parts to be looked at one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import Floats
from .scene import ROUNDING


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A tree of boxes over parts: halves of their sequence, halves of these, and so on, depth first."""

    nodes: Floats
    """(n, 7) [m] See :class:`~taskmatrix.kernel.collision.scene.Scene`."""
    after: NDArray[np.int64]
    """(n,) The first node that is not below a node; a leaf's is the next."""
    part: NDArray[np.int64]
    """(n,) Which part of the sequence a leaf is; zero for other nodes."""

    @classmethod
    def over(cls, low: Floats, high: Floats) -> Hierarchy:
        """The tree over parts in an order, whose boxes have lower and upper corners (m, 3)."""
        count = max(0, 2 * len(low) - 1)
        nodes, bounds = np.empty((count, 7), dtype=np.float32), np.empty((count, 6), dtype=np.float32)
        after, part = np.empty(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        if count:
            fill(low, high, nodes, bounds, after, part, np.empty(count, dtype=np.int64))
        return cls(nodes, after, part)

    def touching(self, low: Array, high: Array) -> NDArray[np.int64]:
        """(k,) Parts whose boxes touch one with corners (3,)."""
        found = np.empty(64, dtype=np.int64)
        while True:
            count = leaves_near(self.nodes, self.after, low, high, found)
            if count <= len(found):
                return self.part[found[:count]]
            found = np.empty(2 * count, dtype=np.int64)


def sorted_by_place(low: Floats, high: Floats) -> NDArray[np.int64]:
    """(m,) An order of boxes with corners (m, 3) in which halves, halves of these, and so on are near each other."""
    order = np.arange(len(low), dtype=np.int64)
    if len(low) > 1:
        arrange(np.ascontiguousarray(low + high), order, np.empty((128, 2), dtype=np.int64))
    return order


@bare
def arrange(middles: Floats, order: NDArray[np.int64], stack: NDArray[np.int64]) -> None:
    """Sort an order (m,) of middles (m, 3): each part of it is cut in halves across the longest side of its box."""
    stack[0, 0], stack[0, 1] = 0, order.shape[0]
    top = 1
    while top > 0:
        top -= 1
        first, last = stack[top, 0], stack[top, 1]
        if last - first < 2:
            continue
        axis, longest = 0, -1.0
        for k in range(3):
            least, most = np.inf, -np.inf
            for n in range(first, last):
                along = middles[order[n], k]
                least, most = min(least, along), max(most, along)
            if most - least > longest:
                axis, longest = k, most - least
        half = first + (last - first) // 2
        select(middles, order, axis, first, last - 1, half)
        stack[top, 0], stack[top, 1] = half, last
        stack[top + 1, 0], stack[top + 1, 1] = first, half
        top += 2


@bare_inlined
def select(middles: Floats, order: NDArray[np.int64], axis: int, left: int, right: int, wanted: int) -> None:
    """Put the ``wanted``-th along an axis in its place of an order, and what is less before it (Hoare's selection)."""
    while left < right:
        pivot = middles[order[(left + right) // 2], axis]
        i, j = left, right
        while i <= j:
            while middles[order[i], axis] < pivot:
                i += 1
            while middles[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if wanted <= j:
            right = j
        elif wanted >= i:
            left = i
        else:
            break


@bare
def fill(
    low: Floats,
    high: Floats,
    nodes: Floats,
    bounds: Floats,
    after: NDArray[np.int64],
    part: NDArray[np.int64],
    leaves: NDArray[np.int64],
) -> None:
    """Fill a tree over boxes (m, 3) and (m, 3) of two times m nodes less one; see :class:`Hierarchy`.

    ``bounds`` (n, 6) and ``leaves`` (n,), how many there are below a node, are scratch.
    """
    count = nodes.shape[0]
    leaves[0] = low.shape[0]
    first = 0
    for node in range(count):
        size = leaves[node]
        after[node] = node + 2 * size - 1
        if size == 1:
            for k in range(3):
                bounds[node, k], bounds[node, 3 + k] = low[first, k], high[first, k]
            part[node] = first
            first += 1
        else:
            half = size // 2
            leaves[node + 1] = half
            leaves[node + 2 * half] = size - half
    for node in range(count - 1, -1, -1):
        if leaves[node] > 1:
            one, other = node + 1, node + 2 * (leaves[node] // 2)
            for k in range(3):
                bounds[node, k] = min(bounds[one, k], bounds[other, k])
                bounds[node, 3 + k] = max(bounds[one, 3 + k], bounds[other, 3 + k])
        square = 0.0
        for k in range(3):
            nodes[node, k] = 0.5 * (bounds[node, k] + bounds[node, 3 + k])
            half_size = 0.5 * (bounds[node, 3 + k] - bounds[node, k]) + ROUNDING
            nodes[node, 3 + k] = half_size
            square += half_size * half_size
        nodes[node, 6] = np.sqrt(square) + ROUNDING


@bare
def leaves_near(nodes: Floats, after: NDArray[np.int64], low: Array, high: Array, found: NDArray[np.int64]) -> int:
    """Leaves that touch a box with corners (3,), into ``found``; returns how many there are."""
    count, node = 0, 0
    while node < nodes.shape[0]:
        apart = False
        for k in range(3):
            apart |= nodes[node, k] - nodes[node, 3 + k] > high[k] or nodes[node, k] + nodes[node, 3 + k] < low[k]
        if apart:
            node = after[node]
            continue
        if after[node] == node + 1:
            if count < found.shape[0]:
                found[count] = node
            count += 1
        node += 1
    return count
