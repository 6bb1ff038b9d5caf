"""Hands are found where people put them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.world.geometry import angle_between
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose
from taskmatrix.robots.adoption.anatomy.heading import find_heading
from taskmatrix.robots.adoption.anatomy.limbs import find_limbs
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from taskmatrix.robots.adoption.hands.grip import Grip
from taskmatrix.robots.adoption.hands.hands import find_grip
from tests.robots.adoption.made import NAMES, joint, link, plain_arm, proposal_of, thumbed_arm

NEAR = 0.03  # [m]
ALIKE = np.radians(15.0)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("name", NAMES)
def test_grasp_frames_are_near_the_reviewed_ones(name: str, side: str) -> None:
    """Position within 3 cm, approach and closing direction within 15 degrees; the closing direction has no sign."""
    hand, proposal = load_robot(name).hands[side], proposal_of(name)
    grip = proposal.hands[side]
    reviewed = proposal.tree.pose(hand.frame) @ hand.X_LH
    proposed = proposal.tree.pose(grip.frame) @ grip.X_LH
    assert np.linalg.norm(reviewed[:3, 3] - proposed[:3, 3]) < NEAR
    assert angle_between(reviewed[:3, 2], proposed[:3, 2]) < ALIKE
    y = angle_between(reviewed[:3, 1], proposed[:3, 1])
    assert min(y, np.pi - y) < ALIKE
    assert set(grip.touch) == set(hand.touch)
    assert grip.aperture == pytest.approx(hand.aperture, abs=0.01)


@pytest.mark.parametrize("name", ["icub", "nao", "pr2"])
def test_grasp_frames_of_more_robots(name: str) -> None:
    """Palms without fingers and grippers of linkages: within 3 cm and 20 degrees, half a turn aside."""
    proposal = proposal_of(name)
    for side, hand in load_robot(name).hands.items():
        grip = proposal.hands[side]
        A, B = proposal.tree.pose(hand.frame) @ hand.X_LH, proposal.tree.pose(grip.frame) @ grip.X_LH
        assert np.linalg.norm(A[:3, 3] - B[:3, 3]) < NEAR
        assert angle_between(A[:3, 2], B[:3, 2]) < np.radians(20.0)
        y = angle_between(A[:3, 1], B[:3, 1])
        assert min(y, np.pi - y) < np.radians(20.0)


def test_a_parallel_gripper_is_measured(tmp_path: Path) -> None:
    """Pads of 1 cm side by side slide 4 cm each: it opens 8 cm, along the slides, and reaches along the fingers."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    tree = read_tree(tmp_path / "arm.urdf")
    anatomy = find_limbs(tree)
    grip = find_grip(tree, anatomy.of("arm")[0], anatomy, find_heading(tree, anatomy))
    assert grip.frame == "palm"
    np.testing.assert_allclose(grip.X_LH[:3, 1], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(grip.X_LH[:3, 2], [0, 0, 1], atol=1e-6)
    assert grip.open == {"open": 0.04}
    assert grip.table[-1][0] == pytest.approx(0.08, abs=2e-3)
    assert [width for width, _ in grip.table] == sorted(width for width, _ in grip.table)


def test_without_fingers_it_affixes_and_says_so(tmp_path: Path) -> None:
    """The end of the arm is its palm."""
    (tmp_path / "arm.urdf").write_text(plain_arm(fingers=False))
    tree = read_tree(tmp_path / "arm.urdf")
    anatomy = find_limbs(tree)
    grip = find_grip(tree, anatomy.of("arm")[0], anatomy, find_heading(tree, anatomy))
    assert (grip.open, grip.table) == ({}, ())
    np.testing.assert_allclose(grip.X_LH[:3, 2], [0, 0, 1], atol=1e-6)
    assert grip.X_LH[2, 3] > 0.07  # beyond the palm's surface
    assert any(note.kind == "unsure" and "affix" in note.text for note in grip.notes)


def test_fingers_that_open_a_sliver_are_not_taken_to_close(tmp_path: Path) -> None:
    """It affixes, and says how much room there was and how to change that."""
    narrow = plain_arm().replace('upper="0.04"', 'upper="0.008"')
    (tmp_path / "arm.urdf").write_text(narrow)
    grip = _grip(tmp_path / "arm.urdf")
    assert (grip.open, grip.aperture) == ({}, 0.12)
    note = next(note for note in grip.notes if note.kind == "unsure")
    assert "leave 12 mm of room" in note.text
    assert "give the hand fingers, open and closed" in note.text


def test_a_body_around_the_fingers_that_is_not_drawn_is_named(tmp_path: Path) -> None:
    """A box for safety, as TIAGo's: no finger can be seen to move in it."""
    box = link("guard", "0.3 0.3 0.3") + joint("mount", "fixed", "palm guard", "0 0 0.1", "0 0 1")
    (tmp_path / "arm.urdf").write_text(plain_arm().replace("</robot>", f"{box}</robot>"))
    grip = _grip(tmp_path / "arm.urdf")
    assert grip.open == {}
    assert any("'guard', drawn nowhere, encloses" in note.text for note in grip.notes if note.kind == "unsure")


def _grip(urdf: Path) -> Grip:
    tree = read_tree(urdf)
    anatomy = find_limbs(tree)
    return find_grip(tree, anatomy.of("arm")[0], anatomy, find_heading(tree, anatomy))


@pytest.mark.parametrize("side", [-1, 1])
def test_a_thumb_is_turned_to_where_it_opposes(tmp_path: Path, side: int) -> None:
    """At rest it is beside the fingers, which would close on the palm; a hand and its mirror image come out alike."""
    (tmp_path / "arm.urdf").write_text(thumbed_arm(side))
    tree = read_tree(tmp_path / "arm.urdf")
    anatomy = find_limbs(tree)
    grip = find_grip(tree, anatomy.of("arm")[0], anatomy, find_heading(tree, anatomy))
    assert grip.aperture == pytest.approx(0.036, abs=2e-3)
    assert grip.open["thumb_turn"] == grip.closed["thumb_turn"] == pytest.approx(-1.57 * side)
    assert grip.open["thumb_bend"] > grip.closed["thumb_bend"]  # the joint behind it bends
    assert abs(grip.X_LH[0, 1]) > 0.8  # the fingers come forward, the thumb back
    assert any("thumb_turn at" in note.text for note in grip.notes)


def test_fingers_that_do_not_move_hold_before_their_ends(tmp_path: Path) -> None:
    """Two fixed fingers, splayed: along them, before the whole hand, which may touch what it holds."""
    parts = [plain_arm(fingers=False).removesuffix("</robot>"), link("mount", "0.03 0.03 0.02")]
    parts.append(joint("mounted", "fixed", "palm mount", "0 0 0.08", "0 0 1"))
    for name, y in (("finger_one", 0.06), ("finger_two", -0.06)):
        parts.append(link(name, "0.02 0.07 0.02"))
        parts.append(joint(f"{name}_weld", "fixed", f"mount {name}", f"0 {y} 0.02", "0 0 1"))
    (tmp_path / "arm.urdf").write_text("".join(parts) + "</robot>")
    tree = read_tree(tmp_path / "arm.urdf")
    anatomy = find_limbs(tree)
    grip = find_grip(tree, anatomy.of("arm")[0], anatomy, find_heading(tree, anatomy))
    assert grip.frame == "mount"
    np.testing.assert_allclose(grip.X_LH[:3, 2], [0, 0, 1], atol=1e-6)
    np.testing.assert_allclose(grip.X_LH[:3, 3], [0, 0, 0.05], atol=1e-6)
    assert set(grip.touch) == {"mount", "finger_one", "finger_two"}


def test_a_palm_that_collides_as_a_capsule_faces_as_it_is_drawn(tmp_path: Path) -> None:
    """A flat hand within a capsule: what is drawn tells the flat side."""
    box = '<collision><origin xyz="0 0 0.05"/><geometry><box size="0.06 0.1 0.04"/></geometry></collision>'
    drawn = '<visual><origin xyz="0 0 0.05"/><geometry><box size="0.02 0.1 0.14"/></geometry></visual>'
    round_ = (
        '<collision><origin xyz="0 0 0.05"/><geometry><capsule radius="0.05" length="0.05"/></geometry></collision>'
    )
    urdf = tmp_path / "arm.urdf"
    urdf.write_text(plain_arm(fingers=False).replace(box, drawn + round_))
    tree = read_tree(urdf)
    anatomy = find_limbs(tree)
    grip = find_grip(tree, anatomy.of("arm")[0], anatomy, find_heading(tree, anatomy))
    np.testing.assert_allclose(np.abs(grip.X_LH[:3, 2]), [1, 0, 0], atol=1e-6)


def jawed_arm() -> str:
    """An arm whose palm has a fixed jaw, on which another closes; its hinge is beside it."""
    jaw = '<collision><origin xyz="-0.02 0 0.12"/><geometry><box size="0.02 0.03 0.12"/></geometry></collision></link>'
    palm = link("palm", "0.06 0.1 0.04", "0 0 0.05")
    text = plain_arm(fingers=False).replace(palm, palm.replace("</link>", jaw)).removesuffix("</robot>")
    text += link("jaw", "0.02 0.03 0.1", "0 0 0.05")
    return text + joint("bite", "revolute", "palm jaw", "0.02 0 0.08", "0 1 0", "-0.35 1.9") + "</robot>"


def test_a_jaw_closes_on_a_fixed_one(tmp_path: Path) -> None:
    """Half way along the jaws, across their hinge; near the hinge there is no pad."""
    (tmp_path / "arm.urdf").write_text(jawed_arm())
    tree = read_tree(tmp_path / "arm.urdf")
    anatomy = find_limbs(tree)
    grip = find_grip(tree, anatomy.of("arm")[0], anatomy, find_heading(tree, anatomy))
    assert grip.open
    assert grip.aperture > 0.02
    assert grip.X_LH[2, 3] > 0.12
    assert abs(grip.X_LH[0, 1]) > 0.9
    assert grip.X_LH[2, 2] > 0.9


def test_a_flange_behind_its_joint_faces_away_from_the_arm(tmp_path: Path) -> None:
    """Its origin is its face; what it is welded to is a part of the hand and may touch what that holds."""
    urdf = plain_arm(fingers=False).replace(
        '<link name="palm"><collision><origin xyz="0 0 0.05"/><geometry><box size="0.06 0.1 0.04"/>',
        '<link name="palm"><collision><origin xyz="0 0 -0.006"/><geometry><box size="0.06 0.06 0.012"/>',
    )
    tool = link("tool", "0.01 0.01 0.002") + joint("weld", "fixed", "palm tool", "0 0 0", "0 0 1")
    urdf = urdf.replace("</robot>", f"{tool}</robot>")
    (tmp_path / "arm.urdf").write_text(urdf)
    grip = propose(tmp_path / "arm.urdf").hands["only"]
    np.testing.assert_allclose(grip.X_LH[:3, 2], (0.0, 0.0, 1.0), atol=1e-6)
    assert grip.X_LH[2, 3] > 0.0
    assert set(grip.touch) == {"palm", "tool"}
