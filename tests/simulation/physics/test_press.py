"""With how much torque the joints of a hand press."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Hand, Robot
from taskmatrix.simulation.physics.press import _against, _pads, needed, pressing

from .scenes import robot

FORCE = 30.0  # [N]


def pushes(hand: Hand, found: Robot, torques: Array) -> dict[bool, float]:
    """[N] With which the pads push to either side."""
    moves, _ = _pads(hand, found, np.array(found.indices(hand.fingers or "")))
    by_pad = [(bool(row.sum() > 0.0), abs(row @ torques) / (row @ row)) for row in moves]
    return {way: sum(push for side, push in by_pad if side is way) for way in (True, False)}


@pytest.mark.parametrize("name", ["talos", "romeo", "pr2"])
def test_grippers_press_as_virtual_work_has_it(name: str) -> None:
    """Both jaws with the same force, by one joint: nothing to share."""
    found = robot(name)
    hand = found.hands["left"]
    joints = np.array(found.indices(hand.fingers or ""))
    widths = hand.table[-1].width - hand.table[0].width
    travel = sum(abs(hand.table[-1].joints[found.joints[k]] - hand.table[0].joints[found.joints[k]]) for k in joints)
    assert pressing(hand, found, joints, FORCE)[0] == pytest.approx(FORCE * widths / travel, rel=1e-6)


def test_fingers_press_as_hard_as_the_thumb_that_they_meet() -> None:
    """Two against one whose joints are taken for as weak as can be: with that force from either side."""
    found = robot("g1")
    hand = found.hands["left"]
    joints = np.array(found.indices(hand.fingers or ""))
    names = [found.joints[k] for k in joints]
    thumb = [name for name in names if "thumb" in name]
    slow = tuple(
        replace(row, joints={n: v * (0.3 if n in thumb else 1.0) for n, v in row.joints.items()}) for row in hand.table
    )
    weak = replace(hand, table=slow)
    both = pushes(weak, found, pressing(weak, found, joints, FORCE))
    assert both[True] == pytest.approx(FORCE, rel=0.05)
    assert both[False] == pytest.approx(FORCE, rel=0.05)


def test_fingers_beside_the_thumb_press_less() -> None:
    """So that what is held does not turn in the hand: force times distance is nearly nothing."""
    beside = np.array([-0.02, 0.03, 0.055, 0.08])
    found = _against(beside, FORCE)
    assert found.min() > 0.0
    assert found.sum() == pytest.approx(FORCE, rel=0.1)
    assert abs(found @ beside) < 0.2 * abs(np.full(4, FORCE / 4) @ beside)


def test_friction_holds_what_would_turn_in_the_hand() -> None:
    """A kilogram 10 cm off turns a handle of 28 mm: two pads with that force hold twice its weight and its torque."""
    mass, off, friction = 1.0, 0.1, 0.8
    force = needed(mass, off, friction)
    assert 2 * friction * force * 0.014 >= 2 * mass * 9.81 * off
    assert 2 * friction * force >= 2 * mass * 9.81
    assert needed(mass, 0.0, friction) < force / 5
