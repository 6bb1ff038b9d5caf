"""An adapter says once what is the same on both sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.robots.adoption.movements import postures
from taskmatrix.robots.adoption.writing import adapter
from tests.robots.adoption.made import NAMES, proposal_of, urdf_of


@pytest.mark.parametrize("name", NAMES)
def test_the_short_form_is_written(name: str) -> None:
    """The right hand is the image of the left, postures have one side, and no table is written that can be measured."""
    text = adapter(proposal_of(name), urdf_of(name).parent)
    assert '[hands.right]\nmirror = "left"\n' in text
    assert "touch" not in text
    assert "table" not in text
    assert postures(proposal_of(name)).count("mirror = true") == 3


def test_a_posture_that_is_not_symmetric_is_written_out() -> None:
    """However little it is not, and whatever the trunk does."""
    halves = proposal_of("mannequin").halves
    both = {"left_elbow": 0.5, "right_elbow": 0.5}
    assert halves.half(both) == {"left_elbow": 0.5}
    assert halves.half({**both, "right_elbow": 0.6}) is None
    assert halves.half({"left_elbow": 0.5}) is None
    assert halves.half({"neck_yaw": 0.5}) is None


def test_a_hand_that_is_held_elsewhere_is_no_image() -> None:
    """By more than a centimetre and a half, or turned."""
    halves = proposal_of("asimo").halves
    assert halves.twin("right") == "left"
    assert halves.twin("left") == ""
    moved = halves.hands["right"].X_LH.copy()
    moved[:3, 3] += [0.0, 0.0, 0.02]
    right = replace(halves.hands["right"], X_LH=moved)
    assert replace(halves, hands={**halves.hands, "right": right}).twin("right") == ""
    turned = halves.hands["right"].X_LH @ np.diag([1.0, -1.0, -1.0, 1.0])
    right = replace(halves.hands["right"], X_LH=turned)
    assert replace(halves, hands={**halves.hands, "right": right}).twin("right") == ""
