# ruff: noqa: E501  # one case a line, with its whole message
"""The adapter: what it makes of a robot, and what it says when something does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.base.errors import MissingDependencyError, RobotError
from taskmatrix.robots import Robot, load_robot

Tiny = Callable[..., Path]


def test_tiny_robot_is_read_as_written(tiny: Tiny) -> None:
    """Names, limits and frames of a small adapter arrive as they were written."""
    robot = load_robot(tiny())
    assert robot.joints == ("base_x", "base_y", "base_yaw", "roll", "shoulder", "wrist", "jaw")
    assert robot.chains == {"base": (0, 1, 2), "arm": (4, 5), "hand": (6,), "wheels": (3,)}
    assert robot.velocity.tolist() == [0.5, 0.5, 1.0, 2.0, 2.0, 1.0, 0.5]
    assert robot.acceleration.tolist() == [0.7, 0.7, 1.5, 6.0, 6.0, 6.0, 6.0]
    assert robot.upper[[0, 1, 2, 4, 5]].tolist() == [5.0, 5.0, 6.3, 2.0, 1.0]
    assert robot.postures["stand"] == {"shoulder": 0.3, "jaw": 0.02}


def test_a_leader_stops_before_its_follower_goes_too_far(tiny: Tiny) -> None:
    """The follower's range of -40 to 0 mm leaves the leader -2 to 38 mm, of which it may itself use 0 to 38."""
    robot = load_robot(tiny())
    i = robot.joints.index("jaw")
    assert robot.lower[i] == pytest.approx(0.0)
    assert robot.upper[i] == pytest.approx(0.038)


def test_an_adapter_may_narrow_a_joints_range(tiny: Tiny) -> None:
    """Of a revolute joint, and of one that turns without end in the URDF."""
    narrow = "[limits.position]\nwrist = [-1, 0.25]\nroll = [-4, 4]\n[chains]"
    robot = load_robot(tiny(robot=("[chains]", narrow)))
    at = [robot.joints.index(joint) for joint in ("wrist", "roll", "shoulder")]
    assert robot.lower[at].tolist() == [-1.0, -4.0, -1.0]
    assert robot.upper[at].tolist() == [0.25, 4.0, 2.0]


def test_a_follower_on_the_wrong_side_of_zero_does_not_stop_its_leader(tiny: Tiny) -> None:
    """Limits of a follower that leave nothing of the leader's range are not kept, and reported."""
    robot = load_robot(tiny(urdf=('lower="-0.04" upper="0"', 'lower="0" upper="0.05"')))
    i = robot.joints.index("jaw")
    assert (robot.lower[i], robot.upper[i]) == (0.0, 0.05)
    assert "jaw_mirror: its limits leave no range to 'jaw', which it follows; not kept" in robot.limit_reports


def test_a_continuous_joint_of_an_arm_keeps_within_a_turn(tiny: Tiny) -> None:
    """A wheel rolls on; a wrist would be wound up."""
    written = 'type="revolute"><origin xyz="0 0 -0.35"'
    robot = load_robot(tiny(urdf=(written, written.replace("revolute", "continuous"))))
    wrist, wheel = robot.joints.index("wrist"), robot.joints.index("roll")
    assert (robot.lower[wrist], robot.upper[wrist]) == (-np.pi, np.pi)
    assert robot.upper[wheel] == 1000.0


def test_wheels_that_are_only_drawn_stand_on_the_floor(tiny: Tiny) -> None:
    """Without a collision body it is the visual one that touches the floor."""
    drawn = '<link name="foot"><visual><geometry><cylinder radius="0.1" length="0.06"/></geometry></visual></link>'
    solid = drawn.replace("visual", "collision")
    assert load_robot(tiny(urdf=(solid, drawn))).base_height == pytest.approx(0.33)
    with pytest.raises(RobotError, match=r"base\.floor: none of these links has a body to stand on"):
        load_robot(tiny(urdf=(solid, '<link name="foot"/>')))


def test_mimic_joints_follow_with_ratio_and_offset(tiny: Tiny) -> None:
    """The second jaw is at minus the first one's position, less 2 mm."""
    robot = load_robot(tiny())
    full = robot.expand(np.array([0, 0, 0, 0, 0, 0, 0.03]))
    model = robot.model
    assert full[model.joints[model.getJointId("jaw_mirror")].idx_q] == pytest.approx(-0.032)


