"""Whether a camera is frozen: it delivers again what it delivered before, as if it were new."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.depth_image import OWN, DepthImage

from .track import ROUGH

FLOOR = 0.05  # [m] that the floor may be lower than it should be, before the camera


def is_frozen(before: DepthImage, image: DepthImage) -> bool:
    """Whether an image repeats the last one that counted though it cannot show the same: it says nothing then.

    A camera that stands still and has no noise shows the same as long as nothing changes, and that counts. Noise never
    repeats itself, and a camera that was moved sees something else; but where there is nothing to see except the robot
    itself, images are the same wherever the camera looks. Such a one counts all the same, unless it would have to show
    the floor.
    """
    if not np.array_equal(before.depth, image.depth, equal_nan=True):
        return False
    if np.array_equal(before.X_WC, image.X_WC):
        return image.noise > ROUGH
    shows = np.isfinite(image.depth) & (image.labels != OWN)
    return bool(shows.any() or (_floor_within_range(image) & np.isposinf(image.depth)).any())


def _floor_within_range(image: DepthImage) -> NDArray[np.bool_]:
    """(h, w) Which pixels look at the floor, if nothing is before it."""
    fall = -(image.rays.astype(float) @ image.X_WC[2, :3])
    within: NDArray[np.bool_] = fall * image.range[1] > image.X_WC[2, 3] + FLOOR
    return within
