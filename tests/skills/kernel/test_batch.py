from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.skills.kernel.kernel import Kernel
from taskmatrix.skills.kernel.solid import Solid
from taskmatrix.skills.kernel.stage import Piece

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
        assert found[found[:, 0] == state, 1].tolist() == kernel.doubtful(Q[state]).tolist()


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
            assert sorted(found[found[:, 0] == state, 1].tolist()) == kernel.doubtful(q).tolist()
