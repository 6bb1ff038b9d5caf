"""A wave and a nod are proposed from structure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.gestures import WAVE_READY
from taskmatrix.robots.adoption.proposal import propose
from taskmatrix.robots.adoption.writing import write
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills.collision.collision import CollisionChecker
from tests.robots.adoption.made import NAMES, cart, plain_arm, proposal_of


@pytest.mark.parametrize("name", NAMES)
def test_a_raised_hand_waves_from_side_to_side(name: str, tmp_path: Path) -> None:
    """Above the shoulder, by more sideways than to and fro, and nothing touches."""
    write(proposal_of(name), tmp_path / name)
    robot = load_robot(tmp_path / name)
    motion, checker = robot.motions["wave"], CollisionChecker(robot)
    assert motion.periodic
    places = []
    for k in range(5):
        q = robot.posture(WAVE_READY)
        for joint, track in motion.keyframes.items():
            q[robot.joints.index(joint)] = track[min(k, len(track) - 1)][1]
        assert checker.contact(q) is None
        places.append(hand_pose(robot, "right", q)[:3, 3])
    assert min(place[2] for place in places) > robot.shoulder_height
    moved = np.ptp(places, axis=0)
    assert moved[1] > 0.03 * robot.height
    assert moved[1] > moved[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_left_hand_may_wave_as_well(name: str, tmp_path: Path) -> None:
    """With the mirror image of the posture."""
    write(proposal_of(name), tmp_path / name)
    robot = load_robot(tmp_path / name)
    q = {side: robot.posture(f"wave_ready_{side}") for side in ("left", "right")}
    left, right = (hand_pose(robot, side, q[side])[:3, 3] for side in ("left", "right"))
    np.testing.assert_allclose(left, right * [1, -1, 1], atol=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_a_nod_looks_down(name: str, tmp_path: Path) -> None:
    """And up again."""
    write(proposal_of(name), tmp_path / name)
    robot = load_robot(tmp_path / name)
    (track,) = robot.motions["nod"].keyframes.values()
    assert not robot.motions["nod"].periodic
    assert track[0][1] == track[-1][1]
    assert robot.view is not None
    heights = []
    for _, position in track[:2]:
        q = robot.posture(robot.stance)
        q[robot.joints.index(next(iter(robot.motions["nod"].keyframes)))] = position
        data = robot.model.createData()
        pin.framesForwardKinematics(robot.model, data, robot.expand(q))
        frame = data.oMf[robot.model.getFrameId(robot.view.frame)]
        heights.append(float((frame.rotation @ robot.view.X_LV[:3, 0])[2]))
    assert heights[1] < heights[0] - 0.1


def test_what_has_no_head_or_arm_has_no_gesture(tmp_path: Path) -> None:
    """Without an arm no wave, without something that pitches no nod, and then no file."""
    (tmp_path / "cart.urdf").write_text(cart())
    (tmp_path / "arm.urdf").write_text(plain_arm())
    assert propose(tmp_path / "cart.urdf").gestures.motions == {}
    assert list(propose(tmp_path / "arm.urdf").gestures.motions) == ["wave"]
    write(propose(tmp_path / "cart.urdf"), tmp_path / "cart")
    assert not (tmp_path / "cart" / "motions.toml").exists()
