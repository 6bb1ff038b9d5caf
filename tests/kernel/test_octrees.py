from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.world.geometry import merged
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.collision.kernel import Kernel

from .trees import Referee, add, configuration, placement, tree

SIZE = 0.03


def cubes(random: np.random.Generator, count: int) -> Array:
    """(count, 3) [m] Centres on a grid, many side by side."""
    cells = np.unique(np.abs(random.normal(size=(count, 3)) * [8, 8, 3]).astype(int), axis=0)
    return (cells + 0.5) * SIZE - 0.3


def test_merged_boxes_fill_the_same_space() -> None:
    """Every cube is in a box, and together they are as large."""
    centres = cubes(np.random.default_rng(2), 400)
    low, high = merged(centres, SIZE)
    assert len(low) < len(centres)
    np.testing.assert_allclose(np.prod(high - low, axis=1).sum(), len(centres) * SIZE**3)
    for centre in centres:
        assert ((low < centre) & (centre < high)).all(axis=1).sum() == 1


@given(st.integers(0, 2**31))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_no_contact_with_an_octree_is_missed(seed: int) -> None:
    """In states and on edges, wherever it is; and what is clear of all its cubes is not in doubt."""
    random = np.random.default_rng(seed)
    model, geometry = tree(seed, 4)
    octree = coal.makeOctree(cubes(random, int(random.integers(1, 200))), SIZE)
    add(geometry, "map", 0, placement(random, 0.3), octree)
    geometry.removeAllCollisionPairs()
    for body in range(geometry.ngeoms - 1):
        if geometry.geometryObjects[body].parentJoint:
            geometry.addCollisionPair(pin.CollisionPair(geometry.ngeoms - 1, body))
    kernel, referee = Kernel(model, geometry), Referee(model, geometry)
    for _ in range(5):
        q = configuration(model, random)
        assert referee.touching(q) <= set(kernel.doubtful(q))
    start, end = configuration(model, random), configuration(model, random)
    pieces = kernel.doubtful_pieces(start, end)
    doubtful = {pair for pair, _, _ in pieces}
    for t in np.linspace(0.0, 1.0, 40):
        q = start + t * (end - start)
        for pair in referee.touching(q) - doubtful:
            assert not shrunk_touches(model, geometry, pair, q)


def shrunk_touches(model: pin.Model, geometry: pin.GeometryModel, pair: int, q: Array) -> bool:
    """Whether a pair overlaps by more than a millimetre."""
    data, geometry_data = model.createData(), geometry.createData()
    geometry_data.collisionRequests[pair].security_margin = -1.1e-3
    pin.updateGeometryPlacements(model, data, geometry, geometry_data, q)
    return bool(pin.computeCollision(geometry, geometry_data, pair))


def test_beside_an_octree_there_is_no_doubt() -> None:
    """A ball in a hollow of it, 2 mm from its walls."""
    cells = np.array([[x, y, z] for x in range(-2, 3) for y in range(-2, 3) for z in range(-2, 3)], dtype=float)
    hollow = (cells[np.abs(cells).max(axis=1) == 2] + 0.5) * SIZE
    model, geometry = pin.Model(), pin.GeometryModel()
    joint = model.addJoint(0, pin.JointModelPX(), pin.SE3.Identity(), "slide")
    add(geometry, "ball", joint, pin.SE3.Identity(), coal.Sphere(0.02))
    centred = pin.SE3(np.eye(3), np.full(3, -SIZE / 2))
    add(geometry, "map", 0, centred, coal.makeOctree(hollow, SIZE))
    geometry.addAllCollisionPairs()
    kernel = Kernel(model, geometry)
    room = 1.5 * SIZE - 0.02 - 0.002
    assert kernel.doubtful_pieces(np.array([-room]), np.array([room])) == []
    assert len(kernel.doubtful(np.array([room + 0.003]))) == 1
