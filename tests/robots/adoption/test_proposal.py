"""What is missing is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.proposal import in_contact, propose
from taskmatrix.robots.adoption.writing import write
from tests.robots.adoption.made import NAMES, biped, cart, joint, link, plain_arm, proposal_of, robot


def test_a_plain_arm_is_called_one_and_loads(tmp_path: Path) -> None:
    """It has no base that moves, no torso and no head; what it has is proposed."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    proposal = propose(tmp_path / "arm.urdf")
    assert any("one arm on a pedestal" in note.text for note in proposal.of("unsure"))
    texts = " ".join(note.text for note in proposal.of("missing"))
    assert "cannot look" in texts
    assert set(proposal.chains) == {"arm", "hand"}
    write(proposal, tmp_path / "robots" / "arm")
    loaded = load_robot(tmp_path / "robots" / "arm")
    assert loaded.upper[0] < 0.01
    assert loaded.view is None


def test_a_cart_without_arms_says_so(tmp_path: Path) -> None:
    """And two driven wheels are proposed as a drive, in a comment."""
    (tmp_path / "cart.urdf").write_text(cart())
    proposal = propose(tmp_path / "cart.urdf")
    assert any("no arm" in note.text for note in proposal.of("missing"))
    write(proposal, tmp_path / "cart")
    written = (tmp_path / "cart" / "robot.toml").read_text()
    assert "\n# ? two driven wheels, front and back: with drive" in written
    assert '\n# drive = "differential"\n' in written
    assert load_robot(tmp_path / "cart").drive == "omnidirectional"


def test_sprung_wheels_beside_casters_are_a_drive(tmp_path: Path) -> None:
    """As TIAGo's: what carries a driven wheel may give way, and what a caster carries is not driven."""
    text = cart().replace(
        '<parent link="cart"/><child link="front_wheel"/>', '<parent link="arm"/><child link="front_wheel"/>'
    )
    spring = link("arm") + joint("spring", "prismatic", "cart arm", "0 0 0", "0 0 1", "-0.01 0.01")
    caster = (
        link("fork") + link("caster", "0.1 0.02 0.1") + joint("swivel", "continuous", "cart fork", "0 0.2 0", "0 0 1")
    )
    caster += joint("roll", "continuous", "fork caster", "0 0 -0.05", "1 0 0")
    caster = caster.replace('lower="-1" upper="1" ', "")
    (tmp_path / "cart.urdf").write_text(text.replace("</robot>", f"{spring}{caster}</robot>"))
    texts = [note.text for note in propose(tmp_path / "cart.urdf").of("unsure")]
    assert any(text.startswith("two driven wheels, back and front and casters:") for text in texts)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_missing_in_a_humanoid(name: str) -> None:
    """All four are whole."""
    assert proposal_of(name).of("missing") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (robot(link("a")), "no joint moves"),
        (
            robot('<link name="a"/><link name="b"/>', joint("j", "revolute", "a b", "0 0 0", "0 0 1")),
            "no link has a <collision> body",
        ),
        ("<robot", "not well-formed XML"),
    ],
)
def test_what_cannot_be_a_robot_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """With the file and the reason."""
    (tmp_path / "bad.urdf").write_text(text)
    with pytest.raises(RobotError, match=rf"bad\.urdf: .*{message}"):
        propose(tmp_path / "bad.urdf")


def test_a_posture_in_contact_is_told_with_the_pair() -> None:
    """Each that touches, and no other."""
    at = {"stand": np.zeros(1), "rest": np.ones(1)}
    notes = list(in_contact(at, lambda q: {("hand", "thigh")} if q[0] else set()))
    assert [(note.kind, note.about) for note in notes] == [("unsure", "postures")]
    assert notes[0].text.startswith("rest: ")
    assert "hand and thigh" in notes[0].text


def test_postures_are_checked_as_they_are_written() -> None:
    """The side that is not written is the image of the other."""
    proposal = proposal_of("mannequin")
    q = proposal.postures.named["ready"]
    np.testing.assert_allclose(proposal.halves.written(q), q, atol=0.02)


def test_the_same_proposal_twice(tmp_path: Path) -> None:
    """Bit for bit."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    texts = []
    for folder in ("a", "b"):
        files = write(propose(tmp_path / "arm.urdf"), tmp_path / folder)
        texts.append([file.read_text() for file in files])
    assert texts[0] == texts[1]


def test_legs_may_swing_faster_than_arms(tmp_path: Path) -> None:
    """Those with which a robot steps; with the caps of its arms feet would come late, and drag."""
    (tmp_path / "biped.urdf").write_text(biped().replace('velocity="1"', 'velocity="9"'))
    write(propose(tmp_path / "biped.urdf"), tmp_path / "biped")
    loaded = load_robot(tmp_path / "biped")
    leg, arm = (list(loaded.chains[chain]) for chain in ("left_leg", "left_arm"))
    assert loaded.velocity[leg].min() == 6.0
    assert loaded.acceleration[leg].min() > loaded.acceleration[arm].max()


def test_a_leader_without_its_prefix_is_found_and_written(tmp_path: Path) -> None:
    """The joint whose name ends so and begins as the follower's; the URDF stays as it is."""
    text = plain_arm().replace('name="open"', 'name="left_open"').replace('name="follow"', 'name="left_follow"')
    extra = link("lid") + joint("right_open", "revolute", "plate lid", "0 0 0", "0 0 1")
    (tmp_path / "arm.urdf").write_text(text.replace("</robot>", f"{extra}</robot>"))
    proposal = propose(tmp_path / "arm.urdf")
    assert proposal.tree.leaders == {"left_follow": "left_open"}
    assert any("left_follow follows a joint that is not there" in note.text for note in proposal.of("unsure"))
    write(proposal, tmp_path / "robots" / "arm")
    assert "left_follow" not in load_robot(tmp_path / "robots" / "arm").joints


def test_a_leader_that_may_be_either_is_refused(tmp_path: Path) -> None:
    """Nothing is taken for it that begins otherwise."""
    text = plain_arm().replace('name="open"', 'name="left_open"')
    (tmp_path / "arm.urdf").write_text(text)
    with pytest.raises(RobotError, match="no joint 'open'"):
        propose(tmp_path / "arm.urdf")


def test_an_arm_of_three_joints_says_what_it_cannot(tmp_path: Path) -> None:
    """By itself it turns its hand as it happens to be where it points."""
    (tmp_path / "biped.urdf").write_text(biped())
    texts = [note.text for note in propose(tmp_path / "biped.urdf").of("unsure")]
    assert sum("has 3 joints: by itself it cannot turn its hand" in text for text in texts) == 2
