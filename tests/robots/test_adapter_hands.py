"""Hands that are the mirror images of others."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.robots.sides import other_side

FLIP = np.diag([1.0, -1.0, 1.0])


def test_the_image_of_a_hand_is_where_the_mirror_shows_it(robot: Robot) -> None:
    """With all joints at zero, of position, approach and the line along which the fingers close."""
    q = np.zeros(robot.n)
    left, right = hand_pose(robot, "left", q), hand_pose(robot, "right", q)
    np.testing.assert_allclose(right[:3, 3], FLIP @ left[:3, 3], atol=2e-3)
    np.testing.assert_allclose(right[:3, 2], FLIP @ left[:3, 2], atol=5e-3)
    assert abs(right[:3, 1] @ FLIP @ left[:3, 1]) > 0.999
    np.testing.assert_allclose(right[:3, :3] @ right[:3, :3].T, np.eye(3), atol=1e-9)
    assert np.linalg.det(right[:3, :3]) > 0


def test_fingers_of_the_image_close_alike(robot: Robot) -> None:
    """The same widths, with the fingers as far closed."""
    left, right = robot.hands["left"], robot.hands["right"]
    assert {other_side(link, right.touch) for link in left.touch} == set(right.touch)
    assert (left.fingers is None) == (right.fingers is None)
    for row, image in zip(left.table, right.table, strict=True):
        at, other_at = row.joints, image.joints
        assert row.width == pytest.approx(image.width, abs=2e-3)
        assert not set(at) & set(other_at)
        for joint, other in zip(at, other_at, strict=True):
            way, other_way = left.closed[joint] - left.open[joint], right.closed[other] - right.open[other]
            done, other_done = at[joint] - left.open[joint], other_at[other] - right.open[other]
            assert done * other_way == pytest.approx(other_done * way, abs=1e-6)


def test_the_image_of_a_hand_is_sloped_the_other_way(tmp_path: Path) -> None:
    """As the adapter says of the first, and none unless it does."""
    folder = tmp_path / "mannequin"
    shutil.copytree(find_adapter("mannequin").parent, folder)
    adapter = folder / "robot.toml"
    text = adapter.read_text(encoding="utf-8")
    adapter.write_text(text.replace("[hands.left]", "[hands.left]\nslope = 0.5", 1), encoding="utf-8")
    assert {name: hand.slope for name, hand in load_robot(folder).hands.items()} == {"left": 0.5, "right": -0.5}
    assert {hand.slope for hand in load_robot("mannequin").hands.values()} == {0.0}


@pytest.mark.parametrize(
    ("hand", "message"),
    [
        ('mirror = "lfet"', r"hands\.right\.mirror: no hand 'lfet'; did you mean 'left'"),
        ('mirror = "left"\naperture = 0.1', r"hands\.right\.aperture: no key 'aperture'"),
        ('mirror = "right"', r"hands\.right\.mirror: no hand 'right'"),
    ],
)
def test_an_image_that_cannot_be_is_refused(tmp_path: Path, hand: str, message: str) -> None:
    """With the place in the file."""
    folder = tmp_path / "mannequin"
    shutil.copytree(find_adapter("mannequin").parent, folder)
    adapter = folder / "robot.toml"
    text = adapter.read_text(encoding="utf-8")
    assert 'mirror = "left"' in text
    adapter.write_text(text.replace('mirror = "left"', hand), encoding="utf-8")
    with pytest.raises(RobotError) as caught:
        load_robot(folder)
    assert re.search(message, str(caught.value)), str(caught.value)


def test_a_hand_whose_link_has_no_partner_is_written_out(tmp_path: Path) -> None:
    """Here it is called after the pad that it carries, which nothing on the other side is."""
    folder = tmp_path / "mannequin"
    shutil.copytree(find_adapter("mannequin").parent, folder)
    adapter, urdf = folder / "robot.toml", folder / "mannequin.urdf"
    urdf.write_text(urdf.read_text(encoding="utf-8").replace('"left_hand"', '"pad"'), encoding="utf-8")
    adapter.write_text(adapter.read_text(encoding="utf-8").replace('"left_hand"', '"pad"'), encoding="utf-8")
    pairs = folder / "pairs.toml"
    pairs.write_text(pairs.read_text(encoding="utf-8").replace('"left_hand"', '"pad"'), encoding="utf-8")
    with pytest.raises(
        RobotError, match=r"hands\.right\.mirror: the link 'pad' has no partner .*; write this hand out"
    ):
        load_robot(folder)


def test_fingers_without_partners_are_written_out(tmp_path: Path) -> None:
    """Here the chain on the other side has one joint more."""
    folder = tmp_path / "asimo"
    shutil.copytree(find_adapter("asimo").parent, folder)
    adapter = folder / "robot.toml"
    text = adapter.read_text(encoding="utf-8")
    assert ', "right_wrist"]' in text
    text = text.replace(', "right_wrist"]', "]").replace('["right_fingers"]', '["right_fingers", "right_wrist"]')
    adapter.write_text(text, encoding="utf-8")
    with pytest.raises(RobotError, match=r"hands\.right\.mirror: the joints of 'left_hand' have no partners"):
        load_robot(folder)
