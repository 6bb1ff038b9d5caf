"""What a robot provides, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.robot.capability import Capabilities, HandCapability, ViewCapability

HAND = HandCapability("arm", 6, 1, (0.002, 0.08), 0.55)


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (
            HAND,
            "closes 1 joint, opens 2 to 80 mm, reaches 0.55 m with the 6 joints of arm; what it carries is not known",
        ),
        (replace(HAND, opening=(0.0, 0.1), fingers=0, payload=1.25, declared=True), "carries 1.2 kg"),
        (
            replace(HAND, unknown="the URDF has no effort for 'elbow'"),
            "is not known: the URDF has no effort for 'elbow'",
        ),
        (replace(HAND, payload=1.3), "carries 1.3 kg by the efforts of its joints"),
    ],
)
def test_a_hand_tells_what_it_is_able_to(hand: HandCapability, words: str) -> None:
    """And where its payload comes from."""
    assert hand.description.endswith(words)
    assert ("affixes, opens 100 mm" in hand.description) is (hand.fingers == 0)


def test_a_view_tells_how_far_it_turns_and_sees() -> None:
    """In degrees and metres."""
    left, right, up, down = np.radians([90.0, 80.0, 30.0, 45.0]).tolist()
    view = ViewCapability(True, left, right, up, down, (0.3, 4.0))
    assert (
        view.description == "a head turns it: 90 deg left, 80 deg right, 30 deg up, 45 deg down; sees from 0.3 to 4 m"
    )
    assert ViewCapability(False).description == "no head turns it"


def test_a_robot_tells_part_by_part() -> None:
    """Also what it has not."""
    bare = Capabilities({"base": 3}, {}, None, holonomic=False)
    assert bare.description == {
        "chains": "base (3)",
        "base": "turns on the spot and rolls along its heading",
        "hands": "none: nothing can be reached for",
        "view": "there is none",
    }
    handed = replace(bare, hands={"left": HAND}, view=ViewCapability(False), holonomic=True)
    assert list(handed.description) == ["chains", "base", "left hand", "view"]
    assert handed.description["base"] == "moves in any direction"


@pytest.mark.parametrize(
    ("room", "holonomic", "words"),
    [
        ((0.001, 0.001), True, "stands, its range is 1 mm and 0.057 deg"),
        ((0.001, 3.0), False, "turns on the spot, its range is 1 mm"),
        ((0.5, 0.001), True, "moves in any direction"),
    ],
)
def test_a_base_without_room_stands(room: tuple[float, float], holonomic: bool, words: str) -> None:
    """Whatever it could do with more."""
    assert Capabilities({"base": 3}, {}, None, holonomic, room).description["base"] == words
