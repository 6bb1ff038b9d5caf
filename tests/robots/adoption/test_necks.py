"""A hull that fills the opening in which a neck moves: the mesh is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import coal
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from taskmatrix.robots.adoption.anatomy.limbs import find_limbs
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from taskmatrix.robots.adoption.necks import with_open_necks
from tests.robots.adoption.made import biped, joint, link, tree_of

PROFILE = ((-0.15, 0.0), (0.15, 0.0), (0.15, 0.2), (0.0, 0.2), (0.0, 0.4), (-0.15, 0.4))
"""(x, z) [m] Of a trunk with a high back: its hull is filled in front, where the head looks down."""


def trunk() -> str:
    """The trunk as a mesh."""
    corners = "".join(f"v {x} {y} {z}\n" for y in (-0.1, 0.1) for x, z in PROFILE)
    sides = ((1, 2, 3), (1, 3, 4), (1, 4, 6), (4, 5, 6))
    faces = [side for a, b, c in sides for side in ((a, b, c), (a + 6, c + 6, b + 6))]
    for k in range(6):
        a, b = k + 1, (k + 1) % 6 + 1
        faces += [(a, a + 6, b), (b, a + 6, b + 6)]
    return corners + "".join(f"f {a} {b} {c}\n" for a, b, c in faces)


def nodding(folder: Path, floor: float = 0.0) -> Path:
    """A biped with such a trunk, which is only drawn, and a head that nods into the gap."""
    box = '<collision><origin xyz="0 0 0.2"/><geometry><box size="0.2 0.3 0.3"/></geometry></collision>'
    drawn = '<visual><geometry><mesh filename="trunk.obj"/></geometry></visual>'
    head = link("head", "0.06 0.06 0.06", f"0.15 0 {floor}")
    neck = joint("neck", "revolute", "trunk head", "0 0 0.4", "0 1 0", "-0.2 1.2")
    (folder / "trunk.obj").write_text(trunk())
    text = biped()
    assert box in text
    (folder / "biped.urdf").write_text(text.replace(box, drawn).replace("</robot>", f"{head}{neck}</robot>"))
    return folder / "biped.urdf"


def test_the_mesh_of_a_trunk_is_kept_where_its_hull_bars_the_head(tmp_path: Path) -> None:
    """The head is free on its way, told, written and loaded; a look into the hull is no contact."""
    proposal = propose(nodding(tmp_path))
    assert proposal.tree.as_meshes == ("trunk",)
    assert any("trunk collides by the mesh itself" in note.text for note in proposal.of("found"))
    write(proposal, tmp_path / "biped")
    assert 'collide_as_meshes = [\n    "trunk",\n]' in (tmp_path / "biped" / "robot.toml").read_text()
    robot = load_robot(tmp_path / "biped")
    (mine,) = (body for body in robot.collision.geometryObjects if body.name.startswith("trunk"))
    assert isinstance(mine.geometry, coal.BVHModelBase)


def test_where_the_mesh_bars_it_as_well_the_hull_will_do(tmp_path: Path) -> None:
    """A head that begins in the trunk: nothing is gained."""
    tree = read_tree(nodding(tmp_path, floor=-0.25))
    assert with_open_necks(tree, find_limbs(tree)) is tree


def test_a_robot_without_hulls_stays_as_it_is() -> None:
    """Nothing bars its neck that is not there."""
    tree = tree_of("mannequin")
    assert with_open_necks(replace(tree, meshes=None), find_limbs(tree)).as_meshes == ()


def test_a_link_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With the nearest that is."""
    write(propose(nodding(tmp_path)), tmp_path / "biped")
    file = tmp_path / "biped" / "robot.toml"
    file.write_text(
        file.read_text().replace('collide_as_meshes = [\n    "trunk"', 'collide_as_meshes = [\n    "trunks"')
    )
    with pytest.raises(RobotError, match=r"model\.collide_as_meshes: no link 'trunks'; did you mean 'trunk'"):
        load_robot(tmp_path / "biped")
