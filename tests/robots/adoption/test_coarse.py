"""Bodies that are much coarser than what is drawn, and knuckles that mesh."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from tests.robots.adoption.made import joint, plain_arm
from tests.studio.test_adopt import BLOCK

WRIST = (
    '<link name="wrist"><collision><origin xyz="0 0 0"/><geometry><box size="0.04 0.04 0.04"/></geometry></collision>'
)
COARSE = WRIST.replace("0.04 0.04 0.04", "0.1 0.1 0.056")
DRAWN = '<visual><geometry><mesh filename="wrist.obj" scale="0.5 0.3 0.5"/></geometry></visual>'
SPOT = '<origin xyz="0 0 0.15"/><geometry><box size="0.01 0.01 0.01"/></geometry>'


@pytest.mark.parametrize(("drawn", "finer"), [(DRAWN, ("wrist",)), (DRAWN.replace("0.5 0.3 0.5", "1.6 1 1.4"), ())])
def test_a_box_that_keeps_neighbours_in_contact_gives_way_to_what_is_drawn(
    tmp_path: Path, drawn: str, finer: tuple[str, ...]
) -> None:
    """Where that is free in most of the joint's range; else the box stays."""
    (tmp_path / "wrist.obj").write_text(BLOCK)
    assert WRIST in plain_arm()
    (tmp_path / "arm.urdf").write_text(plain_arm().replace(WRIST, COARSE + drawn))
    proposal = propose(tmp_path / "arm.urdf")
    assert proposal.tree.description.as_drawn == finer
    if finer:
        assert any("much coarser" in note.text for note in proposal.of("unsure"))
        write(proposal, tmp_path / "arm")
        assert {body.name for body in load_robot(tmp_path / "arm").collision.geometryObjects} >= {"wrist_0"}


def test_what_is_drawn_gives_way_to_a_box_where_it_bars_more_than_it_frees(tmp_path: Path) -> None:
    """The forearm is drawn with a bracket around its elbow: the wrist is as free without it, and the elbow bends."""
    (tmp_path / "wrist.obj").write_text(BLOCK)
    plain = '<link name="lower"><collision><origin xyz="0 0 0.15"/><geometry><box size="0.05 0.05 0.24"/></geometry>'
    mesh = '<mesh filename="wrist.obj" scale="1.6 0.5 4.75"/>'
    bracket = f'<visual><origin xyz="0 0 0.075"/><geometry>{mesh}</geometry></visual>'
    assert plain in plain_arm()
    urdf = plain_arm().replace(WRIST, COARSE + DRAWN).replace(plain, f"{plain}</collision>{bracket}<collision>{SPOT}")
    (tmp_path / "arm.urdf").write_text(urdf)
    assert propose(tmp_path / "arm.urdf").tree.description.as_drawn == ("wrist",)


def test_fingers_whose_knuckles_mesh_are_fingers(tmp_path: Path) -> None:
    """They are measured at their ends, and the pair is left out with its evidence."""
    parts = [plain_arm(fingers=False).removesuffix("</robot>")]
    for name, y in (("one", 1), ("two", -1)):
        knuckle = f'<origin xyz="0 {-0.0005 * y} 0"/><geometry><cylinder radius="0.019" length="0.02"/></geometry>'
        turned = knuckle.replace('"/>', '" rpy="0 1.5708 0"/>', 1)
        blade = f'<origin xyz="0 {0.005 * y} 0.045"/><geometry><box size="0.02 0.008 0.05"/></geometry>'
        bodies = "".join(f"<collision>{body}</collision>" for body in (turned, blade))
        parts.append(f'<link name="{name}">{bodies}</link>')
        limits = "-1 0.2" if y > 0 else "-0.2 1"
        parts.append(joint(f"{name}_grip", "revolute", f"palm {name}", f"0 {0.02 * y} 0.09", "1 0 0", limits))
    (tmp_path / "arm.urdf").write_text("".join(parts) + "</robot>")
    proposal = propose(tmp_path / "arm.urdf")
    grip = proposal.hands["only"]
    assert grip.aperture > 0.05
    assert {frozenset(pair) for pair in grip.meshing} == {frozenset(("one", "two"))}
    (left,) = (left for left in proposal.pairs if left.links == ("one", "two"))
    assert left.reason in {"grazing", "always", "adjacent"}
