"""What a depth image says about places."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.depth_image import NOTHING, OWN, DepthImage
from taskmatrix.core.world.geometry import pose


def image_of(depth: float, height: int = 12, width: int = 16) -> DepthImage:
    """A wall across the view; the camera is 1 m up and looks along the world's y."""
    labels = np.full((height, width), NOTHING, dtype=np.int16)
    labels[3:6, 4:9] = 0
    labels[0, 0] = OWN
    X_WC = pose((0.5, 0.0, 1.0))
    X_WC[:3, :3] = np.column_stack([(0, 1, 0), (0, 0, 1), (1, 0, 0)])
    full = np.full((height, width), depth, dtype=np.float32)
    return DepthImage(full, labels, ("cup",), X_WC, np.radians(35.0), (0.2, 1.5), 0.0)


def test_points_are_where_their_pixels_look() -> None:
    """Above and left of the middle of the view, at the distance of the wall."""
    points = image_of(1.2).points(0)
    assert points.shape == (15, 3)
    assert points[:, 1] == pytest.approx(1.2)
    assert (points[:, 2] > 1.0).all()
    assert points[:, 0].min() < 0.5


def test_projection_undoes_points() -> None:
    """Each point falls into the pixel that showed it."""
    image = image_of(0.9)
    row, column, depth = image.project(image.points(0))
    assert sorted(zip(row.tolist(), column.tolist(), strict=True)) == [(r, c) for r in range(3, 6) for c in range(4, 9)]
    assert depth == pytest.approx(0.9)


def test_what_is_outside_or_behind_has_no_pixel() -> None:
    """Both are -1 then."""
    row, column, _ = image_of(1.0).project(np.array([[0.5, -1.0, 1.0], [5.0, 1.0, 1.0], [0.5, 1.0, 1.0]]))
    assert row.tolist()[:2] == column.tolist()[:2] == [-1, -1]
    assert (row[2], column[2]) == (6, 8)


def test_pixels_without_depth_have_no_points() -> None:
    """Neither what dropped out nor what is too far."""
    image = image_of(1.0)
    image.depth[3] = np.nan
    image.depth[4] = np.inf
    assert len(image.points(0)) == 5


def test_images_of_two_sizes_are_an_error() -> None:
    """It says which sizes."""
    with pytest.raises(ParameterError, match=r"not \(2, 2\) and \(2, 3\)"):
        DepthImage(np.zeros((2, 2), np.float32), np.zeros((2, 3), np.int16), (), np.eye(4), 0.5, (0.2, 1.5), 0.0)