def test_the_forward_direction_becomes_x(tiny: Tiny) -> None:
    """A robot whose URDF looks along y looks along x of the world when its yaw is zero."""
    robot = load_robot(tiny())
    assert robot.view is not None
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.expand(robot.posture("stand")))
    X_WV = data.oMf[robot.model.getFrameId("trunk")].homogeneous @ robot.view.X_LV
    np.testing.assert_allclose(X_WV[:3, :3], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-12)


def test_the_sole_stands_on_the_floor(tiny: Tiny) -> None:
    """The foot's cylinder ends 0.33 m below the root, so the root is carried 0.33 m above the floor."""
    robot = load_robot(tiny())
    assert robot.base_height == pytest.approx(0.33)
    assert robot.height == pytest.approx(0.73)
    assert robot.shoulder_height == pytest.approx(0.73)


def test_an_upper_body_stands_on_what_its_urdf_has_not(tiny: Tiny) -> None:
    """All of it is higher by that."""
    robot = load_robot(tiny(robot=('floor = ["foot"]', 'floor = ["foot"]\nheight = 0.9')))
    assert robot.base_height == pytest.approx(1.23)
    assert robot.height == pytest.approx(1.63)
    assert robot.shoulder_height == pytest.approx(1.63)
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.expand(robot.posture("stand")))
    assert data.oMf[robot.model.getFrameId("foot")].translation[2] == pytest.approx(0.93)


def test_a_base_may_only_turn_and_roll(tiny: Tiny) -> None:
    """If the adapter says so."""
    assert load_robot(tiny()).drive == "omnidirectional"
    assert not load_robot(tiny()).rolls
    robot = load_robot(tiny(robot=('floor = ["foot"]', 'floor = ["foot"]\ndrive = "differential"')))
    assert robot.drive == "differential"
    assert robot.rolls


def test_every_robot_stands_within_two_millimetres(robot: Robot) -> None:
    """A floor raised by 1 mm is touched by the soles or wheels and by nothing else; lowered by 1 mm, by nothing."""
    data, geometry_data = robot.model.createData(), robot.collision_data()
    pin.updateGeometryPlacements(
        robot.model, data, robot.collision, geometry_data, robot.expand(robot.posture(robot.stance))
    )

    def touching(z: float) -> set[str]:
        floor, found = coal.Box(4.0, 4.0, 0.2), set()
        for body, X in zip(robot.collision.geometryObjects, geometry_data.oMg, strict=True):
            result = coal.CollisionResult()
            poses = coal.Transform3s(X.rotation, X.translation), coal.Transform3s(np.eye(3), np.array([0, 0, z - 0.1]))
            if coal.collide(body.geometry, poses[0], floor, poses[1], coal.CollisionRequest(), result):
                found.add(robot.model.frames[body.parentFrame].name)
        return found

    solid = {robot.model.frames[body.parentFrame].name for body in robot.collision.geometryObjects}
    assert touching(0.001) <= set(robot.floor_links)
    assert touching(0.001) or solid.isdisjoint(robot.floor_links)  # wheels may only be drawn
    assert not touching(-0.001)


def test_a_posture_may_say_one_side_only() -> None:
    """The other is its mirror image, in signs too; and a posture may be that of another."""
    robot = load_robot("talos")
    stand, wave = robot.postures["stand"], robot.postures["wave_ready_left"]
    assert stand["arm_left_2_joint"] == 0.3
    assert stand["arm_right_2_joint"] == -0.3
    assert stand["torso_2_joint"] == 0.13
    assert stand["gripper_right_joint"] == stand["gripper_left_joint"] == -0.35
    assert "gripper_right_joint" not in wave
    assert wave["arm_left_2_joint"] == -robot.postures["wave_ready_right"]["arm_right_2_joint"]


