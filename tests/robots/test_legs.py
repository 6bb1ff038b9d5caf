from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.robots import load_robot

LEGGED = ("nao", "g1", "talos", "icub", "romeo", "asimo", "mannequin")


@pytest.mark.parametrize("name", LEGGED)
def test_legs_stand_left_and_right_of_the_base(name: str) -> None:
    """Each with its own joints, its sole on the floor, and solid parts that reach down to it."""
    robot = load_robot(name)
    left, right = robot.legs
    assert (left.foot, right.foot) == ("left", "right")
    assert left.hip[1] > 0.0 > right.hip[1]
    assert not set(left.joints) & set(right.joints)
    assert all(set(leg.joints) <= set(robot.indices(*leg.chains)) for leg in robot.legs)
    for leg in robot.legs:
        assert leg.outline[:, 2].min() == pytest.approx(0.0, abs=2e-3)
        assert leg.outline[:, 0].max() > 0.05


@pytest.mark.parametrize("name", ["pr2", "bandit"])
def test_what_rolls_has_no_legs(name: str) -> None:
    """However many wheels it stands on."""
    assert load_robot(name).legs == ()


def test_joint_that_moves_both_feet_is_in_neither_leg() -> None:
    """Nao's slanting joint in the pelvis."""
    robot = load_robot("nao")
    moved = {robot.joints[joint] for leg in robot.legs for joint in leg.joints}
    assert moved == {robot.joints[joint] for joint in robot.chains["legs"]} - {"left_hip_yaw_pitch"}
    assert np.all([len(leg.joints) == 5 for leg in robot.legs])
