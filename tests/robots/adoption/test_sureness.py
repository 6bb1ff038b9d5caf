"""A proposal says how sure it is of its parts."""

from __future__ import annotations

from pathlib import Path

from taskmatrix.robots.adoption.proposal import propose
from taskmatrix.robots.adoption.sureness import GUESS, LIKELY, SURE, sureness
from taskmatrix.robots.adoption.writing import write
from tests.robots.adoption.made import cart, joint, plain_arm, proposal_of


def levels(urdf: Path) -> dict[str, str]:
    """Level by part."""
    return {one.part: one.level for one in sureness(propose(urdf))}


def test_a_humanoid_is_sure_but_for_its_palms_and_its_eyes() -> None:
    """Mirrored limbs, soles, and several signs for forward; a palm without fingers and a face are guessed."""
    found = {one.part: one.level for one in sureness(proposal_of("mannequin"))}
    unsure = {part for part, level in found.items() if level != SURE}
    assert unsure == {"hands.left", "hands.right", "view"}


def test_a_single_arm_is_likely(tmp_path: Path) -> None:
    """It has no image; its gripper is measured, and what it stands on may move."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    found = levels(tmp_path / "arm.urdf")
    assert found["chains.arm"] == LIKELY
    assert found["hands.only"] == SURE
    assert found["base.range"] == LIKELY
    assert found["model.forward"] == GUESS


def test_a_neck_that_turns_without_end_is_a_guess(tmp_path: Path) -> None:
    """It may be a scanner."""
    head = joint("neck", "revolute", "mast head", "0 0 0.5", "0 0 1")
    assert head in cart()
    (tmp_path / "cart.urdf").write_text(cart().replace(head, head.replace("revolute", "continuous")))
    assert levels(tmp_path / "cart.urdf")["chains.head"] == GUESS


def test_what_is_guessed_is_in_the_file(tmp_path: Path) -> None:
    """With why, and what is sure in one line."""
    (tmp_path / "cart.urdf").write_text(cart())
    write(propose(tmp_path / "cart.urdf"), tmp_path / "cart")
    text = (tmp_path / "cart" / "robot.toml").read_text()
    assert "\n# sure: " in text
    assert "# ? likely: " in text
