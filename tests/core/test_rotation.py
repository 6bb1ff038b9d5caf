from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from taskmatrix.core.world.rotation import rotation_by


@pytest.mark.parametrize("angle", [0.0, 1e-12, 9e-5, 1.1e-4, 0.3, np.pi, 4.0])
def test_a_rotation_is_that_of_scipy(angle: float) -> None:
    """About axes in all directions, from nothing to more than half a turn."""
    for axis in np.random.default_rng(1).normal(size=(50, 3)):
        turn = angle * axis / np.linalg.norm(axis)
        np.testing.assert_allclose(rotation_by(turn), Rotation.from_rotvec(turn).as_matrix(), rtol=0.0, atol=1e-15)
