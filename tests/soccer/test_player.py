"""The forward player, on a fake robot that kicks nothing: what happens to the ball is in the script."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree
from taskmatrix.core.failure import FailureKind
from taskmatrix.soccer import ForwardPlayer, Player
from taskmatrix.testing import Bench, thing

from .field import field, moved, transitions


def played(made: Bench, seconds: float) -> ActivationTree:
    tree = ActivationTree(Player())
    made.run(tree, seconds)
    return tree


def test_player_finds_the_ball_goes_there_aims_and_kicks() -> None:
    """In that order, and every change has its cause."""
    made = field((2.0, 1.0))
    played(made, 20.0)
    assert transitions(made, "player")[:6] == [
        ("approach", "sees the ball"),
        ("look_for_net", "has reached the ball"),
        ("align", "selects a kick"),
        ("stand", "is aligned"),
        ("kicking", "stands still after 0.2 s"),
        ("approach", "has kicked"),
    ]
    told = [event.data for event in made.events if event.kind == "message" and event.source.endswith("kick")]
    headings = [data["heading"] for data in told if "heading" in data]
    assert headings[0] == pytest.approx(np.arctan2(-1.0, 2.2), abs=0.15)


def test_player_that_sees_the_ball_in_the_net_has_scored() -> None:
    """And is done."""
    made = field((2.0, 1.0), [moved(1.0, 4.1, 0.3)])
    assert made.run(ForwardPlayer()).success
    assert transitions(made, "forward-player")[-1] == ("scored", "sees the ball in the net")


def test_ball_that_is_taken_away_is_looked_for_again() -> None:
    """While the player goes there."""
    made = field((3.0, 0.0), [moved(5.0, 2.5, -1.8)])
    played(made, 20.0)
    told = transitions(made, "player")
    assert told[:3] == [
        ("approach", "sees the ball"),
        ("look_for_ball", "ball is lost"),
        ("approach", "sees the ball"),
    ]


def test_robot_without_feet_is_not_able() -> None:
    """By what the player requires."""
    made = Bench([thing("ball", (2.0, 0.0, 0.05)), thing("yellow_goal", (4.0, 0.0, 0.4))])
    failure = made.run(ForwardPlayer()).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE


def test_ball_that_is_not_there_is_named() -> None:
    """Before anything moves."""
    failure = field().run(ForwardPlayer(ball="bal")).failure
    assert failure is not None
    assert failure.kind is FailureKind.UNKNOWN_OBJECT


def test_same_seed_same_game() -> None:
    """Event by event."""
    first, second = field(), field()
    played(first, 12.0)
    played(second, 12.0)
    assert [(e.kind, e.time) for e in first.events] == [(e.kind, e.time) for e in second.events]
