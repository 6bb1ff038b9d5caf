from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.kernel.collision.kernel import Kernel
from taskmatrix.kernel.collision.within_reach import within_reach

from .trees import Referee, tree


@pytest.mark.parametrize("seed", range(20))
def test_what_is_out_of_reach_is_never_near(seed: int) -> None:
    """Of random trees of which some joints move: by coal, at many positions in their range."""
    model, geometry = tree(seed)
    random = np.random.default_rng(seed)
    for body in range(geometry.ngeoms - 3, geometry.ngeoms):
        thing = geometry.geometryObjects[body]
        thing.placement = pin.SE3(thing.placement.rotation, 3 * thing.placement.translation)
    kernel, referee = Kernel(model, geometry), Referee(model, geometry)
    middle = random.uniform(model.lowerPositionLimit, model.upperPositionLimit)
    still = random.random(model.nq) < 0.4
    lower = np.where(still, middle, np.maximum(model.lowerPositionLimit, middle - 0.8))
    upper = np.where(still, middle, np.minimum(model.upperPositionLimit, middle + 0.8))
    near = within_reach(kernel, middle, lower, upper)
    for _ in range(60):
        assert (referee.distances(random.uniform(lower, upper))[~near] > 0.0).all()


def test_far_bodies_are_out_of_reach() -> None:
    """Whatever the joints do."""
    model, geometry = tree(3)
    for body in range(geometry.ngeoms - 3, geometry.ngeoms):
        geometry.geometryObjects[body].placement = pin.SE3(np.eye(3), np.array([20.0, 3.0 * body, 0.0]))
    near = within_reach(Kernel(model, geometry), np.zeros(model.nq), model.lowerPositionLimit, model.upperPositionLimit)
    far = np.array([pair.second >= geometry.ngeoms - 3 for pair in geometry.collisionPairs])
    assert not near[far].any()
    assert near[~far].any()
