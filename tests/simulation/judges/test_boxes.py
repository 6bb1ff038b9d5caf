"""Boxes and geometric conditions from ground truth."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.perception import Region
from taskmatrix.simulation.judges.measures.boxes import (
    above,
    box,
    gap,
    in_region,
    inside,
    near,
    resting_on,
    segment_meets,
    visible,
)

from .setting import world


@pytest.mark.parametrize("id", ["vacuum", "soda_can", "tennis_ball", "broom", "table"])
def test_boxes_agree_with_those_of_the_core(id: str) -> None:
    """Two codes, the same box, at random poses."""
    rng, model = np.random.default_rng(0), world().objects[id]
    for _ in range(5):
        X = np.eye(4)
        X[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        X[:3, :3] *= np.sign(np.linalg.det(X[:3, :3]))
        X[:3, 3] = rng.normal(size=3)
        for own, other in zip(box(model, X), bounding_box(model.shapes, X), strict=True):
            np.testing.assert_allclose(own, other, atol=1e-9)


def cube(x: float, y: float, z: float, size: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    return np.array([x, y, z]) - size / 2, np.array([x, y, z]) + size / 2


def test_relations_of_boxes() -> None:
    """Each by hand."""
    assert gap(cube(0, 0, 0), cube(4, 5, 0)) == pytest.approx(5.0)
    assert near(cube(0, 0, 0), cube(1.5, 0, 0), 0.5)
    assert not near(cube(0, 0, 0), cube(1.6, 0, 0), 0.5)
    assert above(cube(0, 0, 1.0), cube(0, 0, 0))
    assert not above(cube(0, 0, 0.9), cube(0, 0, 0))
    assert resting_on(cube(0.2, 0, 0.752, 0.5), cube(0, 0, 0))
    assert not resting_on(cube(0.2, 0, 0.754, 0.5), cube(0, 0, 0))
    assert not resting_on(cube(0.6, 0, 0.752, 0.5), cube(0, 0, 0))
    assert inside(cube(0.2, 0, 5, 0.5), cube(0, 0, 0))
    assert not inside(cube(0.3, 0, 5, 0.5), cube(0, 0, 0))
    assert in_region(np.array([0.5, 0.5, 0.5]), Region((0, 0, 0), (1, 1, 1)))
    assert not in_region(np.array([0.5, 0.5, 1.5]), Region((0, 0, 0), (1, 1, 1)))


def test_sight_is_a_cone_without_anything_between() -> None:
    """The angle, and a box in the way, beside it and behind it."""
    eye, ahead, target = np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([4.0, 0.0, 0.0])
    assert visible(eye, ahead, target, 0.3, [])
    assert not visible(eye, ahead, np.array([4.0, 2.0, 0.0]), 0.3, [])
    assert not visible(eye, ahead, target, 0.3, [cube(2, 0, 0)])
    assert visible(eye, ahead, target, 0.3, [cube(2, 1, 0), cube(6, 0, 0)])
    assert segment_meets(np.array([0.0, 0.0, 2.0]), np.array([4.0, 0.0, -2.0]), cube(2, 0, 0))
