"""Hands of mirrored arms are alike, or told not to be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from taskmatrix.robots.adoption.proposal import Proposal, propose
from tests.robots.adoption.made import link, thumbed_arm


def adopted(path: Path, old: str = "", new: str = "") -> Proposal:
    """A robot of two arms side by side, with some text of the right one replaced."""
    parts = [link("root", "0.2 0.2 0.02")]
    for side, sign in (("left", -1), ("right", 1)):
        arm = re.sub(r'(name|link)="', rf'\1="{side}_', thumbed_arm(sign).removeprefix('<robot name="made">'))
        weld = f'<joint name="{side}" type="fixed"><parent link="root"/><child link="{side}_plate"/>'
        arm = arm.replace("</robot>", f'{weld}<origin xyz="0 {-0.3 * sign} 0"/></joint>')
        parts.append(arm.replace(old, new) if old and side == "right" else arm)
    path.write_text(f'<robot name="made">{"".join(parts)}</robot>')
    return propose(path)


def test_hands_of_mirrored_arms_are_mirrored(tmp_path: Path) -> None:
    """The thumb of the one is turned as that of the other, and the adapter has one of them only."""
    proposal = adopted(tmp_path / "two.urdf")
    left, right = (proposal.hands[side] for side in ("left", "right"))
    assert left.aperture == pytest.approx(right.aperture, abs=2e-3)
    assert left.open["left_thumb_turn"] == pytest.approx(-right.open["right_thumb_turn"])
    assert not any("not alike" in note.text for note in proposal.notes)


def test_hands_that_are_not_alike_are_told(tmp_path: Path) -> None:
    """A thumb that cannot turn leaves one hand without a grip."""
    proposal = adopted(tmp_path / "two.urdf", 'lower="-1.57" upper="0"', 'lower="-0.1" upper="0"')
    (note,) = (note for note in proposal.of("unsure") if "not alike" in note.text)
    assert note.text.endswith("that on left_palm opens 36 mm and that on right_palm affixes")
