"""Pictures of what a camera sees."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.depth_image import NOTHING, OWN, DepthImage
from taskmatrix.studio.drawing.camera_image import draw_camera_image


def test_each_kind_of_pixel_has_its_colour() -> None:
    """Near is lighter than far; what was not measured is red; objects and the robot differ."""
    depth = np.array([[0.3, 1.4, np.nan, np.inf]], dtype=np.float32)
    labels = np.array([[0, 1, OWN, NOTHING]], dtype=np.int16)
    image = DepthImage(depth, labels, ("cup", "can"), np.eye(4), 0.6, (0.2, 1.5), 0.0)
    picture = np.asarray(draw_camera_image(image, scale=2)).astype(int)
    assert picture.shape == (2, 2 * 4 * 2 + 8, 3)
    near, far, unknown, nothing = (picture[0, k] for k in (0, 2, 4, 6))
    assert near.sum() > far.sum() > nothing.sum()
    assert unknown[0] > 2 * unknown[1:].max()
    objects = {tuple(picture[0, 16 + k].tolist()) for k in (0, 2, 4, 6)}
    assert len(objects) == 4
