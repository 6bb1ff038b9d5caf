"""Poses that nobody can tell apart, such as those of grasps."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.core.world.objects import Shape
from taskmatrix.core.world.symmetry import Symmetry, nearest_alike, symmetry_of

BOX = symmetry_of([Shape("box", (0.1, 0.1, 0.1), pose())])
CAN = symmetry_of([Shape("cylinder", (0.03, 0.1), pose((0.1, 0.0, 0.0), (0.5, 0.0, 0.0)))])
BALL = symmetry_of([Shape("sphere", (0.03,), pose((0.1, 0.0, 0.0)))])
GRASP = pose((0.15, 0.02, 0.01), (0.3, 1.0, -0.4))


def test_a_box_has_only_the_grasps_of_its_table() -> None:
    """As they are."""
    assert np.array_equal(nearest_alike(BOX, GRASP, pose()), GRASP)


@pytest.mark.parametrize("symmetry", [CAN, BALL], ids=["can", "ball"])
def test_a_hand_at_a_turned_grasp_is_at_it(symmetry: Symmetry) -> None:
    """Wherever the object's symmetry takes it."""
    for X_OO in symmetry.rotations(20, np.random.default_rng(0)):
        distance, angle = pose_error(nearest_alike(symmetry, GRASP, X_OO @ GRASP), X_OO @ GRASP)
        assert distance < 1e-9
        assert angle < 1e-7


def test_no_turn_is_nearer() -> None:
    """To a hand that is at no grasp."""
    hand = pose((0.12, 0.0, 0.05), (1.0, -0.4, 0.6))
    best = pose_error(nearest_alike(CAN, GRASP, hand), hand)[1]
    others = [pose_error(X_OO @ GRASP, hand)[1] for X_OO in CAN.rotations(500, np.random.default_rng(1))]
    assert min(others) == pytest.approx(best, abs=1e-3)
    assert min(others) >= best - 1e-12


def test_a_hand_that_leans_is_off() -> None:
    """A turn about another axis than the can's own is none of its symmetry."""
    lean = GRASP @ pose((0, 0, 0), (0, 0, 0))
    lean[:3, :3] = pose(rpy=(0.0, 0.2, 0.0))[:3, :3] @ GRASP[:3, :3]
    assert pose_error(nearest_alike(CAN, GRASP, lean), lean)[1] == pytest.approx(0.2, abs=0.03)
