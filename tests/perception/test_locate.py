"""Objects that were not seen before."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import angle_between, pose, pose_error
from taskmatrix.core.world.symmetry import symmetry_of
from taskmatrix.perception.fit import ImageSegment
from taskmatrix.perception.locate import locate
from taskmatrix.perception.surface import surface_of

from .drawing import CAN, CORNER, SLAB, camera_at, draw

EYE = camera_at((-0.7, 0.3, 0.6))


@pytest.mark.parametrize("yaw", np.radians([-170.0, -80.0, 15.0, 100.0]))
def test_an_upright_object_is_found_whichever_way_it_faces(yaw: float) -> None:
    """Without a hint."""
    X_WO = pose((0.05, -0.1, 0.025), (0, 0, yaw))
    image = draw({"slab": (SLAB, pose()), "corner": (CORNER, X_WO)}, EYE)
    found = locate(surface_of(CORNER.shapes), symmetry_of(CORNER.shapes), ImageSegment.of(image, 1))
    distance, angle = pose_error(X_WO, found.X_WO)
    assert distance < 1e-3
    assert angle < np.radians(1.0)


def test_a_can_that_fell_over_is_found() -> None:
    """It lies on its side, whichever way."""
    X_WO = pose((0.0, 0.0, 0.035), (np.pi / 2, 0, 0.7))
    image = draw({"slab": (SLAB, pose()), "can": (CAN, X_WO)}, EYE)
    found = locate(surface_of(CAN.shapes), symmetry_of(CAN.shapes), ImageSegment.of(image, 1))
    assert pose_error(X_WO, found.X_WO)[0] < 1e-3
    tilt = angle_between(X_WO[:3, 2], found.X_WO[:3, 2])
    assert min(tilt, np.pi - tilt) < np.radians(1.0)


def test_where_it_was_is_tried_first() -> None:
    """Also on a side that no other beginning is near."""
    X_WO = pose((0.0, 0.05, 0.1), (0.6, 0.5, 0.2))
    image = draw({"corner": (CORNER, X_WO)}, EYE)
    before = X_WO @ pose((0.3, 0.1, 0.0), (0.05, 0.0, 0.05))
    found = locate(surface_of(CORNER.shapes), symmetry_of(CORNER.shapes), ImageSegment.of(image, 0), before)
    assert pose_error(X_WO, found.X_WO)[0] < 1e-3
