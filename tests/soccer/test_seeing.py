"""What components that see have in common."""

from __future__ import annotations

import pytest

from taskmatrix.core import ActivationTree, ComponentError, Part
from taskmatrix.soccer import FaceBall, Fixmove, Perception
from taskmatrix.soccer.seeing import Seeing


class Twice(Seeing):
    """Two that see, one of them told by name what to look for."""

    face_ball = Part(FaceBall, ball=Seeing.ball, net=Seeing.net)
    fixmove = Part(Fixmove, ball="red", net="blue_goal")


def test_all_that_see_share_one_perception() -> None:
    """Of the ball and the net that the one at the top is told."""
    tree = ActivationTree(Twice(ball="red", net="blue_goal"))
    knows = tree.components["perception"]
    assert isinstance(knows, Perception)
    assert (knows.ball, knows.net) == ("red", "blue_goal")
    for name in ("twice", "face-ball", "fixmove"):
        seeing = tree.components[name]
        assert isinstance(seeing, Seeing)
        assert seeing.perception is knows


def test_two_that_see_different_balls_are_refused() -> None:
    """Before anything runs: perception looks for one."""
    with pytest.raises(ComponentError, match="'perception'"):
        ActivationTree(Twice(ball="ball", net="blue_goal"))
