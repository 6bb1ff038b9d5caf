from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.kernel.collision.hierarchy import Hierarchy, sorted_by_place
from taskmatrix.kernel.jit.simd import Floats


def parts(count: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Boxes of which some are alike."""
    random = np.random.default_rng(seed)
    low = random.integers(-5, 5, (count, 3)).astype(np.float32)
    return low, low + random.uniform(0.02, 0.2, (count, 3)).astype(np.float32)


@pytest.mark.parametrize("count", [1, 7, 64, 300])
def test_each_node_holds_all_below_it(count: int) -> None:
    """And each part is a leaf, in the order that they were given in."""
    tree = Hierarchy.over(*parts(count))
    leaves = np.flatnonzero(tree.after == np.arange(len(tree.after)) + 1)
    assert tree.part[leaves].tolist() == list(range(count))
    low, high = tree.nodes[:, :3] - tree.nodes[:, 3:6], tree.nodes[:, :3] + tree.nodes[:, 3:6]
    for node, after in enumerate(tree.after.tolist()):
        assert (low[node:after] >= low[node] - 1e-6).all()
        assert (high[node:after] <= high[node] + 1e-6).all()


@pytest.mark.parametrize("count", [0, 1, 2, 5, 1000])
def test_an_order_by_place_has_each_part_once(count: int) -> None:
    """And halves of it are apart along the longest side, as far as parts are not at the same place."""
    low, high = parts(count)
    order = sorted_by_place(low, high)
    assert sorted(order.tolist()) == list(range(count))
    if count > 1:
        middles = (low + high)[order]
        axis = int(np.ptp(middles, axis=0).argmax())
        half = count // 2
        assert middles[:half, axis].max() <= middles[half:, axis].min()


def test_a_tree_by_place_looks_at_few_parts() -> None:
    """The boxes on its two halves share a tenth of the space of the whole."""
    low, high = parts(1000)
    order = sorted_by_place(low, high)
    tree = Hierarchy.over(low[order], high[order])
    one, other = 1, int(tree.after[1])
    overlap = np.minimum(*(tree.nodes[n, :3] + tree.nodes[n, 3:6] for n in (one, other)))
    overlap = overlap - np.maximum(*(tree.nodes[n, :3] - tree.nodes[n, 3:6] for n in (one, other)))
    assert np.prod(np.maximum(overlap, 0.0)) < 0.1 * np.prod(2 * tree.nodes[0, 3:6])
