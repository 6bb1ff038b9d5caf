from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.occupancy import Boxes
from taskmatrix.kernel.collision.occupancy_body import OccupancyBody


def boxes_of(count: int, seed: int = 0) -> Boxes:
    random = np.random.default_rng(seed)
    low = random.uniform(-1.0, 1.0, (count, 3)).astype(np.float32)
    return Boxes(low, low + random.uniform(0.02, 0.2, (count, 3)).astype(np.float32))


@pytest.mark.parametrize("count", [1, 2, 3, 100, 1001])
def test_the_boxes_near_are_all_that_touch(count: int) -> None:
    """As looking at each of them tells."""
    boxes = boxes_of(count)
    occupancy_body = OccupancyBody.of(boxes)
    for centre in np.random.default_rng(1).uniform(-1.0, 1.0, (20, 3)):
        low, high = centre - 0.15, centre + 0.15
        touching = ((boxes.low <= high) & (boxes.high >= low)).all(axis=1)
        found = occupancy_body.near(low, high)[0]
        assert sorted(found.tolist()) == sorted(boxes.low[touching].astype(float).tolist())


def test_no_space_is_near_nothing() -> None:
    """It still has a node, so that it is asked as a tree."""
    occupancy_body = OccupancyBody.of(Boxes.none())
    assert len(occupancy_body.solid.tree.nodes) == 1
    assert len(occupancy_body.near(np.full(3, -1e4), np.full(3, 1e4))[0]) == 0
