"""Links that are drawn and have no collision body: told, and solid where the adapter says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import coal
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from taskmatrix.studio.conformance.body import check_adapter
from taskmatrix.studio.conformance.finding import FAILS, TOLD
from tests.robots.adoption.made import plain_arm

Tiny = Callable[..., Path]
BOX = '<geometry><box size="0.06 0.06 0.2"/></geometry>'
PRISM = "".join(f"v {x} {y} {z}\n" for z in (0, 0.1) for x, y in ((0, 0), (0.1, 0), (0.02, 0.02), (0, 0.1))) + (
    "f 1 2 3\nf 1 3 4\nf 5 7 6\nf 5 8 7\nf 1 6 2\nf 1 5 6\nf 2 7 3\nf 2 6 7\nf 3 8 4\nf 3 7 8\nf 4 5 1\nf 4 8 5\n"
)


def told(path: Path) -> tuple[str, str]:
    """Verdict and text of what `check` says about bodies."""
    (finding,) = (found for found in check_adapter(load_robot(path)) if found.name == "bodies")
    return finding.verdict, finding.text


def only_drawn(urdf: str, *links: str) -> str:
    """A URDF with some collision bodies taken for what is drawn."""
    parts = urdf.split("<link ")
    for i, part in enumerate(parts):
        if part.startswith(tuple(f'name="{link}"' for link in links)):
            parts[i] = part.replace("collision>", "visual>")
    return "<link ".join(parts)


def test_what_is_drawn_and_not_solid_is_told(tiny: Tiny) -> None:
    """By the robot and by its check."""
    path = tiny()
    urdf = path.parent / "tiny.urdf"
    urdf.write_text(only_drawn(urdf.read_text(), "arm", "wheel"))
    robot = load_robot(path)
    assert robot.unsolid_links == ("arm", "wheel")
    assert not robot.is_half_known
    text = "2 of the 3 links that are drawn have no collision body and touch nothing: arm, wheel"
    assert told(path) == (TOLD, text)


def test_a_body_that_is_hardly_known_passes_no_check(tiny: Tiny) -> None:
    """With fewer solid links than others: what is free of contact then proves nothing."""
    path = tiny()
    urdf = path.parent / "tiny.urdf"
    urdf.write_text(only_drawn(urdf.read_text(), "arm", "wheel", "jaw_a", "jaw_b"))
    path.write_text(path.read_text().replace('"jaw_a", "jaw_b"', ""))
    assert told(path)[0] == FAILS


def test_small_marks_are_no_bodies(tiny: Tiny) -> None:
    """A contact point of a millimetre, drawn for people."""
    mark = '<link name="mark"><visual><geometry><sphere radius="0.001"/></geometry></visual></link>'
    weld = '<joint name="weld" type="fixed"><parent link="palm"/><child link="mark"/></joint></robot>'
    assert load_robot(tiny(urdf=("</robot>", mark + weld))).unsolid_links == ()


def test_links_collide_as_they_are_drawn(tiny: Tiny) -> None:
    """By the convex hull of a mesh; in place of the collision bodies that they have."""
    drawn = f'<visual><geometry><mesh filename="arm.obj"/></geometry></visual><visual>{BOX}</visual>'
    path = tiny(
        urdf=('<link name="arm">', f'<link name="arm">{drawn}'),
        robot=("[model]", '[model]\ncollide_as_drawn = ["arm"]'),
    )
    (path.parent / "arm.obj").write_text(PRISM)
    robot = load_robot(path)
    shapes = [body.geometry for body in robot.collision.geometryObjects if body.name.startswith("arm")]
    assert [type(shape) for shape in shapes] == [coal.Convex, coal.Box]
    assert shapes[0].num_points < 8  # without the corner inside


@pytest.mark.parametrize(
    ("link", "problem"), [("arms", "no link 'arms'; did you mean 'arm'"), ("arm", "the link 'arm' is not drawn")]
)
def test_what_is_to_collide_as_drawn_is_drawn(tiny: Tiny, link: str, problem: str) -> None:
    """Told with the key."""
    with pytest.raises(RobotError, match=rf"robot\.toml: model\.collide_as_drawn: {problem}"):
        load_robot(tiny(robot=("[model]", f'[model]\ncollide_as_drawn = ["{link}"]')))


def test_adoption_makes_them_solid(tmp_path: Path) -> None:
    """The file has their names; what is drawn within a solid body is left alone."""
    weld = '<joint name="weld" type="fixed"><parent link="hip"/><child link="logo"/></joint></robot>'
    logo = '<link name="logo"><visual><geometry><box size="0.061 0.06 0.06"/></geometry></visual></link>'
    urdf = only_drawn(plain_arm(), "upper", "lower", "one", "two").replace("</robot>", logo + weld)
    (tmp_path / "arm.urdf").write_text(urdf)
    proposal = propose(tmp_path / "arm.urdf")
    assert any("4 links collide by the hulls of what is drawn" in note.text for note in proposal.of("unsure"))
    assert proposal.hands["only"].open
    write(proposal, tmp_path / "arm")
    robot = load_robot(tmp_path / "arm")
    assert len(robot.collision.geometryObjects) == 8
    assert robot.unsolid_links == ("logo",)


def test_a_robot_that_is_only_drawn_is_adopted(tmp_path: Path) -> None:
    """All of it is solid then."""
    (tmp_path / "arm.urdf").write_text(plain_arm().replace("collision>", "visual>"))
    write(propose(tmp_path / "arm.urdf"), tmp_path / "arm")
    assert len(load_robot(tmp_path / "arm").collision.geometryObjects) == 8
