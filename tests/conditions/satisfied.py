"""What the tests of the geometric conditions share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.core import Condition, Context, ObjectModel, Percept, Shape
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench, box_percept


def supposing(context: Context, id: str, X_WO: Array) -> Context:
    """The same, with an object elsewhere."""
    return replace(context, perception=context.perception.supposing({id: X_WO}))


def sampled(bench: Bench, condition: Condition, count: int = 20, seed: int = 0) -> tuple[Array, ...]:
    """As many poses as asked for, each of which satisfies the condition."""
    poses = condition.sample(bench.context, count, np.random.default_rng(seed))
    subject = condition.spaces(bench.context)[0].subject
    assert len(poses) == count
    for X_WO in poses:
        verdict = condition.evaluate(supposing(bench.context, subject, X_WO))
        assert verdict, verdict.why
        np.testing.assert_allclose(X_WO[:3, 2], [0, 0, 1])
    return poses


def table(yaw: float = 0.0, size: tuple[float, float] = (1.0, 0.6), height: float = 0.7, id: str = "table") -> Percept:
    """A board on one leg, at x = 1 m."""
    board = Shape("box", (*size, 0.04), pose((0, 0, height - 0.02)))
    leg = Shape("cylinder", (0.05, height - 0.04), pose((0, 0, height / 2 - 0.02)))
    return Percept(ObjectModel(id, "furniture/table", (board, leg)), pose((1, 0, 0), (0, 0, yaw)))


def cup(xyz: Sequence[float] = (0.2, -1.0, 0.05), id: str = "cup") -> Percept:
    """10 cm high, 6 cm wide."""
    return box_percept(id, xyz, (0.06, 0.06, 0.1))
