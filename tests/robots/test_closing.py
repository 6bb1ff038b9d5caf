"""Widths between the pads that are measured, not written."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.world.geometry import planar
from taskmatrix.robots import load_robot

Tiny = Callable[..., Path]
TABLE = "table = [{ width = 0.012, joints = { jaw = 0.0 } }, { width = 0.088, joints = { jaw = 0.038 } }]\n"


def test_widths_are_measured_where_none_are_written(tiny: Tiny) -> None:
    """The nearer jaw is 5 mm off, and the bar is in the middle: 10 mm, and 2 mm more with each that a jaw moves."""
    hand = load_robot(tiny(robot=(TABLE, ""))).hands["only"]
    assert len(hand.table) == 10
    for row in hand.table:
        assert row.width == pytest.approx(0.010 + 2 * row.joints["jaw"], abs=1.2e-3)
    assert np.all(np.diff([row.width for row in hand.table]) > 0)
    assert hand.closing(0.05)["jaw"] == pytest.approx(0.020, abs=1e-3)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("origin = [0.0, 0.0, -0.06]\n", "origin = [0.0, 0.0, -0.3]\n"),  # before the fingers' tips: nothing there
        ("aperture = 0.07\n", "aperture = 0.2\n"),
    ],
)
def test_widths_that_do_not_fit_the_aperture_are_refused(tiny: Tiny, old: str, new: str) -> None:
    """The frame is not between the pads, or the aperture is wrong."""
    path = tiny(robot=(TABLE, ""))
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RobotError) as caught:
        load_robot(path)
    assert re.search(
        r"robot\.toml: hands\.only\.table: missing, and cannot be measured: .* aperture is", str(caught.value)
    )


def test_a_hand_whose_pads_meet_elsewhere_is_drawn_back_by_that(tiny: Tiny) -> None:
    """Half way between the two rows it is half as far; beyond them as far as in the nearest."""
    curled = TABLE.replace("width = 0.012,", "width = 0.012, middle = [0.0, 0.004, 0.02],")
    hand = load_robot(tiny(robot=(TABLE, curled))).hands["only"]
    X_FG = planar(0.1, 0.2, np.pi / 2)
    for width, share in ((0.001, 1.0), (0.012, 1.0), (0.05, 0.5), (0.088, 0.0)):
        X_FH = hand.around(X_FG, width)
        np.testing.assert_allclose(X_FH[:3, :3], X_FG[:3, :3])
        np.testing.assert_allclose(X_FH @ [0.0, 0.004 * share, 0.02 * share, 1.0], X_FG[:, 3], atol=1e-12)
