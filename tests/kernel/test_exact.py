from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.kernel.collision.exact import Exact

from .trees import Referee, add, configuration, placement, shape, tree


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_added_bodies_are_asked_like_those_of_the_model(seed: int) -> None:
    """In the world and on a joint, wherever they were before: contacts and distances are coal's on the whole model."""
    random = np.random.default_rng(seed)
    model, geometry = tree(seed, 3)
    exact = Exact(model, geometry.copy())
    first = geometry.ngeoms
    for joint in (0, int(random.integers(1, model.njoints))):
        thing, X = shape(random), placement(random, 0.2)
        exact.add(thing, 0, placement(random, 0.2))
        exact.place(configuration(model, random))
        exact.distance(0, len(exact.geometries) - 1)  # it is remembered where this is
        exact.put(len(exact.geometries) - 1, joint, X)
        add(geometry, f"thing {joint}", joint, X, thing)
    geometry.removeAllCollisionPairs()
    geometry.addAllCollisionPairs()
    referee = Referee(model, geometry)
    for _ in range(3):
        q = configuration(model, random)
        exact.place(q)
        distances, touching = referee.distances(q), referee.touching(q)
        for number, pair in enumerate(geometry.collisionPairs):
            if pair.second >= first:
                assert exact.are_near(pair.first, pair.second, 1e-6) == (number in touching)
                assert exact.distance(pair.first, pair.second) == pytest.approx(distances[number], abs=1e-5)


def test_what_is_carried_is_moved_in_the_world_until_joints_are_placed() -> None:
    """A body of the model and one that was added."""
    random = np.random.default_rng(1)
    model, geometry = tree(1, 3)
    exact, q = Exact(model, geometry), configuration(model, random)
    exact.add(shape(random), 2, placement(random, 0.2))
    bodies = [0, geometry.ngeoms]
    exact.place(q)
    low, high = exact.boxes(bodies)
    exact.carry(bodies, pin.SE3(np.eye(3), np.array([1.0, 2.0, 3.0])))
    np.testing.assert_allclose(exact.boxes(bodies)[0], low + np.array([1, 2, 3]), atol=1e-9)
    exact.place(q)
    np.testing.assert_allclose(exact.boxes(bodies)[1], high, atol=1e-9)
