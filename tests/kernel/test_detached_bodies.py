from __future__ import annotations

import numpy as np
import pinocchio as pin
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.collision.detached_bodies import doubtful_places
from taskmatrix.kernel.collision.kernel import Kernel

from .trees import Referee, configuration, placement, tree

MARGIN = 0.01


@given(st.integers(0, 2**31))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_bodies_that_are_moved_together_are_judged_where_they_are(seed: int) -> None:
    """What the last joint carries, by coal at each place: no contact is without doubt, and contacts are found."""
    model, geometry = tree(seed)
    random = np.random.default_rng(seed)
    world = [k for k, body in enumerate(geometry.geometryObjects) if body.parentJoint == 0]
    carried = model.subtrees[model.njoints - 1].tolist()
    bodies = [k for k, body in enumerate(geometry.geometryObjects) if body.parentJoint in carried]
    geometry.removeAllCollisionPairs()
    for body in bodies:
        for other in world:
            geometry.addCollisionPair(pin.CollisionPair(body, other))
    kernel, checker = Kernel(model, geometry), Checker(model, geometry)
    pairs = np.arange(len(geometry.collisionPairs))
    margins = np.full(len(pairs), MARGIN)
    kernel.set_margins(margins)
    checker.set_margins(margins)
    q = configuration(model, random)
    data = model.createData()
    pin.forwardKinematics(model, data, q)
    X_WC = data.oMi[model.njoints - 1].homogeneous
    X = np.array([placement(random, 0.4).homogeneous for _ in range(19)])
    doubts = doubtful_places(kernel, bodies, pairs, q, X_WC, X)
    found = checker.first_touching_at_poses(bodies, pairs, q, X_WC, X)
    cut_off, placements = geometry.copy(), pin.GeometryData(geometry)
    pin.updateGeometryPlacements(model, data, geometry, placements, q)
    referee = Referee(model, cut_off)
    for place, X_WC_there in enumerate(X):
        for body in bodies:
            cut_off.geometryObjects[body].parentJoint = 0
            cut_off.geometryObjects[body].placement = (
                pin.SE3(X_WC_there) * pin.SE3(X_WC).inverse() * placements.oMg[body]
            )
        distances = referee.distances(q)
        assert {(place, pair) for pair in np.flatnonzero(distances < MARGIN - 1e-5).tolist()} <= set(doubts)
        if found[place] < 0:
            assert np.all(distances > MARGIN - 1e-5)
        else:
            assert distances[found[place]] < MARGIN + 1e-5
