from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.skills.kernel.checker import Checker
from taskmatrix.skills.kernel.kernel import Kernel

from .trees import Referee, configuration, tree


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_there_is_one_suspect_where_there_are_doubts(seed: int) -> None:
    """One of them, in each configuration; none where there is no doubt. Also a number that sixteen does not divide."""
    model, geometry = tree(seed)
    kernel, random = Kernel(model, geometry), np.random.default_rng(seed)
    Q = np.array([configuration(model, random) for _ in range(37)])
    doubts = set(kernel.doubtful_states(Q))
    found = kernel.suspects(Q)
    assert set(found) <= doubts
    assert sorted(state for state, _ in found) == sorted({state for state, _ in doubts})


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
