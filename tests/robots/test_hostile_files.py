# ruff: noqa: E501, RUF001  # one case a line, with its whole message; digits of another script
"""Robots' files that mean harm or know no bounds: a clear error at once, and nothing read outside the folder."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pinocchio as pin
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.files import ALLOWED_FOLDERS
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.proposal import propose
from taskmatrix.robots.loading.building import build_bodies, build_model
from taskmatrix.robots.loading.urdf import read_urdf

Tiny = Callable[..., Path]
BOX = '<box size="0.04 0.02 0.04"/>'
SPHERE = '<sphere radius="0.02"/>'
LINK = '<link name="l{0}"><collision><geometry><box size="0.02 0.02 0.02"/></geometry></collision></link>'
JOINT = '<joint name="j{1}" type="{2}"><origin xyz="0 0 0.1"/><parent link="l{0}"/><child link="l{1}"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint>'
NAME = "palm" * 25_000


def many(count: int, kind: str, row: bool) -> str:
    """A URDF with links in a row, or all on the first."""
    joints = (JOINT.format(i - 1 if row else 0, i, kind) for i in range(1, count))
    return f'<robot name="many">{"".join(map(LINK.format, range(count)))}{"".join(joints)}</robot>'


URDFS = {
    "an underscore": ((SPHERE, '<sphere radius="1_0"/>'), r"link 'wheel', .*<sphere>: radius=\"1_0\" is not a number"),
    "full-width digits": ((SPHERE, '<sphere radius="１"/>'), r"link 'wheel', .*<sphere>: radius=\"１\" is not a number"),
    "hexadecimal": (('<mass value="5"/>', '<mass value="0x5"/>'), r"<mass>: value=\"0x5\" is not a number"),
    "an underscore in three": ((BOX, '<box size="0.04 1_0 0.04"/>'), r"<box>: size=\"0.04 1_0 0.04\" is not made of numbers"),
    "ten thousand links": (many(10_000, "fixed", row=False), r"there are 10000 links in it; 500 are allowed"),
    "movable joints without end": (many(122, "revolute", row=False), r"there are 121 movable joints in it; 120 are allowed"),
    "bodies without end": ((SPHERE, SPHERE + 1000 * f"</geometry></collision><collision><geometry>{SPHERE}"), r"there are 1007 <collision> in it; 1000 are allowed"),
    "links in a long row": (many(300, "fixed", row=True), r"link 'l101': behind 101 others in a row; 100 are allowed"),
    "joints in a long row": (many(100, "revolute", row=True), r"link 'l41': behind 41 movable joints; 40 are allowed"),
    "a long name": (('name="palm"', f'name="{NAME}"'), r"link 'palmpalm.{52}\.\.\.' has a name of 100000 characters; 200 are allowed"),
    "a long joint": (('name="wrist"', f'name="{NAME}"'), r"joint 'palmpalm.{52}\.\.\.' has a name of 100000 characters"),
    "elements in elements": (f"<robot>{'<a>' * 5000}{'</a>' * 5000}</robot>", r"line 1: elements in each other; 20 are allowed"),
    "megabytes": (f"<robot><!--{'x' * 5_000_000}--></robot>", r"has 5\.0 MB; at most 5 MB are read"),
    "a mesh outside": ((BOX, '<mesh filename="../secret.stl"/>'), r"the mesh '\.\./secret\.stl' is not below .*; put it there, or allow"),
    "a mesh of a neighbour": ((BOX, '<mesh filename="package://neighbour/secret.stl"/>'), r"the mesh 'package://neighbour/secret\.stl' is not below"),
    "a folder as package": ((BOX, '<mesh filename="package://./secret.stl"/>'), r"the mesh 'package://\./secret\.stl' names no package"),
    "another kind of file": (f"<{'s' * 100_000}/>", r"the outermost element is <s{60}\.\.\.>"),
}  # fmt: skip
ADAPTERS = {
    "nested lists": (f"a = {'[' * 5000}{']' * 5000}", r"robot\.toml: .*lists or tables in each other; 20 levels"),
    "nested tables": (f"[{'a.' * 1000}a]", r"robot\.toml: .*lists or tables in each other; 20 levels"),
    "a key of a hundred thousand dots": (f"{'a.' * 100_000}a = 1", r"robot\.toml: line 1 has more than 2000 dots"),
    "a long key": (f"{NAME} = 1", r"palm\.\.\.: a key of 100000 characters; 200 are allowed"),
    "a long text": (f'description = "{NAME}"', r"robot\.toml: description: a text of 100000 characters; 2000 are allowed"),
    "an endless range": (("range = [5.0,", "range = [1e8,"), r"base\.range: 1e\+08 is beyond 1000"),
    "a URDF outside": (('"tiny.urdf"', '"../secret.urdf"'), r"model\.urdf: '\.\./secret\.urdf' is not below .*; put it there, or allow"),
    "the root's": (('"tiny.urdf"', '"/etc/hostname"'), r"model\.urdf: '/etc/hostname' is not below"),
    "a link that leads out": (('"tiny.urdf"', '"linked.urdf"'), r"model\.urdf: 'linked\.urdf' is not below"),
}  # fmt: skip
SECRET = "root:x:0:0:secret"


def refused(path: Path, message: str) -> None:
    """Loading raises a short RobotError with the message, and without what is written in a file outside."""
    with pytest.raises(RobotError) as caught:
        load_robot(path)
    assert re.search(message, str(caught.value)), str(caught.value)[:600]
    assert SECRET not in str(caught.value)
    assert len(str(caught.value)) < 900


@pytest.fixture
def hostile(tiny: Tiny, tmp_path: Path) -> Tiny:
    """As ``tiny``, in a folder below the one with secrets, to one of which a link leads."""

    def write(**changes: tuple[str, str] | str) -> Path:
        folder = tmp_path / "robot"
        folder.mkdir()
        for file in [tiny(**changes), *tmp_path.glob("*.toml"), *tmp_path.glob("*.urdf")]:
            if file.exists():
                file.rename(folder / file.name)
        (tmp_path / "neighbour").mkdir()
        for name in ("secret.urdf", "secret.stl", "neighbour/secret.stl", "secret.toml"):
            (tmp_path / name).write_text(SECRET)
        (folder / "linked.urdf").symlink_to(tmp_path / "secret.urdf")
        return folder / "robot.toml"

    return write


@pytest.mark.parametrize("case", URDFS)
def test_a_hostile_urdf_is_refused(hostile: Tiny, case: str) -> None:
    """With its place and what is allowed; Python's numbers, which the URDF parser does not read, are none."""
    refused(hostile(urdf=URDFS[case][0]), URDFS[case][1])


