from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.kernel.collision.dynamic_scene import DynamicScene, Piece
from taskmatrix.kernel.collision.kernel import Kernel
from taskmatrix.kernel.collision.solid import Skeleton, Solid

from .trees import add, configuration, placement, shape, tree


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_bodies_that_come_and_are_taken_up_are_as_if_they_had_been_there(seed: int) -> None:
    """Added, carried by one joint, then by another or none: the same doubts as of a model made like that."""
    random = np.random.default_rng(seed)
    model, geometry = tree(seed, 4)
    kernel, own = Kernel(model, geometry), geometry.ngeoms
    things = [shape(random) for _ in range(2)] + [coal.makeOctree(random.normal(size=(30, 3)) * 0.1, 0.03)]
    first = kernel.add([Piece(Solid.of(thing), 0, placement(random, 0.3)) for thing in things])
    assert first == own
    for number, thing in enumerate(things, first):
        for _ in range(2):
            joint, X = int(random.integers(0, model.njoints)), placement(random, 0.2)
            kernel.put(number, X, joint)
        add(geometry, f"thing {number}", joint, X, thing)
    geometry.removeAllCollisionPairs()
    geometry.addAllCollisionPairs()
    kernel.pair_up(np.array([(pair.first, pair.second) for pair in geometry.collisionPairs], dtype=np.int64))
    fresh = Kernel(model, geometry, list(range(first, geometry.ngeoms)))
    for _ in range(4):
        q = configuration(model, random)
        assert kernel.doubtful(q) == fresh.doubtful(q)
    start, end = configuration(model, random), configuration(model, random)
    assert kernel.doubtful_pieces(start, end) == fresh.doubtful_pieces(start, end)


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_no_point_moves_further_than_its_reach(seed: int) -> None:
    """Of bodies on any joint, when one joint moves."""
    random = np.random.default_rng(seed)
    model, _ = tree(seed, 5)
    stage = DynamicScene(model, Skeleton.of(model))
    ball, joint, X = coal.Sphere(0.05), int(random.integers(1, model.njoints)), placement(random, 0.3)
    body = stage.add([Piece(Solid.of(ball), 0, pin.SE3.Identity())])
    stage.put(body, joint, X)
    data, q = model.createData(), configuration(model, random)
    index = int(random.integers(model.nq))
    moved = q.copy()
    moved[index] += 1e-3
    centres = []
    for positions in (q, moved):
        pin.forwardKinematics(model, data, positions)
        centres.append((data.oMi[joint] * X).translation)
    carrier = next(k for k in range(1, model.njoints) if model.joints[k].idx_q == index)
    assert np.linalg.norm(centres[1] - centres[0]) <= stage.scene.reach[body, carrier] * 1e-3 + 1e-9


def test_what_is_fixed_cannot_be_put_elsewhere() -> None:
    """It has the frame of its joint."""
    model, _ = tree(0, 2)
    stage = DynamicScene(model, Skeleton.of(model))
    body = stage.add([Piece(Solid.of(coal.Sphere(0.1)), 1, pin.SE3.Identity(), loose=False)])
    with pytest.raises(ValueError, match="body 0 is fixed to joint 1"):
        stage.put(body, 2, pin.SE3.Identity())


def test_boxes_hold_what_stands_in_the_world() -> None:
    """And all space for what is carried."""
    model, _ = tree(1, 2)
    stage, random = DynamicScene(model, Skeleton.of(model)), np.random.default_rng(0)
    X, box = placement(random, 0.5), coal.Box(0.1, 0.2, 0.3)
    stage.add([Piece(Solid.of(box), 0, X), Piece(Solid.of(box), 1, X)])
    low, high = stage.boxes()
    corners = np.array([X.act(np.array([x, y, z])) for x in (-0.05, 0.05) for y in (-0.1, 0.1) for z in (-0.15, 0.15)])
    np.testing.assert_allclose(low[0], corners.min(axis=0), atol=1e-4)
    np.testing.assert_allclose(high[0], corners.max(axis=0), atol=1e-4)
    assert np.all(low[1] == -np.inf)
    assert np.all(high[1] == np.inf)


def test_boxes_follow_what_is_put_elsewhere() -> None:
    """Taken up, put down and moved: as of bodies that have always been there."""
    model, _ = tree(1, 2)
    random, solid = np.random.default_rng(0), Solid.of(coal.Box(0.1, 0.2, 0.3))
    skeleton = Skeleton.of(model)
    stage, fresh = DynamicScene(model, skeleton), DynamicScene(model, skeleton)
    stage.add([Piece(solid, joint, placement(random, 0.5)) for joint in (0, 0, 1)])
    stage.boxes()
    joints, places = (1, 0, 0), [placement(random, 0.5) for _ in range(3)]
    for body, (joint, X) in enumerate(zip(joints, places, strict=True)):
        stage.put(body, joint, X)
    fresh.add([Piece(solid, joint, X) for joint, X in zip(joints, places, strict=True)])
    for corners, expected in zip(stage.boxes(), fresh.boxes(), strict=True):
        np.testing.assert_array_equal(corners, expected)
