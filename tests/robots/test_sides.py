from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.robots.sides import other_side

FLIP = np.diag([1.0, -1.0, 1.0])


def test_mirrored_twice_is_the_same(robot: Robot) -> None:
    """Of both arms, hands and legs."""
    q = np.random.default_rng(0).uniform(robot.lower, robot.upper)
    sides = [chain for chain in robot.chains if "left" in chain]
    posture = {index: float(q[index]) for index in robot.indices(*sides)}
    once = robot.sides.image(posture)
    assert once is not None
    assert not set(once) & set(posture)
    assert robot.sides.image(once) == pytest.approx(posture)


def test_the_other_hand_is_at_the_mirror_image(robot: Robot) -> None:
    """Position and direction of approach, in the plane y = 0, with the trunk mirrored too."""
    random = np.random.default_rng(1)
    for _ in range(5):
        q = robot.posture(robot.stance)
        trunk = [chain for chain in ("torso", "left_arm") if chain in robot.chains]
        joints = list(robot.indices(*trunk))
        q[joints] = random.uniform(robot.lower[joints], robot.upper[joints])
        image = robot.sides.image({int(index): float(q[index]) for index in joints})
        assert image is not None
        other = robot.posture(robot.stance)
        other[list(image)] = list(image.values())
        left, right = hand_pose(robot, "left", q), hand_pose(robot, "right", other)
        np.testing.assert_allclose(right[:3, 3], FLIP @ left[:3, 3], atol=2e-3)
        np.testing.assert_allclose(right[:3, 2], FLIP @ left[:3, 2], atol=5e-3)


def test_the_image_is_within_the_limits(robot: Robot) -> None:
    """Left and right have mirrored limits."""
    for bound in (robot.lower, robot.upper):
        arm = robot.indices("left_arm")
        image = robot.sides.image({index: float(bound[index]) for index in arm})
        assert image is not None
        for index, position in image.items():
            assert robot.lower[index] - 0.02 <= position <= robot.upper[index] + 0.02


def test_the_trunk_is_its_own_partner() -> None:
    """Turning left becomes turning right, bowing stays bowing."""
    robot = load_robot("mannequin")
    yaw, pitch = robot.indices("torso")
    elbow, other = robot.joints.index("left_elbow"), robot.joints.index("right_elbow")
    assert robot.sides.image({yaw: 0.3, pitch: 0.2, elbow: 1.0}) == {yaw: -0.3, pitch: 0.2, other: 1.0}


def test_a_posture_of_the_trunk_alone_has_no_other_side() -> None:
    """Nothing that another limb could do."""
    robot = load_robot("mannequin")
    assert robot.sides.image({robot.indices("head")[0]: 0.3}) is None
    assert robot.sides.image({}) is None


def test_the_image_of_a_motion_is_at_every_instant_that_of_the_posture(robot: Robot) -> None:
    """Of arm and fingers, which are not mirror images of each other on every robot."""
    random = np.random.default_rng(2)
    joints = [*robot.indices("left_arm"), *robot.indices("left_hand" if "left_hand" in robot.chains else "left_arm")]
    places = {joint: random.uniform(robot.lower[joint], robot.upper[joint], 3) for joint in dict.fromkeys(joints)}
    tracks = {joint: list(zip((0.0, 0.7, 2.0), row.tolist(), strict=True)) for joint, row in places.items()}
    motion = Motion.through("any", tracks, periodic=False)
    image = motion.mirrored(robot.sides.image)
    assert image is not None
    for time in np.linspace(0.0, 2.0, 9):
        posture = dict(zip(motion.indices.tolist(), motion.sample(time)[0].tolist(), strict=True))
        wanted = robot.sides.image(posture)
        assert wanted is not None
        np.testing.assert_allclose(image.sample(time)[0], [wanted[int(joint)] for joint in image.indices], atol=1e-9)


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("arm_left_3_joint", "arm_right_3_joint"),
        ("RightWrist", "LeftWrist"),
        ("l_gripper_palm", "r_gripper_palm"),
        ("hand_r", "hand_l"),
        ("LHand", "RHand"),
        ("wheel", None),
        ("torso", None),
    ],
)
def test_names_of_the_other_side(name: str, image: str | None) -> None:
    """As robots' authors write them."""
    names = ["arm_right_3_joint", "LeftWrist", "r_gripper_palm", "hand_l", "RHand", "wheer", "torso"]
    assert other_side(name, names) == image
