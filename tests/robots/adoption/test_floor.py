"""What a robot stands on is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from tests.robots.adoption.made import NAMES, joint, link, proposal_of, robot


@pytest.mark.parametrize("name", NAMES)
def test_it_stands_on_what_the_reviewed_robot_stands_on(name: str) -> None:
    """Soles or wheels."""
    assert set(proposal_of(name).floor) == set(load_robot(name).floor_links)


def test_wheels_that_are_only_drawn_are_found() -> None:
    """PR2's have no collision bodies."""
    assert set(load_robot("pr2").floor_links) <= set(proposal_of("pr2").floor)
    assert all("wheel" in link for link in proposal_of("pr2").floor)


def biped(feet: int = 1, waist: bool = False) -> str:
    """A trunk on two legs of six joints, whose soles have one box or two; with a waist, the root is above it."""
    parts = [link("trunk", "0.2 0.3 0.3", "0 0 0.2"), link("pelvis", "0.16 0.16 0.08")]
    kind = "revolute" if waist else "fixed"
    root, first = ("trunk pelvis", "0 0 0") if waist else ("pelvis trunk", "0 0 0.05")
    parts.append(joint("waist", kind, root, first, "0 0 1"))
    for side, y in (("left", 0.12), ("right", -0.12)):
        before = "pelvis"
        axes = ("0 0 1", "1 0 0", "0 1 0", "0 1 0", "0 1 0", "1 0 0")
        for name, axis in zip(("hip_yaw", "hip_roll", "thigh", "shin", "ankle", "foot"), axes, strict=True):
            after, long = f"{side}_{name}", name in {"thigh", "shin"}
            at = {"hip_yaw": f"0 {y} 0", "shin": "0 0 -0.3", "ankle": "0 0 -0.3"}.get(name, "0 0 0")
            if name == "foot":
                parts.append(f'<link name="{after}"/>')
                for part in range(feet):
                    sole = f"{after}_{part}"
                    parts += [
                        link(sole, "0.1 0.08 0.02", f"{0.11 * part - 0.03} 0 -0.06"),
                        joint(f"{sole}_weld", "fixed", f"{after} {sole}", "0 0 0", "0 0 1"),
                    ]
            elif long:
                parts.append(link(after, "0.06 0.06 0.2", "0 0 -0.15"))
            else:
                parts.append(f'<link name="{after}"/>')
            parts.append(joint(f"{after}_joint", "revolute", f"{before} {after}", at, axis, "-1.5 1.5"))
            before = after
    for side, y in (("left", 0.25), ("right", -0.25)):
        before = "trunk"
        for name, axis, at in (
            ("upper", "0 1 0", f"0 {y} 0.3"),
            ("elbow", "0 1 0", "0 0 -0.25"),
            ("wrist", "0 0 1", "0 0 -0.2"),
        ):
            after = f"{side}_{name}"
            parts.append(link(after, "0.05 0.05 0.15", "0 0 -0.1"))
            parts.append(joint(f"{after}_joint", "revolute", f"{before} {after}", at, axis, "-2 2"))
            before = after
    return robot(*parts)


def test_soles_of_several_links_all_stand(tmp_path: Path) -> None:
    """And each foot is still one foot of a robot with two legs."""
    (tmp_path / "biped.urdf").write_text(biped(feet=2))
    proposal = propose(tmp_path / "biped.urdf")
    assert set(proposal.floor) == {f"{side}_foot_{part}" for side in ("left", "right") for part in (0, 1)}
    write(proposal, tmp_path / "biped")
    legs = load_robot(tmp_path / "biped").legs
    assert [leg.foot for leg in legs] == ["left", "right"]
    assert legs[0].outline[:, 0].max() - legs[0].outline[:, 0].min() == pytest.approx(0.21, abs=1e-3)
