# ruff: noqa: E501  # one case a line, with its whole message
"""Damaged SRDFs: what contradicts itself is refused, what names another robot's parts is told and passed over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from taskmatrix.robots.adoption.anatomy.srdf import Semantics, read_srdf
from tests.robots.adoption.made import plain_arm

LAUGHS = "".join(f'<!ENTITY {chr(98 + i)} "{10 * f"&{chr(97 + i)};"}">' for i in range(9))
GOOD = '<group name="arm"><chain base_link="plate" tip_link="palm"/></group>'
REFUSED = {
    "not XML": ("<robot", r"not well-formed XML: .*line 1"),
    "no file of text": ("\x00\x01", r"not well-formed XML"),
    "entities": (f'<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa">{LAUGHS}]><robot name="&j;"/>', r"line 1: declares the entity 'a', which an SRDF has no need of"),
    "entity of another file": ('<!DOCTYPE robot [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot name="&a;"/>', r"line 1: declares the entity 'a'"),
    "another format": ("<sdf/>", r"the outermost element is <sdf>, an SRDF has <robot>"),
    "group without name": ("<robot><group/></robot>", r"a <group> has no name"),
    "group twice": (f"<robot>{GOOD}{GOOD}</robot>", r"there are two groups 'arm'; names must be unique"),
    "group in itself": ('<robot><group name="a"><group name="a"/></group></robot>', r"these groups contain each other: a -> a"),
    "groups in a circle": ('<robot><group name="a"><group name="b"/></group><group name="b"><group name="c"/></group><group name="c"><group name="a"/></group></robot>', r"these groups contain each other: a -> b -> c -> a"),
    "joint without name": ('<robot><group name="a"><joint/></group></robot>', r"group 'a': a <joint> has no name"),
    "chain without end": ('<robot><group name="a"><chain base_link="plate"/></group></robot>', r"group 'a': a <chain> without tip_link"),
    "chain inward": ('<robot><group name="a"><chain base_link="palm" tip_link="hip"/></group></robot>', r"group 'a': there is no chain from 'palm' to 'hip', which it does not carry"),
    "chain across": ('<robot><group name="a"><chain base_link="one" tip_link="two"/></group></robot>', r"group 'a': there is no chain from 'one' to 'two'"),
    "state without name": ("<robot><group_state/></robot>", r"a <group_state> has no name"),
    "state in words": (f'<robot>{GOOD}<group_state name="s" group="arm"><joint name="bow" value="much"/></group_state></robot>', r"group_state 's': joint 'bow': value=\"much\" is not a number"),
    "state of several numbers": (f'<robot>{GOOD}<group_state name="s" group="arm"><joint name="bow" value="0 1"/></group_state></robot>', r"joint 'bow': value=\"0 1\" is not a number"),
    "state without value": (f'<robot>{GOOD}<group_state name="s" group="arm"><joint name="bow"/></group_state></robot>', r"joint 'bow': value=\"\" is not a number"),
    "state that is none": (f'<robot>{GOOD}<group_state name="s" group="arm"><joint name="bow" value="nan"/></group_state></robot>', r"joint 'bow': value is beyond 1000"),
    "a gigantic number": (f'<robot>{GOOD}<group_state name="s" group="arm"><joint name="bow" value="{"9" * 100_000}"/></group_state></robot>', r"joint 'bow': value is beyond 1000"),
    "a gigantic word": (f'<robot>{GOOD}<group_state name="s" group="arm"><joint name="bow" value="{"x" * 100_000}"/></group_state></robot>', r"value=\"x{40}\.\.\.\" is not a number"),
}  # fmt: skip
TOLD = {
    "unknown joint": ('<group name="a"><joint name="bwo"/><joint name="nod"/></group>', r"group 'a': no joint 'bwo'; did you mean 'bow'"),
    "unknown link": ('<group name="a"><link name="plam"/><joint name="nod"/></group>', r"group 'a': no link 'plam'; did you mean 'palm'"),
    "unknown group": ('<group name="a"><group name="b"/><joint name="nod"/></group>', r"group 'a': no group 'b'"),
    "chain to nowhere": ('<group name="a"><chain base_link="plate" tip_link="plam"/><joint name="nod"/></group>', r"group 'a': no link 'plam'; did you mean 'palm'"),
    "state of an unknown joint": ('<group name="a"><joint name="nod"/></group><group_state name="s" group="a"><joint name="bwo" value="0"/></group_state>', r"group_state 's': no joint 'bwo'; did you mean 'bow'"),
    "state of an unknown group": ('<group name="a"><joint name="nod"/></group><group_state name="s" group="aa"><joint name="nod" value="0"/></group_state>', r"group_state 's': no group 'aa'; did you mean 'a'"),
    "name in another script": ('<group name="a"><joint name="肘"/><joint name="nod"/></group>', r"group 'a': no joint '肘'"),
}  # fmt: skip


def read(folder: Path, text: str) -> Semantics:
    """The SRDF of a plain arm."""
    (folder / "arm.urdf").write_text(plain_arm())
    (folder / "arm.srdf").write_text(text, encoding="utf-8")
    return read_srdf(folder / "arm.srdf", read_tree(folder / "arm.urdf"))


@pytest.mark.parametrize("case", REFUSED)
def test_a_damaged_srdf_is_refused(tmp_path: Path, case: str) -> None:
    """As a RobotError that says where it stands and what is wrong."""
    text, message = REFUSED[case]
    with pytest.raises(RobotError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "arm.srdf"))
    assert re.search(message, str(caught.value)), str(caught.value)


@pytest.mark.parametrize("case", TOLD)
def test_what_the_urdf_has_not_is_told(tmp_path: Path, case: str) -> None:
    """With the nearest valid name; the rest of the group counts."""
    text, message = TOLD[case]
    semantics = read(tmp_path, f"<robot>{text}</robot>")
    assert [re.search(message, note.text) is not None for note in semantics.notes] == [True]
    assert semantics.groups["a"] == {"nod"}


def test_much_that_is_unknown_is_told_shortly(tmp_path: Path) -> None:
    """A few lines, and how many more; a virtual joint is no mistake."""
    joints = "".join(f'<joint name="x{i}"/>' for i in range(20))
    text = f'<robot><virtual_joint name="world"/><group name="a"><joint name="world"/>{joints}</group></robot>'
    notes = read(tmp_path, text).notes
    assert len(notes) == 7
    assert "and 14 more such" in notes[-1].text


def test_a_missing_srdf_is_one_line(tmp_path: Path) -> None:
    """And a folder is none."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    tree = read_tree(tmp_path / "arm.urdf")
    with pytest.raises(RobotError, match=r"no\.srdf: No such file"):
        read_srdf(tmp_path / "no.srdf", tree)
    with pytest.raises(RobotError, match=r"Is a directory"):
        read_srdf(tmp_path, tree)