@pytest.mark.parametrize("case", ADAPTERS)
def test_a_hostile_adapter_is_refused(hostile: Tiny, case: str) -> None:
    """With the key and what is allowed."""
    refused(hostile(robot=ADAPTERS[case][0]), ADAPTERS[case][1])


@pytest.mark.parametrize("name", ["postures.toml", "pairs.toml", "motions.toml"])
def test_files_beside_an_adapter_do_not_lead_out(hostile: Tiny, name: str) -> None:
    """A link to a file outside is refused before it is read."""
    path = hostile()
    (path.parent / name).unlink()
    (path.parent / name).symlink_to(path.parents[1] / "secret.toml")
    refused(path, rf"{name}: '{name}' is not below")


@pytest.mark.parametrize(
    ("mesh", "material"),
    [
        ("palm.obj", "mtllib ../secret.mtl"),
        ("palm.obj", "mtllib colours.mtl\n"),
        ("palm.dae", "<COLLADA><init_from>../secret.png</init_from></COLLADA>"),
    ],
)
def test_what_colours_a_mesh_does_not_lead_out(hostile: Tiny, mesh: str, material: str) -> None:
    """Neither its materials nor their textures, which would be opened with it; unless the user allows the folder."""
    path = hostile(urdf=(BOX, f'<mesh filename="{mesh}"/>'))
    for name in ("secret.mtl", "secret.png"):
        (path.parents[1] / name).write_text("")
    (path.parent / "colours.mtl").write_text("newmtl a\nmap_Kd -s 1 1 1 ..\\secret.png\n")
    (path.parent / mesh).write_text(material)
    refused(path, rf"in the mesh '{mesh}', '\.\..secret\.(mtl|png)' is not below .*; put it there, or allow")


