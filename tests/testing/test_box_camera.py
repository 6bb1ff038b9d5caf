from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.depth_image import NOTHING, OWN
from taskmatrix.testing.box_camera import BoxCamera, looking

AHEAD = looking((0.0, 0.0, 1.0), (1.0, 0.0, 1.0))


def test_points_of_an_image_are_on_the_box_or_on_the_floor() -> None:
    """Where its rays end; the first thing hides what is behind it."""
    camera = BoxCamera([((0.8, -0.1, 0.9), (1.0, 0.1, 1.1)), ((1.2, -2.0, 0.0), (1.4, 2.0, 2.0))])
    image = camera.image(looking((0.0, 0.0, 1.0), (1.0, 0.0, 0.8)))
    front = image.points(0)
    assert len(front) > 100
    on_faces = np.isclose(front, (0.8, -0.1, 0.9), atol=1e-5) | np.isclose(front, (1.0, 0.1, 1.1), atol=1e-5)
    assert on_faces.any(axis=1).all()
    assert image.points(1)[:, 0] == pytest.approx(1.2, abs=1e-5)
    assert image.points(NOTHING)[:, 2] == pytest.approx(0.0, abs=1e-5)


def test_out_of_range_there_is_nothing_and_too_near_nothing_is_measured() -> None:
    """As a depth camera has it."""
    far = BoxCamera([((2.0, -5.0, -5.0), (3.0, 5.0, 5.0))]).image(AHEAD)
    near = BoxCamera([((0.1, -5.0, -5.0), (3.0, 5.0, 5.0))]).image(AHEAD)
    assert np.isinf(far.depth).all()
    assert np.isnan(near.depth).all()
    assert (far.labels == NOTHING).all()


def test_boxes_may_be_the_robot_itself() -> None:
    """Then they are labelled so."""
    image = BoxCamera([((0.5, -5.0, -5.0), (3.0, 5.0, 5.0))], own=[0]).image(AHEAD)
    assert (image.labels == OWN).all()
