from __future__ import annotations

import numpy as np

from taskmatrix.skills.kernel.kernel import Kernel

from .trees import configuration, tree


def test_more_doubts_than_there_is_room_for() -> None:
    """All are told, states in rising order."""
    model, geometry = tree(5)
    kernel, random = Kernel(model, geometry), np.random.default_rng(5)
    Q = np.array([configuration(model, random) for _ in range(500)])
    kernel.set_margins(np.arange(len(kernel.active)), np.ones(len(kernel.active)))
    found = kernel.doubts(Q)
    assert len(found) > 512
    assert (np.diff(found[:, 0]) >= 0).all()
    for state in (0, 250, 499):
        assert found[found[:, 0] == state, 1].tolist() == kernel.doubtful(Q[state]).tolist()
