"""The view is a camera that looks forward, or the front of the head."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.world.geometry import angle_between
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.anatomy.heading import find_heading
from taskmatrix.robots.adoption.anatomy.limbs import find_limbs
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from taskmatrix.robots.adoption.anatomy.view import find_view
from taskmatrix.robots.adoption.proposal import propose
from tests.robots.adoption.made import NAMES, biped, cart, plain_arm, proposal_of


@pytest.mark.parametrize("name", NAMES)
def test_views_are_those_of_the_reviewed_adapter(name: str) -> None:
    """The same link, the eyes within 3 cm, the direction within 15 degrees."""
    view, proposal = load_robot(name).view, proposal_of(name)
    view_pose = proposal.view_pose
    assert view is not None
    assert view_pose is not None
    assert view_pose.frame == view.frame
    assert np.linalg.norm(view_pose.origin - view.X_LV[:3, 3]) < 0.03
    assert angle_between(view_pose.forward, view.X_LV[:3, 0]) < np.radians(15.0)
    assert angle_between(view_pose.up, view.X_LV[:3, 1]) < np.radians(15.0)


def test_a_camera_tells_where_a_cart_looks(tmp_path: Path) -> None:
    """Its x axis is along the root's y, and so is forward."""
    (tmp_path / "cart.urdf").write_text(cart())
    tree = read_tree(tmp_path / "cart.urdf")
    anatomy = find_limbs(tree)
    heading = find_heading(tree, anatomy)
    np.testing.assert_allclose(heading.forward, [0, 1, 0], atol=1e-12)
    view_pose = find_view(tree, anatomy, heading)
    assert view_pose is not None
    assert view_pose.frame == "camera_link"
    np.testing.assert_allclose(view_pose.forward, [1, 0, 0], atol=1e-6)


BODY, OPTICAL = "0 {} 0", "{} 0 -1.5707963"
"""Turns of a camera that looks down by an angle: of a frame like a body's, and of an optical one."""


@pytest.mark.parametrize(
    ("name", "turn", "forward", "up"),
    [
        ("camera", BODY.format(1.2), [1, 0, 0], [0, 0, 1]),
        ("camera", OPTICAL.format(-1.5707963 - 0.9), [0, 0, 1], [0, -1, 0]),
        ("camera_optical_frame", BODY.format(0.9), [1, 0, 0], [0, 0, 1]),
    ],
    ids=["body_steep", "optical_unnamed", "body_misnamed"],
)
def test_a_camera_that_looks_down_looks_as_its_lateral_axis_says(
    tmp_path: Path, name: str, turn: str, forward: list[float], up: list[float]
) -> None:
    """Whatever it is called, and however near another axis comes to forward."""
    mount = f'<link name="{name}"/><joint name="eye" type="fixed"><parent link="trunk"/><child link="{name}"/>'
    mount += f'<origin xyz="0.1 0 0.4" rpy="{turn}"/></joint></robot>'
    (tmp_path / "biped.urdf").write_text(biped().replace("</robot>", mount))
    tree = read_tree(tmp_path / "biped.urdf")
    anatomy = find_limbs(tree)
    view_pose = find_view(tree, anatomy, find_heading(tree, anatomy))
    assert view_pose is not None
    assert view_pose.frame == name
    np.testing.assert_allclose([view_pose.forward, view_pose.up], [forward, up], atol=1e-6)


def test_an_arm_has_no_view(tmp_path: Path) -> None:
    """Nothing is guessed."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    tree = read_tree(tmp_path / "arm.urdf")
    anatomy = find_limbs(tree)
    assert find_view(tree, anatomy, find_heading(tree, anatomy)) is None


def test_a_frame_that_is_welded_to_a_camera_does_not_see(tmp_path: Path) -> None:
    """What looks against an axis of its own is not taken, though it is nearer the middle."""
    weld = (
        '<link name="camera_frame"/><joint name="weld" type="fixed"><parent link="camera_link"/>'
        '<child link="camera_frame"/><origin xyz="0.03 0 0.02" rpy="0 0 3.14159"/></joint>'
    )
    apart = cart().replace('<origin xyz="0 0.05 0" rpy="0 0 1.5708"/>', '<origin xyz="0.03 0.05 0" rpy="0 0 1.5708"/>')
    (tmp_path / "cart.urdf").write_text(apart.replace("</robot>", weld.replace("0.03 0 0.02", "0 0.03 0") + "</robot>"))
    view = propose(tmp_path / "cart.urdf").view_pose
    assert view is not None
    assert view.frame == "camera_link"
