"""Sweeps of the eyes."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.conditions.visible import HALF_ANGLE
from taskmatrix.soccer.sweep import levels


@pytest.mark.parametrize("lowest", np.radians([10.0, 29.5, 52.0, 75.0]).tolist())
def test_levels_leave_nothing_out(lowest: float) -> None:
    """From the highest to the lowest, less than the height of the image apart."""
    highest = min(float(np.radians(12.0)), lowest)
    found = levels(highest, lowest)
    assert (found[0], found[-1]) == pytest.approx((highest, lowest))
    assert all(0.0 < step < 2.0 * HALF_ANGLE for step in np.diff(found))
