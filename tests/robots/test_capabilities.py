"""What robots provide: derived from their models, or declared by their adapters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.capabilities import GRAVITY, _Limb
from taskmatrix.robots.hand_pose import hand_pose

from .conftest import loaded

LONG = 0.41  # [m] from the shoulder of the tiny robot to its hand
WEIGHED = (
    '<link name="arm">',
    '<link name="arm"><inertial><origin xyz="0 0 -0.2"/><mass value="1"/>'
    '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>',
)
NECK = (
    '<link name="wheel">',
    '<link name="skull"><collision><origin xyz="0 0 1"/><geometry><sphere radius="0.05"/></geometry></collision></link>'
    '<link name="neck"/>'
    '<joint name="pan" type="revolute"><origin xyz="0 0 0.9"/><parent link="trunk"/><child link="neck"/>'
    '<axis xyz="0 0 1"/><limit lower="-0.5" upper="1.0" velocity="1" effort="1"/></joint>'
    '<joint name="tilt" type="revolute"><parent link="neck"/><child link="skull"/>'
    '<axis xyz="1 0 0"/><limit lower="-0.75" upper="0.25" velocity="1" effort="1"/></joint>'
    '<link name="wheel">',
)


def test_the_payload_is_what_the_weakest_joint_holds_of_a_load_on_a_stretched_arm(tiny: Callable[..., Path]) -> None:
    """The wrist turns about the forearm and is not loaded; the shoulder has 10 N m for 0.41 m."""
    hand = load_robot(tiny()).capabilities.hands["only"]
    assert (hand.arm, hand.joints, hand.fingers, hand.opening) == ("arm", 2, 1, (0.012, 0.07))
    assert hand.reach == pytest.approx(LONG)
    assert hand.payload == pytest.approx(10 / GRAVITY / LONG)
    assert not hand.declared


def test_the_weight_of_the_arm_is_taken_off(tiny: Callable[..., Path]) -> None:
    """One kilogram at 0.2 m from the shoulder."""
    hand = load_robot(tiny(urdf=WEIGHED)).capabilities.hands["only"]
    assert hand.payload == pytest.approx((10 / GRAVITY - 0.2) / LONG)


@pytest.mark.parametrize(
    ("effort", "why"),
    [
        ("0", "the URDF has no effort for 'shoulder'"),
        ("1000", "the URDF has an effort of 1000, which stands for none, for 'shoulder'"),
        ("0.5", "the effort of 'shoulder', 0.5, does not hold the arm itself"),
    ],
)
def test_efforts_that_cannot_be_right_say_nothing(tiny: Callable[..., Path], effort: str, why: str) -> None:
    """Missing, absurd, or too small to hold the arm alone; and which it is, is told."""
    adapter = tiny(urdf=WEIGHED)
    urdf = adapter.parent / "tiny.urdf"
    limits = 'upper="2" velocity="5" effort="10"'
    text = urdf.read_text(encoding="utf-8")
    assert limits in text
    urdf.write_text(text.replace(limits, limits.replace('"10"', f'"{effort}"')), encoding="utf-8")
    hand = load_robot(adapter).capabilities.hands["only"]
    assert (hand.payload, hand.unknown) == (None, why)


def test_a_base_without_room_stands(tiny: Callable[..., Path]) -> None:
    """As the range in its adapter has it."""
    assert load_robot(tiny()).capabilities.room == (5.0, 6.3)
    still = load_robot(tiny(robot=("range = [5.0, 6.3]", "range = [0.001, 0.001]")))
    assert still.capabilities.description["base"].startswith("stands")


def test_a_payload_and_a_range_that_are_declared_win(tiny: Callable[..., Path]) -> None:
    """Over those that follow from the model."""
    text = "aperture = 0.07\npayload = 0.2"
    provided = load_robot(tiny(robot=("aperture = 0.07", text))).capabilities
    assert (provided.hands["only"].payload, provided.hands["only"].declared) == (0.2, True)
    view = load_robot(tiny(robot=("[view]", "[view]\nrange = [0.3, 4.0]"))).capabilities.view
    assert view is not None
    assert view.range == (0.3, 4.0)
    assert not view.turns


def test_the_field_of_view_is_declared_in_degrees(tiny: Callable[..., Path]) -> None:
    """And not known unless it is."""
    views = [load_robot(tiny(robot=("[view]", f"[view]\n{line}"))).view for line in ("field_of_view = 60.0", "")]
    assert [None if view is None else view.field_of_view for view in views] == [pytest.approx(np.pi / 3), None]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("aperture = 0.07", "aperture = 0.07\npayload = 0.0", r"hands\.only\.payload: must be above zero, got 0\.0"),
        ("aperture = 0.07", 'aperture = 0.07\npayload = "1 kg"', r"hands\.only\.payload: expected a finite number"),
        ("aperture = 0.07", "aperture = 0.07\npayloads = 1", r"no key 'payloads'; did you mean 'payload'"),
        ("[view]", "[view]\nrange = [4.0, 0.3]", r"view\.range: must be the nearest and the furthest"),
        ("[view]", "[view]\nrange = 4.0", r"view\.range: expected a list"),
        ("[view]", "[view]\nfield_of_view = 180.0", r"view\.field_of_view: must be between 0 and 180 degrees, got 180"),
    ],
)
def test_what_is_declared_wrongly_is_refused(tiny: Callable[..., Path], old: str, new: str, message: str) -> None:
    """With the place in the file."""
    with pytest.raises(RobotError, match=message):
        load_robot(tiny(robot=(old, new)))


def test_how_far_the_view_turns_follows_from_the_limits_of_the_neck(tiny: Callable[..., Path]) -> None:
    """Of a robot that looks along the y axis of its root."""
    adapter = tiny(urdf=NECK)
    text = adapter.read_text(encoding="utf-8").replace('wheels = ["roll"]', 'wheels = ["roll"]\nhead = ["pan", "tilt"]')
    adapter.write_text(text.replace('[view]\nframe = "trunk"', '[view]\nframe = "skull"'), encoding="utf-8")
    view = load_robot(adapter).capabilities.view
    assert view is not None
    assert view.turns
    np.testing.assert_allclose((view.left, view.right, view.up, view.down), (1.0, 0.5, 0.25, 0.75), atol=1e-3)


@pytest.mark.parametrize("off", [-1e-9, 1e-9])
def test_a_neck_that_nods_first_turns_as_far_to_both_sides(tiny: Callable[..., Path], off: float) -> None:
    """Wherever rounding has it look at rest: looking up or down is no way to look to the side."""
    old, neck = NECK
    for one, other in (("0 0 1", "z"), ("1 0 0", "0 0 1"), ("z", "1 0 0")):
        neck = neck.replace(f'axis xyz="{one}"', f'axis xyz="{other}"')
    neck = neck.replace('xyz="0 0 0.9"', f'xyz="0 0 0.9" rpy="0 0 {off}"')
    neck = neck.replace('"-0.5" upper="1.0"', '"-1.2" upper="1.2"').replace(
        '"-0.75" upper="0.25"', '"-0.8" upper="0.8"'
    )
    adapter = tiny(urdf=(old, neck))
    text = adapter.read_text(encoding="utf-8").replace('wheels = ["roll"]', 'wheels = ["roll"]\nhead = ["pan", "tilt"]')
    adapter.write_text(text.replace('[view]\nframe = "trunk"', '[view]\nframe = "skull"'), encoding="utf-8")
    view = load_robot(adapter).capabilities.view
    assert view is not None
    assert min(view.left, view.right) >= 0.8  # more where it looks down a little
    np.testing.assert_allclose((view.left, view.up, view.down), (view.right, 1.2, 1.2), atol=1e-3)


def test_a_differential_base_is_not_holonomic() -> None:
    """It only turns and rolls."""
    assert not loaded("bandit").capabilities.holonomic
    assert loaded("asimo").capabilities.holonomic


def test_no_configuration_is_further_than_the_reach(robot: Robot) -> None:
    """To a hundredth; nor is all that was drawn at random much nearer."""
    random = np.random.default_rng(0)
    for name, hand in robot.capabilities.hands.items():
        joints = list(robot.indices(hand.arm))
        shoulder, furthest = robot.model.getJointId(robot.joints[min(joints)]), 0.0
        for _ in range(300):
            q = robot.posture(robot.stance)
            q[joints] = random.uniform(robot.lower[joints], robot.upper[joints])
            place = hand_pose(robot, name, q)[:3, 3]
            furthest = max(furthest, float(np.linalg.norm(place - robot.data.oMi[shoulder].translation)))
        assert 0.85 * hand.reach < furthest < 1.01 * hand.reach


def test_what_the_library_says_of_its_robots() -> None:
    """G1 has no neck, iCub's palms affix, and springs carry the arms of PR2."""
    g1, icub, pr2 = (loaded(name).capabilities for name in ("g1", "icub", "pr2"))
    assert g1.view is not None
    assert not g1.view.turns
    assert {hand.fingers for hand in icub.hands.values()} == {0}
    assert {hand.payload for hand in pr2.hands.values()} == {None}
    assert not any(hand.declared for robot in (g1, icub, pr2) for hand in robot.hands.values())


def test_what_an_arm_carries_is_no_view_into_what_has_gone() -> None:
    """Pinocchio's data goes when the centre is returned."""
    robot = load_robot("mannequin")
    hand = robot.hands["left"]
    limb = _Limb(robot, hand.arm, hand.frame, hand.X_LH)
    _, centre = limb.carried(limb.own[0], robot.posture(robot.stance))
    assert centre.flags.owndata
