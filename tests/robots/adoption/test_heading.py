"""Forward is found by what a robot shows."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.robots.adoption.anatomy.heading import find_heading
from taskmatrix.robots.adoption.anatomy.limbs import find_limbs
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from tests.robots.adoption.made import NAMES, cart, proposal_of, urdf_of


@pytest.mark.parametrize("name", NAMES)
def test_robots_that_look_along_x_are_found_to(name: str) -> None:
    """With evidence, and none against it."""
    heading = proposal_of(name).heading
    np.testing.assert_allclose(heading.forward, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(heading.left, [0, 1, 0], atol=1e-12)
    assert heading.evidence
    assert heading.against == ()


def test_a_root_that_looks_backwards_is_noticed_without_names(tmp_path: Path) -> None:
    """Turned by half a turn below its root, and with sides that mean nothing, toes, knees and elbows still tell."""
    text = urdf_of("mannequin").read_text()
    shutil.copytree(urdf_of("mannequin").parent / "meshes", tmp_path / "meshes")
    text = text.replace("left_", "a_").replace("right_", "b_")
    for side in "ab":
        text = text.replace(f"meshes/{side}_", f"meshes/{ {'a': 'left', 'b': 'right'}[side] }_")
    mount = '<link name="turned"/><joint name="half_turn" type="fixed"><parent link="turned"/><child link="{}"/>'
    mount += '<origin rpy="0 0 3.14159265"/></joint></robot>'
    root = read_tree(urdf_of("mannequin")).description.root_link
    (tmp_path / "turned.urdf").write_text(text.replace("</robot>", mount.format(root)))
    tree = read_tree(tmp_path / "turned.urdf")
    heading = find_heading(tree, find_limbs(tree))
    np.testing.assert_allclose(heading.forward, [-1, 0, 0], atol=1e-12)
    assert "left and right in the names" not in heading.evidence


def test_an_optical_frame_that_is_not_called_so_tells_where_a_cart_looks(tmp_path: Path) -> None:
    """Its x is along the robot's side, so it looks along z, whatever its name says."""
    text = cart().replace('rpy="0 0 1.5708"', 'rpy="-1.5708 0 0"')
    (tmp_path / "cart.urdf").write_text(text)
    tree = read_tree(tmp_path / "cart.urdf")
    heading = find_heading(tree, find_limbs(tree))
    np.testing.assert_allclose(heading.forward, [0, 1, 0], atol=1e-12)
    assert "cameras look this way" in heading.evidence
