from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.skills.kernel.checker import Checker

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
