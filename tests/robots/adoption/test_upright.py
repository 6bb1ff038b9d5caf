"""A robot whose root has another axis up stands on its legs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.proposal import propose
from taskmatrix.robots.adoption.writing import write
from tests.robots.adoption.made import biped, plain_arm


def lying() -> str:
    """A biped whose URDF has y up and z to its right, as models of people have."""

    def turned(match: re.Match[str]) -> str:
        x, y, z = match[2].split()
        flip = "" if match[1] == "size" else "-"
        return f'{match[1]}="{x} {z} {flip}{y}"'.replace("--", "")

    return re.sub(r'(xyz|size)="([^"]+)"', turned, biped())


def test_y_up_is_found_and_written(tmp_path: Path) -> None:
    """Limbs, floor and height are those of the same robot with z up."""
    (tmp_path / "lying.urdf").write_text(lying())
    (tmp_path / "standing.urdf").write_text(biped())
    proposals = [propose(tmp_path / f"{name}.urdf") for name in ("lying", "standing")]
    assert [proposal.tree.description.up for proposal in proposals] == ["y", "z"]
    assert proposals[0].chains == proposals[1].chains
    assert proposals[0].floor == proposals[1].floor
    assert any("y axis is taken for up" in note.text for note in proposals[0].of("unsure"))
    robots = []
    for proposal, name in zip(proposals, ("one", "other"), strict=True):
        write(proposal, tmp_path / name)
        robots.append(load_robot(tmp_path / name))
    np.testing.assert_allclose(robots[0].height, robots[1].height, atol=1e-6)


def test_an_arm_that_points_aside_is_left_as_it_is(tmp_path: Path) -> None:
    """It has no legs either way."""
    aside = plain_arm().replace('<origin xyz="0 0 0.08"/>', '<origin xyz="0 0 0.08" rpy="1.5708 0 0"/>', 1)
    (tmp_path / "arm.urdf").write_text(aside)
    assert propose(tmp_path / "arm.urdf").tree.description.up == "z"
