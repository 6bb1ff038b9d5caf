from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.collision.dynamic_scene import Piece
from taskmatrix.kernel.collision.solid import Solid

from .room import cup, room
from .trees import Referee, configuration, tree


@given(st.integers(0, 2**31))
@settings(max_examples=10, deadline=None, derandomize=True)
def test_many_configurations_are_free_where_coal_says_so(seed: int) -> None:
    """Asked one by one and all at once."""
    model, geometry = tree(seed, 4)
    checker, referee, random = Checker(model, geometry), Referee(model, geometry), np.random.default_rng(seed)
    Q = np.array([configuration(model, random) for _ in range(40)])
    expected = [not referee.touching(q) for q in Q]
    assert checker.are_free(Q).tolist() == expected
    assert [checker.is_free(q) for q in Q] == expected
    assert checker.first_not_free(Q) == (None if all(expected) else expected.index(False))


def test_what_is_rough_is_known_after_pairs_are_set() -> None:
    """An added ellipsoid is, an added mesh is not, whatever their numbers."""
    model, geometry = room()
    checker = Checker(model, geometry)
    assert not checker.rough.any()
    far = pin.SE3(np.eye(3), np.array([20.0, 0.0, 0.0]))
    shapes = [cup(), coal.Ellipsoid(0.1, 0.2, 0.3)]
    mesh = checker.add(shapes, [Piece(Solid.of(shape), 0, far) for shape in shapes])
    checker.pair_up(np.vstack([checker.exact.pairs, [[0, mesh + 1], [0, mesh]]]))
    assert checker.rough.tolist() == [False] * len(checker.exact.pairs) + [True, False]


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_the_first_contact_is_one(seed: int) -> None:
    """Of each configuration that is in contact by the exact shapes, and none of the others."""
    model, geometry = tree(seed)
    checker, referee, random = Checker(model, geometry), Referee(model, geometry), np.random.default_rng(seed)
    Q = np.array([configuration(model, random) for _ in range(21)])
    for q, pair, is_free in zip(Q, checker.first_touching(Q), checker.are_free(Q), strict=True):
        distances = referee.distances(q)
        assert is_free == (pair < 0)
        if pair < 0:
            assert np.all(distances > -1e-6)
        else:
            assert distances[pair] < 1e-6
