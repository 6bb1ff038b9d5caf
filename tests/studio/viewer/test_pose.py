from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.studio.viewer.pose import placement, pose_of


@pytest.mark.parametrize("seed", range(20))
def test_a_placement_is_the_pose(seed: int) -> None:
    """As Pinocchio has it, up to the sign of the quaternion."""
    X = pin.SE3.Random().homogeneous if seed > 3 else pin.SE3(np.diag([1, 1, 1]), np.zeros(3)).homogeneous
    if 0 < seed <= 3:
        X[:3, :3] = -np.eye(3)
        X[seed - 1, seed - 1] = 1.0  # half a turn
    x, y, z, *rotation = placement(X.tolist())
    assert np.allclose([x, y, z], X[:3, 3])
    assert np.linalg.norm(rotation) == pytest.approx(1.0)
    assert np.allclose(pin.Quaternion(np.array(rotation)).matrix(), X[:3, :3])


def test_without_commands_the_joints_are_where_they_were_told_to_be() -> None:
    """A recording of another version."""
    assert pose_of({"q": [1.0]}) == {"q": [1.0], "commanded": [1.0], "objects": {}, "held": {}}
    assert pose_of({"q": [1.0], "commanded": [2.0], "held": {"left": "cup"}})["commanded"] == [2.0]
