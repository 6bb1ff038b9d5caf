# ruff: noqa: E501  # one case a line, with its whole message
"""Damaged URDFs: each is refused with the file and the place, none is half read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot

Tiny = Callable[..., Path]
BOX = '<box size="0.04 0.02 0.04"/>'
ARM = '<parent link="trunk"/><child link="arm"/>'
PLACE = '<origin xyz="0 0 -0.35"/>'
SPHERE = '<sphere radius="0.02"/>'
LAUGHS = "".join(f'<!ENTITY {chr(98 + i)} "{10 * f"&{chr(97 + i)};"}">' for i in range(9))
DAMAGED = {
    "circle": ((ARM, '<parent link="palm"/><child link="arm"/>'), r"these links carry each other in a circle: arm -> palm -> arm"),
    "carries itself": ((ARM, '<parent link="arm"/><child link="arm"/>'), r"these links carry each other in a circle: arm -> arm"),
    "two parents": (("</robot>", '<joint name="extra" type="fixed"><parent link="foot"/><child link="palm"/></joint></robot>'), r"the link 'palm' is the child of two joints, 'wrist' and 'extra'"),
    "two roots": (("</robot>", '<link name="lone"/></robot>'), r"exactly one link without a parent, this has 2: \['trunk', 'lone'\]"),
    "no links": ('<robot name="x"/>', r"there is no <link> in it"),
    "link twice": (("</robot>", '<link name="palm"/></robot>'), r"there are 2 links 'palm'; names must be unique"),
    "joint twice": (('name="jaw_mirror" type', 'name="jaw" type'), r"there are 2 joints 'jaw'"),
    "link without name": (('<link name="palm">', "<link>"), r"a <link> has no name"),
    "joint without name": (('<joint name="wrist" type', "<joint type"), r"a <joint> has no name"),
    "joint without type": (('"wrist" type="revolute"', '"wrist"'), r"joint 'wrist': no type ''\. There are: continuous, fixed"),
    "unknown type": (('"wrist" type="revolute"', '"wrist" type="revolvy"'), r"joint 'wrist': no type 'revolvy'; did you mean 'revolute'"),
    "planar": (('"wrist" type="revolute"', '"wrist" type="planar"'), r"joint 'wrist': no type 'planar'.*use one joint for each direction"),
    "floating": (('"wrist" type="revolute"', '"wrist" type="floating"'), r"joint 'wrist': no type 'floating'.*use one joint for each direction"),
    "name with a space": (('<link name="palm">', '<link name="the palm">'), r"joint 'wrist', <child>: no link 'palm'; did you mean 'the palm'"),
    "two coordinates": ((PLACE, '<origin xyz="0 0"/>'), r"joint 'wrist', <origin>: xyz=\"0 0\" has 2 numbers, 3 are needed"),
    "a word": ((PLACE, '<origin xyz="0 0 down"/>'), r"<origin>: xyz=\"0 0 down\" is not made of numbers"),
    "not a number": ((PLACE, '<origin xyz="0 0 nan"/>'), r"<origin>: xyz=\"0 0 nan\" is not a number"),
    "far": ((PLACE, '<origin xyz="0 0 1e300"/>'), r"<origin>: xyz=\"0 0 1e300\" is beyond 1000"),
    "turned endlessly": ((PLACE, '<origin rpy="inf 0 0"/>'), r"<origin>: rpy=\"inf 0 0\" is beyond 1000"),
    "a gigantic number": ((PLACE, f'<origin xyz="0 0 {"9" * 100_000}"/>'), r"<origin>: xyz=\"0 0 9{56}\.\.\.\" is beyond 1000"),
    "no axis": (('<axis xyz="0 0 1"/>', '<axis xyz="0 0 0"/>'), r"joint 'wrist', <axis>: xyz=\"0 0 0\" must not be zero"),
    "flat box": ((BOX, '<box size="0.04 0 0.04"/>'), r"link 'palm', <collision><geometry><box>: size=\"0.04 0 0.04\" must be above zero"),
    "huge box": ((BOX, '<box size="0.04 1e12 0.04"/>'), r"<box>: size=\"0.04 1e12 0.04\" is beyond 1000"),
    "cylinder inside out": (('<cylinder radius="0.03"', '<cylinder radius="-0.03"'), r"link 'arm', <collision><geometry><cylinder>: radius=\"-0.03\" must be above zero"),
    "cylinder without radius": (('<cylinder radius="0.03"', "<cylinder"), r"<cylinder>: radius=\"\.\.\.\" is missing"),
    "point": ((SPHERE, '<sphere radius="0"/>'), r"link 'wheel', <collision><geometry><sphere>: radius=\"0\" must be above zero"),
    "no shape": ((SPHERE, ""), r"<collision><geometry>: one shape is needed, this has 0"),
    "no geometry": ((f"<geometry>{SPHERE}</geometry>", ""), r"link 'wheel', <collision>: <geometry> is missing"),
    "unknown shape": ((SPHERE, '<torus radius="0.02"/>'), r"<collision><geometry>: no shape 'torus'"),
    "less than no mass": (('<mass value="5"/>', '<mass value="-5"/>'), r"link 'trunk', <inertial><mass>: value=\"-5\" must not be below zero"),
    "inertia below zero": (('ixx="0.1"', 'ixx="-0.1"'), r"<inertial><inertia>: ixx=\"-0.1\" must not be below zero"),
    "inertia in words": (('ixx="0.1"', 'ixx="much"'), r"<inertia>: ixx=\"much\" is not a number"),
    "limit in words": (('upper="1" velocity="1"', 'upper="one" velocity="1"'), r"joint 'wrist', <limit>: upper=\"one\" is not a number"),
    "limit that is none": (('upper="1" velocity="1"', 'upper="nan" velocity="1"'), r"<limit>: upper=\"nan\" is not a number"),
    "follows itself": (('mimic joint="jaw"', 'mimic joint="jaw_mirror"'), r"joint 'jaw_mirror', <mimic>: these joints follow each other: jaw_mirror -> jaw_mirror"),
    "follow each other": (('upper="0.05" velocity="0.5" effort="10"/>', 'upper="0.05" velocity="0.5" effort="10"/><mimic joint="jaw_mirror"/>'), r"joint 'jaw', <mimic>: these joints follow each other: jaw -> jaw_mirror -> jaw"),
    "follows nothing": (('multiplier="-1"', 'multiplier="0"'), r"joint 'jaw_mirror', <mimic>: a multiplier of zero would fix the joint"),
    "entities": (f'<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa">{LAUGHS}]><robot name="&j;"/>', r"line 1: declares the entity 'a'"),
    "entity of another file": ('<!DOCTYPE robot [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot name="&a;"/>', r"line 1: declares the entity 'a'"),
    "climbs out of its package": ((BOX, '<mesh filename="package://tiny/../../../../../../etc/hostname"/>'), r"the mesh '.*' is not below "),
    "climbs out": ((BOX, '<mesh filename="../../../../../../../etc/hostname"/>'), r"the mesh '.*' is not below "),
    "a file elsewhere": ((BOX, '<mesh filename="file:///etc/hostname"/>'), r"the mesh '.*' is not below "),
    "a package elsewhere": ((BOX, '<mesh filename="package://etc/hostname"/>'), r"the mesh '.*' is not below "),
    "no mesh": ((BOX, '<mesh filename="tiny.urdf"/>'), r"the mesh 'tiny\.urdf' is no file of a kind that has one: \.stl"),
    "mesh without extent": ((BOX, '<mesh filename="a.stl" scale="1 0 1"/>'), r"<mesh>: scale=\"1 0 1\" must not be zero"),
    "binary": ("\x00\x01\x02", r"not well-formed XML: .*line 1"),
    "empty": ("", r"not well-formed XML: no element found: line 1"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), DAMAGED.values(), ids=DAMAGED.keys())
def test_what_is_damaged_is_named_with_its_place(tiny: Tiny, change: tuple[str, str] | str, message: str) -> None:
    """And with what would be right, where that can be told."""
    with pytest.raises(RobotError) as caught:
        load_robot(tiny(urdf=change))
    assert re.search(r"tiny\.urdf: .*" + message, str(caught.value)), str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("content", [b"", b"solid nothing\nendsolid nothing\n", b"\x00" * 100])
def test_a_mesh_that_cannot_be_read_is_named(tiny: Tiny, content: bytes) -> None:
    """Whatever the reader of meshes has to say."""
    path = tiny(urdf=(BOX, '<mesh filename="palm.stl"/>'))
    (path.parent / "palm.stl").write_bytes(content)
    with pytest.raises(RobotError, match=r"tiny\.urdf: the mesh '.*palm\.stl' cannot be read"):
        load_robot(path)


def test_names_may_be_of_any_kind(tiny: Tiny) -> None:
    """With spaces, and in any alphabet."""
    path = tiny()
    for name in ("tiny.urdf", "robot.toml"):
        file = path.parent / name
        text = file.read_text(encoding="utf-8").replace('"palm"', '"la paume é 手"')
        file.write_text(text, encoding="utf-8")
    assert load_robot(path).hands["only"].frame == "la paume é 手"


def test_what_physics_could_not_do_is_reported(tiny: Tiny) -> None:
    """Bodies that move without mass or inertia are no error."""
    robot = load_robot(tiny(urdf=('ixx="0.1"', 'ixx="0"')))
    assert "trunk: mass or inertia is zero" in robot.inertia_reports
    assert "arm: no <inertial>" in robot.inertia_reports
    assert not any("foot" in line for line in robot.inertia_reports)


def test_more_inertia_than_a_body_can_have_is_reported(tiny: Tiny) -> None:
    """1 kg m^2 for everything, as many URDFs have it for want of better."""
    arm = '<link name="arm">'
    given = (
        arm + '<inertial><mass value="0.5"/><inertia ixx="{0}" iyy="{0}" izz="{0}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    far_too_much, plenty = (load_robot(tiny(urdf=(arm, given.format(moment)))) for moment in ("1", "0.02"))
    (line,) = (line for line in far_too_much.inertia_reports if "shoulder" in line)
    assert "a moment of inertia of 1 kg m^2, which 0.5 kg of its size cannot have" in line
    assert not [line for line in plenty.inertia_reports if "shoulder" in line]
