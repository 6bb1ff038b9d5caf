"""Names are taken apart."""

from __future__ import annotations

import pytest

from taskmatrix.robots.adoption.anatomy.name_tokens import CAMERA, GRIP, ends_with, mentions, side_of


@pytest.mark.parametrize(
    ("name", "side"),
    [("left_hip", "left"), ("r_foot", "right"), ("LShoulderPitch", "left"), ("RARM_ELBOW", "right"), ("lift", ""),
     ("arm_right_1", "right"), ("rgbd", ""), ("left_to_right", ""), ("Left_index", "left")],
)  # fmt: skip
def test_sides(name: str, side: str) -> None:
    """In the ways in which URDFs write them."""
    assert side_of(name) == side


def test_words_of_cameras_and_tools() -> None:
    """A camera is one wherever the word stands; a tool's frame ends with its word."""
    assert mentions("rgbd_optical_frame", CAMERA)
    assert mentions("CameraLeftEye", CAMERA)
    assert not mentions("camshaft", CAMERA)
    assert ends_with("l_gripper_tool_frame", GRIP)
    assert not ends_with("l_gripper_led_frame", GRIP)
