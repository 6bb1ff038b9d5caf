"""A mesh that is only drawn and cannot be: no reason to refuse a robot, and said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write

Tiny = Callable[..., Path]
MESH = '<mesh filename="package://tiny/arm.stl"/>'
ARM = '<link name="arm">'
SOLID = """
    <collision><origin xyz="0 0 -0.15"/><geometry><cylinder radius="0.03" length="0.26"/></geometry></collision>"""
DRAWN = (ARM, f"{ARM}<visual><geometry>{MESH}</geometry></visual>")


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "is not there"), ("version https://git-lfs.github.com/spec/v1\n", "is a Git LFS pointer")],
)
def test_a_robot_loads_without_a_picture(tiny: Tiny, text: str, problem: str) -> None:
    """Whether the mesh is missing or only a pointer."""
    path = tiny(urdf=DRAWN)
    if text:
        (path.parent / "arm.stl").write_text(text)
    robot = load_robot(path)
    assert len(robot.visuals) == 1
    (line,) = robot.body_reports
    assert line.startswith(f"arm: not drawn, as its mesh 'package://tiny/arm.stl' {problem}")


def test_a_link_that_is_neither_drawn_nor_solid_is_told_to_be_in_nobodys_way(tiny: Tiny) -> None:
    """Hands would go through it, and no judged run would tell."""
    through = "nothing else collides for it, so what moves goes through it"
    (line,) = load_robot(tiny(urdf=DRAWN)).body_reports
    assert through not in line
    (line,) = load_robot(tiny(urdf=(f"{ARM}{SOLID}", DRAWN[1]))).body_reports
    assert line.endswith(f"is not there; {through}")


def test_a_damaged_picture_is_left_out(tiny: Tiny) -> None:
    """With a warning when it is drawn."""
    path = tiny(urdf=DRAWN)
    (path.parent / "arm.stl").write_text("solid")
    robot = load_robot(path)
    with pytest.warns(UserWarning, match=r"arm\.stl' cannot be read: damaged, or not what its name says; not drawn"):
        assert len(robot.visuals) == 1


def test_what_collides_has_to_be_there(tiny: Tiny) -> None:
    """A body that is not checked would do harm."""
    with pytest.raises(RobotError, match=r"wheel\.stl' is not below"):
        load_robot(tiny(urdf=('<sphere radius="0.02"/>', '<mesh filename="../wheel.stl"/>')))


def test_it_is_adopted_and_told(tiny: Tiny, tmp_path: Path) -> None:
    """Also into another folder."""
    proposal = propose(tiny(urdf=DRAWN).parent / "tiny.urdf")
    assert any("arm: not drawn" in note.text for note in proposal.of("unsure"))
    write(proposal, tmp_path / "adopted")
    assert "arm: not drawn" in (tmp_path / "adopted" / "robot.toml").read_text()
    assert load_robot(tmp_path / "adopted").body_reports