SPOILED = [
    ({"urdf": ('multiplier="-1"', 'multiplier="minus"')}, r"tiny\.urdf: joint 'jaw_mirror', <mimic>: multiplier=\"minus\" is not a number"),
    ({"urdf": ('mimic joint="jaw"', 'mimic joint="jow"')}, r"tiny\.urdf: joint 'jaw_mirror', <mimic>: no joint 'jow'; did you mean 'jaw'"),
    ({"urdf": ('<parent link="arm"/>', '<parent link="amr"/>')}, r"tiny\.urdf: joint 'wrist', <parent>: no link 'amr'; did you mean 'arm'"),
    ({"urdf": ('<box size="0.04 0.02 0.04"/>', '<mesh filename="package://tiny/palm.stl"/>')}, r"tiny\.urdf: the mesh 'package://tiny/palm\.stl' is not below"),
    ({"urdf": "<sdf/>"}, r"tiny\.urdf: the outermost element is <sdf>"),
    ({"robot": ('urdf = "tiny.urdf"', 'urdf = "tyni.urdf"')}, r"robot\.toml: model\.urdf: .*tyni\.urdf does not exist"),
    ({"urdf": ("</robot>", "")}, r"tiny\.urdf: not well-formed XML: .*line \d+"),
    ({"robot": ('["shoulder", "wrist"]', '["shoulder", "wirst"]')}, r"robot\.toml: chains\.arm: no joint 'wirst'; did you mean 'wrist'"),
    ({"robot": ('["shoulder", "wrist"]', '["shoulder", "jaw_mirror"]')}, r"chains\.arm: the joint 'jaw_mirror' only follows 'jaw'"),
    ({"robot": ('["roll"]', '["roll", "wrist"]')}, r"chains\.wheels: the joint 'wrist' is in the chain 'arm' already"),
    ({"robot": ('wheels = ["roll"]', 'base = ["roll"]')}, r"chains\.base: the base is always there"),
    ({"robot": ('frame = "palm"', 'frame = "plam"')}, r"hands\.only\.frame: no link 'plam'; did you mean 'palm'"),
    ({"robot": ('"jaw_a", "jaw_b"]', '"jaw_c"]')}, r"hands\.only\.touch: no link 'jaw_c'"),
    ({"robot": ('fingers = "hand"', 'fingers = "hnad"')}, r"hands\.only\.fingers: no chain 'hnad'; did you mean 'hand'"),
    ({"robot": ("open = { jaw = 0.038 }", "open = { jaw = 0.2 }")}, r"hands\.only\.open\.jaw: 0\.2 is outside the joint's limits, 0 to 0\.038"),
    ({"robot": ("closed = { jaw = 0.0 }", "closed = { wrist = 0.0 }")}, r"hands\.only\.closed: must give the fingers' joints \['jaw'\]"),
    ({"robot": ("width = 0.088", "width = 0.001")}, r"hands\.only\.table: two or more rows in the order of growing width"),
    ({"robot": ("y = [0.0, 1.0, 0.0]", "y = [0.0, 1.0, 1.0]")}, r"hands\.only\.y: must be perpendicular to z"),
    ({"robot": ('frame = "trunk"', 'frame = "head"')}, r"view\.frame: no link 'head'"),
    ({"robot": ('floor = ["foot"]', 'floor = ["feet"]')}, r"base\.floor: no link 'feet'; did you mean 'foot'"),
    ({"robot": ('floor = ["foot"]', 'floor = ["foot"]\nheight = -0.1')}, r"robot\.toml: base\.height: must be from 0 to 10, got -0\.1"),
    ({"robot": ("velocity = [0.5, 1.0]", "velocity = [0.5, 0.0]")}, r"base\.velocity: must be above zero"),
    ({"robot": ("acceleration = 6.0", "acceleration = 0")}, r"limits\.acceleration: must be above zero"),
    ({"robot": ("[chains]", "[limits.position]\nwrsit = [0, 1]\n[chains]")}, r"robot\.toml: limits\.position\.wrsit: no joint 'wrsit'; did you mean 'wrist'"),
    ({"robot": ("[chains]", "[limits.position]\nwrist = [-0.5, 1.2]\n[chains]")}, r"limits\.position\.wrist: -0\.5 to 1\.2 is wider than the URDF leaves the joint, -1 to 1"),
    ({"robot": ("[chains]", "[limits.position]\nwrist = [0.5, 0.5]\n[chains]")}, r"limits\.position\.wrist: the lower end must be below the upper one, got \[0\.5, 0\.5\]"),
    ({"robot": ("[chains]", "[limits.position]\nwrist = [0.5]\n[chains]")}, r"limits\.position\.wrist: expected 2 numbers, got \[0\.5\]"),
    ({"robot": ("[chains]", "[limits.position]\njaw_mirror = [-0.01, 0]\n[chains]")}, r"limits\.position\.jaw_mirror: this joint follows another one"),
    ({"robot": ("[chains]", "[limits.position]\nbase_yaw = [-1, 1]\n[chains]")}, r"limits\.position\.base_yaw: how far the base goes is said by base\.range"),
    ({"robot": ("[chains]", "[limits.position]\nshoulder = [0.5, 1]\n[chains]")}, r"postures\.toml: stand\.shoulder: 0\.3 is outside the joint's limits, 0\.5 to 1"),
    ({"robot": ("[limits]", "[limist]")}, r"robot\.toml: limist: no key 'limist'; did you mean 'limits'"),
    ({"robot": ("range = [5.0, 6.3]", "range = [5.0]")}, r"base\.range: expected 2 numbers, got \[5\.0\]"),
    ({"robot": ('floor = ["foot"]', 'floor = ["foot"]\nstance = "stnad"')}, r"base\.stance: no posture 'stnad'; did you mean 'stand'"),
    ({"robot": ('floor = ["foot"]', 'floor = ["foot"]\ndrive = "diferential"')}, r"robot\.toml: base\.drive: no drive 'diferential'; did you mean 'differential'"),
    ({"robot": "[model\nurdf = 3"}, r"robot\.toml: not a valid TOML file: .*line 1"),
    ({"postures": ("shoulder = 0.3", "shoulder = 2.5")}, r"postures\.toml: stand\.shoulder: 2\.5 is outside the joint's limits, -1 to 2"),
    ({"postures": ("shoulder = 0.3", "sholder = 0.3")}, r"postures\.toml: stand\.sholder: no joint 'sholder'; did you mean 'shoulder'"),
    ({"postures": ("shoulder = 0.3", "mirror = true\nshoulder = 0.3")}, r"postures\.toml: stand\.mirror: none of these joints is in a chain with a partner"),
    ({"postures": ("jaw = 0.02", 'jaw = 0.02\n[bow]\nmirror = "stnad"')}, r"postures\.toml: bow\.mirror: no posture 'stnad'; did you mean 'stand'"),
    ({"urdf": ('xyz="0 -0.3 0.4"', 'xyz="0 -0.11 0.4"')}, r"postures\.toml: stand: the robot touches itself in this posture: arm and trunk"),
    ({"motions": "[wave]\n[wave.joints]\nwrist = [[0, 0], [1, 3]]"}, r"motions\.toml: wave\.joints\.wrist: 3 is outside the joint's limits"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "message"), SPOILED, ids=[message[:40] for _, message in SPOILED])
