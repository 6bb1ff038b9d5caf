from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.world.geometry import pose
from taskmatrix.skills.grasping.thinning import distances, diverse


def test_of_two_that_are_alike_the_better_is_taken_and_then_what_is_unlike() -> None:
    X = np.array([pose((0, 0, 0)), pose((0.001, 0, 0)), pose((0.2, 0, 0))])
    assert diverse(X, np.array([0.9, 1.0, 0.5]), 2).tolist() == [1, 2]


def test_some_are_taken_first_as_far_as_they_go() -> None:
    """Half of four from the worst two, then the best."""
    X = np.array([pose((0.1 * k, 0, 0)) for k in range(5)])
    merits = np.array([1.0, 0.9, 0.8, 0.2, 0.1])
    assert diverse(X, merits, 4, np.array([3, 4]), 0.5).tolist() == [3, 4, 0, 1]
    assert diverse(X, merits, 4, np.array([], dtype=np.intp), 0.5).tolist() == [0, 1, 2, 3]


def test_one_that_is_there_twice_is_taken_once() -> None:
    X = np.array([pose()] * 3)
    assert diverse(X, np.ones(3), 3).tolist() == [0]
    assert diverse(X[:0], np.ones(0), 3).tolist() == []


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_no_more_than_asked_none_twice_and_the_best_among_them(seed: int, limit: int) -> None:
    random = np.random.default_rng(seed)
    X = np.array([pose(random.uniform(-0.1, 0.1, 3), random.uniform(-3, 3, 3).tolist()) for _ in range(20)])
    merits = random.uniform(0.1, 1.0, 20)
    chosen = diverse(X, merits, limit).tolist()
    assert len(chosen) == len(set(chosen)) == min(limit, 20)
    assert chosen[0] == merits.argmax()
    assert np.isclose(distances(X, X[0])[0], 0.0, atol=1e-6)
