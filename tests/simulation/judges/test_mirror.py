from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges.measures.mirror import mirror_image

from .setting import robot


@pytest.mark.parametrize(
    "name", ["asimo", "bandit", "mannequin", "talos", "nao", "romeo", "g1", "pr2", "icub", "human"]
)
def test_the_mirror_image_of_a_posture_has_the_other_hand_where_the_mirror_says(name: str) -> None:
    """For random postures of the right arm."""
    own, rng = robot(name), np.random.default_rng(0)
    arm = [own.joints[k] for k in own.indices(own.hands["right"].arm)]
    image = np.diag([1.0, -1.0, 1.0])
    for _ in range(5):
        posture = {joint: float(rng.uniform(-0.5, 0.5)) for joint in arm}
        other = mirror_image(own, posture)
        assert other is not None
        q, there = np.zeros(own.n), np.zeros(own.n)
        q[[own.joints.index(joint) for joint in posture]] = list(posture.values())
        there[[own.joints.index(joint) for joint in other]] = list(other.values())
        right, left = hand_pose(own, "right", q), hand_pose(own, "left", there)
        np.testing.assert_allclose(left[:3, 3], image @ right[:3, 3], atol=0.01)


def test_what_has_no_other_side_has_no_mirror_image() -> None:
    """The head is its own."""
    own = robot()
    assert mirror_image(own, {own.joints[own.indices("head")[0]]: 0.3}) is None
