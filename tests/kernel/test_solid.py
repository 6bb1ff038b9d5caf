from __future__ import annotations

import coal
import numpy as np

from taskmatrix.kernel.collision.scene import BALL, CENTRE, HALF, LEVELS, SWEPT
from taskmatrix.kernel.collision.solid import Solid

from .trees import placement, shape


def test_box_and_ball_hold_a_solid_wherever_it_is_placed() -> None:
    """With its sweep."""
    random = np.random.default_rng(0)
    for _ in range(20):
        solid, X = Solid.of(shape(random)), placement(random, 0.3)
        placed = solid.placed(X.rotation, X.translation)
        exact = placed.points[placed.firsts[LEVELS - 1] : placed.firsts[LEVELS]]
        swept = placed.sizes[SWEPT + LEVELS - 1]
        assert np.all(np.abs(exact - placed.sizes[CENTRE:BALL]) + swept <= placed.sizes[HALF:SWEPT])
        assert np.all(np.linalg.norm(exact - placed.sizes[CENTRE:BALL], axis=1) + swept <= placed.sizes[BALL])
        np.testing.assert_array_equal(placed.sizes[SWEPT:], solid.sizes[SWEPT:])


def test_an_octree_comes_with_its_boxes() -> None:
    """Two cubes side by side are one; a solid that is convex has none."""
    solid = Solid.of(coal.makeOctree(np.array([[0.05, 0.05, 0.05], [0.15, 0.05, 0.05]]), 0.1))
    np.testing.assert_allclose(solid.tree.nodes[0, :6], [0.1, 0.05, 0.05, 0.1, 0.05, 0.05], atol=1e-4)
    assert len(solid.points) == solid.firsts[-1] + solid.corners == 24
    assert len(Solid.of(coal.Sphere(0.1)).tree.nodes) == 0