def test_a_device_is_no_urdf(hostile: Tiny) -> None:
    """A pipe, which would be read for ever, neither."""
    path = hostile()
    (path.parent / "tiny.urdf").unlink()
    os.mkfifo(path.parent / "tiny.urdf")
    refused(path, "tiny.urdf does not exist")


def test_a_folder_that_the_user_allows_is_read(hostile: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment variable that the error names adds folders."""
    path = hostile(robot=('"tiny.urdf"', '"../elsewhere/tiny.urdf"'))
    (path.parents[1] / "elsewhere").mkdir()
    (path.parent / "tiny.urdf").rename(path.parents[1] / "elsewhere" / "tiny.urdf")
    monkeypatch.setenv(ALLOWED_FOLDERS, str(path.parents[1] / "elsewhere"))
    assert load_robot(path).name == "robot"


@pytest.mark.parametrize("corner", [float("nan"), 3e38])
def test_a_mesh_whose_corners_are_nowhere_is_refused(tiny: Tiny, corner: float) -> None:
    """With the link that has it."""
    path = tiny(urdf=(BOX, '<mesh filename="palm.stl"/>'))
    floats = struct.pack("<12f", 0, 0, 0, 0, 0, 0, corner, 0, 0, 0, 1, 0)
    (path.parent / "palm.stl").write_bytes(bytes(80) + struct.pack("<I", 1) + floats + bytes(2))
    refused(path, r"tiny\.urdf: link 'palm', <collision> 1: the mesh '.*palm\.stl'")


def test_adopting_a_long_chain_ends_at_once(tmp_path: Path) -> None:
    """With the same error as loading it."""
    (tmp_path / "chain.urdf").write_text(many(300, "revolute", row=True))
    with pytest.raises(RobotError, match="there are 299 movable joints in it; 120 are allowed"):
        propose(tmp_path / "chain.urdf")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<sphere radius="0.02" />', '<sphere radius="1_0" />', r"link 'wheel': .* leaves 1 of its 1 <collision> out"),
        (
            '<sphere radius="0.02" />',
            '<sphere radius="0.03" />',
            r"link 'wheel', <collision> 1: .* reads something else",
        ),
        ('<origin xyz="0 0 -0.15" />', '<origin xyz="0 0 -0.2" />', r"link 'arm', <collision> 1: .* something else"),
        ('<mass value="5" />', '<mass value="1_0" />', r"link 'trunk' and what is fixed to it: .* the <inertial> out"),
        ('ixx="0.1"', 'ixx="0.2"', r"link 'trunk' and what is fixed to it: .* leaves the <inertial> out"),
    ],
)
def test_what_is_read_is_what_is_written(tiny: Tiny, old: str, new: str, message: str) -> None:
    """Whatever the parser drops or takes for something else is named, also where no check foresees it."""
    description = read_urdf(tiny().parent / "tiny.urdf")
    xml = description.on_base(0.0, 0.0, (1.0, 1.0))
    assert old in xml
    xml = xml.replace(old, new)
    with pytest.raises(RobotError, match=message):
        build_bodies(description, build_model(description, xml), xml, pin.GeometryType.COLLISION, None)
