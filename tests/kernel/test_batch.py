from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.kernel.collision.dynamic_scene import Piece
from taskmatrix.kernel.collision.kernel import Kernel
from taskmatrix.kernel.collision.solid import Solid

from .trees import configuration, tree


def test_more_doubts_than_there_is_room_for() -> None:
    """All are told, states in rising order."""
    model, geometry = tree(5)
    kernel, random = Kernel(model, geometry), np.random.default_rng(5)
    Q = np.array([configuration(model, random) for _ in range(500)])
    kernel.set_margins(np.ones(len(kernel.active)))
    found = kernel.doubts(Q)
    assert len(found) > 512
    assert (np.diff(found[:, 0]) >= 0).all()
    for state in (0, 250, 499):
        assert found[found[:, 0] == state, 1].tolist() == kernel.doubtful(Q[state])


def test_no_doubt_is_lost_when_the_scene_has_grown() -> None:
    """The memory is made anew then, and there are more pairs than before."""
    model, geometry = tree(5)
    kernel, random = Kernel(model, geometry), np.random.default_rng(5)
    Q = np.array([configuration(model, random) for _ in range(300)])
    kernel.set_margins(np.ones(len(kernel.active)))
    kernel.doubts(Q)
    bodies, solid = len(kernel.joints), Solid.of(coal.Sphere(0.1))
    first = kernel.add([Piece(solid, 0, pin.SE3.Identity()) for _ in range(80)])
    kernel.pair_up(np.array([[body, other] for body in range(bodies) for other in range(first, first + 80)]))
    kernel.set_margins(np.ones(len(kernel.active)))
    for some in (Q[:3], Q[:20]):
        found = kernel.doubts(some)
        for state, q in enumerate(some):
            assert sorted(found[found[:, 0] == state, 1].tolist()) == kernel.doubtful(q)


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_the_first_doubt_of_each_will_do(seed: int) -> None:
    """One of them, in each configuration; none where there is no doubt. Also a number that sixteen does not divide."""
    model, geometry = tree(seed)
    kernel, random = Kernel(model, geometry), np.random.default_rng(seed)
    Q = np.array([configuration(model, random) for _ in range(37)])
    doubts, found = kernel.doubts(Q).tolist(), kernel.doubts(Q, first=True).tolist()
    assert all(doubt in doubts for doubt in found)
    assert [state for state, _ in found] == sorted({state for state, _ in doubts})
