"""What stands about is looked at where it is near, and nothing that is near is overlooked."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.kernel.collision.dynamic_scene import Piece
from taskmatrix.kernel.collision.kernel import Kernel
from taskmatrix.kernel.collision.scene import Surroundings
from taskmatrix.kernel.collision.solid import Solid

from .trees import configuration, placement, shape, tree

COUNT = 60


def crowded(seed: int, spread: float) -> tuple[Kernel, np.random.Generator, int]:
    """An arm among loose objects, all of its bodies paired with all of them; the number of the first object."""
    random = np.random.default_rng(seed)
    model, geometry = tree(seed, 5)
    kernel, own = Kernel(model, geometry), geometry.ngeoms
    kernel.add([Piece(Solid.of(shape(random)), 0, placement(random, spread)) for _ in range(COUNT)])
    pairs = [(a, b) for a in range(own) for b in range(a + 1, own + COUNT) if kernel.joints[a] or kernel.joints[b]]
    kernel.pair_up(np.array(pairs, dtype=np.int64))
    return kernel, random, own


def without_tree(kernel: Kernel) -> Surroundings:
    """All pairs as they come: for comparison."""
    found = kernel.scene.surroundings
    everything = np.arange(len(kernel.scene.pairs))
    none = np.zeros(0, dtype=np.int64)
    return found._replace(
        still=none, nodes=found.nodes[:0], after=none, part=none, moving=none,
        pairs=np.zeros((0, 0), dtype=np.int64), other=everything, bodies=np.unique(kernel.scene.pairs),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_nothing_near_is_overlooked(seed: int) -> None:
    """Also after objects were put elsewhere and taken up, with margins and without."""
    kernel, random, own = crowded(seed, 0.8)
    for change in range(4):
        for body in random.integers(own, own + COUNT, 5):
            kernel.put(int(body), placement(random, 0.8), int(random.integers(0, 3)) if change == 3 else None)
        if change == 3:
            kernel.pair_up(kernel.scene.pairs.copy())
        kernel.set_margins(np.full(len(kernel.active), 0.02 * change))
        kernel.active = random.random(len(kernel.active)) < 0.8
        states = np.array([configuration(kernel.model, random) for _ in range(20)])
        found = kernel.doubts(states), kernel.doubtful(states[0], 0.05), kernel.doubtful_pieces(states[0], states[1])
        told, kernel._stage.scene = kernel.scene, kernel.scene._replace(surroundings=without_tree(kernel))
        assert np.array_equal(found[0], kernel.doubts(states))
        assert found[1] == kernel.doubtful(states[0], 0.05)
        assert found[2] == kernel.doubtful_pieces(states[0], states[1])
        kernel._stage.scene = told
        assert len(found[0])


def test_work_grows_with_what_is_near() -> None:
    """Of objects in a hall, those that are near are looked at."""
    model, geometry = tree(3, 5)
    away, looked_at = pin.SE3(np.eye(3), np.array([20.0, 0.0, 0.0])), []
    for count in (50, 500):
        random = np.random.default_rng(3)
        kernel, own = Kernel(model, geometry), geometry.ngeoms
        box = Solid.of(coal.Box(0.1, 0.1, 0.1))
        near = [Piece(box, 0, placement(random, 0.5)) for _ in range(5)]
        far = [Piece(box, 0, away * placement(random, 1.0)) for _ in range(count)]
        kernel.add([*near, *far])
        moving = np.flatnonzero(kernel.joints[:own])
        kernel.pair_up(np.array([(a, b) for a in moving for b in range(own, own + len(near) + count)]))
        work = kernel.work()
        work.near[:] = -1
        kernel.doubtful(np.zeros(model.nq))
        looked_at.append(np.count_nonzero(kernel.work().near >= 0))
    assert looked_at[0] == looked_at[1] <= 5 * len(moving)
