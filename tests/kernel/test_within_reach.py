from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.kernel.collision.kernel import Kernel
from taskmatrix.kernel.paths.within_reach import within_reach

from .trees import Referee, add, tree


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


def test_what_is_slid_out_and_stays_there_is_as_far_out() -> None:
    """A ball on a slide that stands still at 0.5 m, on an arm that turns, comes to a wall 0.55 m away."""
    model, geometry = pin.Model(), pin.GeometryModel()
    limits = np.ones(1), np.ones(1), -np.full(1, 3.0), np.full(1, 3.0)
    turning = model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "turning", *limits)
    sliding = model.addJoint(turning, pin.JointModelPX(), pin.SE3.Identity(), "sliding", *limits)
    add(geometry, "ball", sliding, pin.SE3.Identity(), coal.Sphere(0.05))
    add(geometry, "wall", 0, pin.SE3(np.eye(3), np.array([0.0, 0.6, 0.0])), coal.Box(0.1, 0.1, 0.1))
    geometry.addAllCollisionPairs()
    q, most = np.array([0.0, 0.5]), np.array([2.0, 0.5])
    assert within_reach(Kernel(model, geometry), q, q, most).all()
