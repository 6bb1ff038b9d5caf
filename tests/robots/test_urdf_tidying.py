"""URDFs as they are in the wild: each is read, without a word of the parser's, or refused for what is the matter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import coal
import numpy as np
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot

Tiny = Callable[..., Path]
BOX = '<geometry><box size="0.2 0.2 0.4"/></geometry>'
COLOR = '<color rgba="1 0 0 1"/>'
RED = '<material name="red"/>'
MASS = '<mass value="5"/>'
LIMIT = 'velocity="1" effort="10"'
READ = {
    "a material without a name": ("</visual>", f"<material>{COLOR}</material></visual>"),
    "an empty material": ("</visual>", "<material/></visual>"),
    "a material that is nowhere": ("</visual>", '<material name="grey"/></visual>'),
    "a colour of three numbers": ("</visual>", '<material name="a"><color rgba="1 0 0"/></material></visual>'),
    "a material of all without a name": ("<link", f"<material>{COLOR}</material><link"),
    "a material twice": ("<link", 2 * f'<material name="a">{COLOR}</material>' + "<link"),
    "no velocity and no effort": (f'upper="1" {LIMIT}', 'upper="1"'),
    "velocity and effort of -1": (LIMIT, 'velocity="-1" effort="-1"'),
    "empty dynamics": ("<limit", "<dynamics/><limit"),
    "a safety controller without numbers": ("<limit", "<safety_controller/><limit"),
    "moments that are not written": (' ixy="0" ixz="0" iyz="0"', ""),
    "an inertia without a mass": (MASS, ""),
    "other shapes than are written, for Pinocchio": (
        "</collision>",
        '</collision><collision_checking><capsule name="any"/><convex name="any"/></collision_checking>',
    ),
    "a zero at its end": ("</robot>", "</robot>\0"),
}


@pytest.mark.parametrize("case", READ)
def test_what_is_odd_is_read_without_noise(tiny: Tiny, capfd: pytest.CaptureFixture[str], case: str) -> None:
    """The robot is the same, and the parser has nothing to complain about."""
    old, new = READ[case]
    robot = load_robot(tiny(urdf=(old, new)))
    assert len(robot.collision.geometryObjects) == 7
    assert len(robot.visuals) == 1
    assert capfd.readouterr().err == ""


def test_a_colour_goes_with_its_name(tiny: Tiny) -> None:
    """One that is defined elsewhere as well as one that is not named."""
    bodies = "".join(f"<visual>{BOX}{material}</visual>" for material in (RED, f"<material>{COLOR}</material>"))
    text = f'<material name="red">{COLOR}</material><link name="trunk">{bodies}'
    shapes = load_robot(tiny(urdf=('<link name="trunk">', text))).visuals[:2]
    np.testing.assert_allclose([shape.color for shape in shapes], [[1, 0, 0, 1], [1, 0, 0, 1]])


def test_a_capsule_is_round(tiny: Tiny) -> None:
    """Its length is without the caps, as everywhere in the library."""
    robot = load_robot(tiny(urdf=('<cylinder radius="0.03" length="0.26"/>', '<capsule radius="0.03" length="0.2"/>')))
    (shape,) = (body.geometry for body in robot.collision.geometryObjects if body.name.startswith("arm"))
    assert isinstance(shape, coal.Capsule)
    assert (shape.radius, 2.0 * shape.halfLength) == (0.03, 0.2)


def test_limits_of_minus_one_are_none(tiny: Tiny) -> None:
    """Said of the joint, which is limited by the adapter's cap and turns half around either way."""
    limit = f'<limit lower="-1" upper="1" {LIMIT}/>'
    robot = load_robot(tiny(urdf=(limit, '<limit lower="-1" upper="-1" velocity="-1" effort="-1"/>')))
    i = robot.joints.index("wrist")
    assert (robot.lower[i], robot.upper[i]) == (pytest.approx(-np.pi), pytest.approx(np.pi))
    assert robot.velocity[i] == 2.0
    assert np.isinf(robot.effort[i])
    told = [line for line in robot.limit_reports if line.startswith("wrist")]
    assert told == [
        "wrist: velocity limit is -1, which is taken for none",
        "wrist: effort limit is -1, which is taken for none",
        "wrist: both limits are -1, which is taken for none: half a turn either way",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<link", '<x:include xmlns:x="http://ros.org/wiki/xacro"/><link', "<xacro:include> in it; expand it first"),
        ('radius="0.02"', 'radius="${r}"', "<sphere> with a macro in it; expand it first: xacro tiny.urdf > "),
    ],
)
def test_xacro_is_no_urdf(tiny: Tiny, old: str, new: str, message: str) -> None:
    """What to do about it is said."""
    with pytest.raises(RobotError) as caught:
        load_robot(tiny(urdf=(old, new)))
    assert f"tiny.urdf: this is xacro, not a URDF: there is {message}" in str(caught.value)


def test_a_pointer_of_git_lfs_is_no_mesh(tiny: Tiny) -> None:
    """What to do about it is said."""
    path = tiny(urdf=('<sphere radius="0.02"/>', '<mesh filename="wheel.stl"/>'))
    (path.parent / "wheel.stl").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 9\n")
    with pytest.raises(RobotError, match=r"wheel\.stl' is a Git LFS pointer, .*get the mesh with 'git lfs pull'"):
        load_robot(path)