def test_what_does_not_fit_is_named_with_file_and_key(
    tiny: Tiny, changes: dict[str, tuple[str, str] | str], message: str
) -> None:
    """Each mistake is a RobotError that says where it stands, what is wrong and what would be right."""
    with pytest.raises(RobotError) as caught:
        load_robot(tiny(**changes))
    assert re.search(message, str(caught.value)), str(caught.value)


def test_a_missing_package_says_how_to_get_it(tiny: Tiny) -> None:
    """An adapter whose URDF is in a package that is not installed names the extra that installs it."""
    path = tiny(robot=("[model]", '[model]\npackage = "no-such-robots"'))
    with pytest.raises(MissingDependencyError, match=r'no-such-robots.*not installed.*pip install -e "\.\[robots\]"'):
        load_robot(path)


def test_a_package_without_the_file_is_an_error(tiny: Tiny) -> None:
    """A package that is there but has no such URDF is named with its version."""
    path = tiny(robot=('urdf = "tiny.urdf"', 'package = "numpy"\nurdf = "data/tiny.urdf"'))
    with pytest.raises(RobotError, match=r"model\.urdf: the package 'numpy' [\d.]+ has no file that ends with"):
        load_robot(path)


def test_missing_limits_are_reported(tiny: Tiny) -> None:
    """Continuous joints and limits that are zero are listed, with the joint's name."""
    robot = load_robot(tiny(urdf=('upper="1" velocity="1" effort="10"', 'upper="1" velocity="0" effort="inf"')))
    assert set(robot.limit_reports) == {
        "roll: continuous, no position limits",
        "wrist: velocity limit is zero",
        "wrist: effort limit is inf",
    }
    assert robot.velocity[robot.joints.index("wrist")] == 2.0


def test_limits_turned_round_are_taken_in_turn_and_reported(tiny: Tiny) -> None:
    """A lower limit above the upper leaves the joint the way between them."""
    path = tiny(urdf=('lower="-1" upper="1" velocity="1" effort="10"', 'lower="1" upper="-1" velocity="1" effort="10"'))
    robot = load_robot(path)
    index = robot.joints.index("wrist")
    assert (robot.lower[index], robot.upper[index]) == (-1.0, 1.0)
    assert "wrist: lower limit 1.0 is above the upper limit -1.0; they are taken in turn" in robot.limit_reports
