"""Objects aligned with what is seen of them."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import angle_between, pose, pose_error
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.symmetry import symmetry_of
from taskmatrix.perception.fit import Fit, ImageSegment, fit, looked_through
from taskmatrix.perception.surface import surface_of

from .drawing import BALL, BRICK, CAN, CORNER, SLAB, camera_at, draw

EYE = camera_at((-0.8, 0.2, 0.6))
ON_SLAB = {"ball": 0.05, "can": 0.06, "brick": 0.03, "corner": 0.025}


def seen(model: ObjectModel, X_WO: Array, X_WC: Array = EYE, noise: float = 0.0) -> ImageSegment:
    image = draw({"slab": (SLAB, pose()), model.id: (model, X_WO)}, X_WC, noise=noise)
    return ImageSegment.of(image, 1)


def fitted(model: ObjectModel, segment: ImageSegment, X_WO: Array, iterations: int = 30) -> Fit:
    return fit(surface_of(model.shapes), symmetry_of(model.shapes), segment, X_WO, iterations)


@pytest.mark.parametrize("model", [BALL, CAN, BRICK, CORNER], ids=lambda model: model.id)
@pytest.mark.parametrize("yaw", [0.3, 2.0])
def test_poses_are_found_to_half_a_millimetre(model: ObjectModel, yaw: float) -> None:
    """From 2 cm and 10 degrees off, at a distance of a metre, where a pixel is 5 mm wide."""
    X_WO = pose((0.02, -0.05, ON_SLAB[model.id]), (0, 0, yaw))
    near = X_WO @ pose((0.015, -0.01, 0.008), (0.05, 0.1, 0.15))
    found = fitted(model, seen(model, X_WO), near)
    distance, angle = pose_error(X_WO, found.X_WO)
    assert distance < 7e-4
    if symmetry_of(model.shapes).kind == "none":
        assert angle < np.radians(0.7)
    assert found.error < 5e-4
    assert found.missing == 0.0


def test_noise_averages_out() -> None:
    """Of 5 mm a pixel, about one remains."""
    X_WO = pose((0.02, -0.05, 0.06))
    found = fitted(CAN, seen(CAN, X_WO, noise=0.005), X_WO @ pose((0.01, 0.0, 0.0)))
    assert pose_error(X_WO, found.X_WO)[0] < 2e-3


def test_a_can_does_not_spin() -> None:
    """What nobody can see stays as it was; its axis is found."""
    X_WO, yaw = pose((0.0, 0.0, 0.06)), 1.2
    start = pose((0.01, 0.01, 0.06), (0.1, 0.0, yaw))
    found = fitted(CAN, seen(CAN, X_WO), start).X_WO
    assert angle_between(found[:3, 2], np.array([0.0, 0.0, 1.0])) < np.radians(0.5)
    assert np.arctan2(found[1, 0], found[0, 0]) == pytest.approx(yaw, abs=0.01)


def test_a_ball_does_not_turn() -> None:
    """At all."""
    start = pose((0.01, 0.01, 0.05), (0.4, 0.3, 0.2))
    found = fitted(BALL, seen(BALL, pose((0.0, 0.0, 0.05))), start).X_WO
    assert np.array_equal(found[:3, :3], start[:3, :3])


def test_what_is_not_seen_stays_as_it_was() -> None:
    """Of a slab that fills the image only height and tilt are told; where its edges are is not."""
    image = draw({"slab": (SLAB, pose())}, camera_at((-0.3, 0.0, 0.6)))
    start = pose((0.03, -0.02, 0.01), (0.0, 0.02, 0.1))
    found = fitted(SLAB, ImageSegment.of(image, 0), start).X_WO
    assert found[2, 3] == pytest.approx(0.0, abs=2e-3)
    assert found[:2, 3] == pytest.approx(start[:2, 3], abs=2e-3)
    assert np.arctan2(found[1, 0], found[0, 0]) == pytest.approx(0.1, abs=1e-3)


def test_a_wrong_place_costs_more() -> None:
    """Off to the side there is something else to be seen."""
    X_WO = pose((0.0, 0.0, 0.03))
    segment = seen(BRICK, X_WO)
    right, wrong = (fitted(BRICK, segment, X, 1).cost for X in (X_WO, X_WO @ pose((0.05, 0.1, 0.0))))
    assert right < 5e-4
    assert wrong > 5 * right


def test_what_is_looked_through_is_not_there() -> None:
    """What is hidden and what is out of view is not looked through."""
    surface = surface_of(CAN.shapes).coarse
    image = draw({"slab": (SLAB, pose())}, EYE)
    assert looked_through(surface, image, pose((0.0, 0.2, 0.06))) == 1.0
    assert looked_through(surface, image, pose((0.0, 0.0, -0.2))) == 0.0  # below the slab
    assert looked_through(surface, image, pose((-3.0, 0.0, 0.06))) == 0.0
