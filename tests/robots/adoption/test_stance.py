"""Postures are natural and free of contact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.proposal import propose
from taskmatrix.robots.adoption.writing import write
from tests.robots.adoption.made import NAMES, biped, plain_arm, proposal_of


@pytest.mark.parametrize("name", NAMES)
def test_a_proposed_robot_loads_and_stands(name: str, tmp_path: Path) -> None:
    """At once, with all three postures free of contact, the hands low in stance and ahead when ready."""
    write(proposal_of(name), tmp_path / name)
    robot = load_robot(tmp_path / name)
    data, geometry_data = robot.model.createData(), robot.collision_data()
    places = {}
    for posture in ("stand", "rest", "ready"):
        q = robot.expand(robot.posture(posture))
        assert not pin.computeCollisions(robot.model, data, robot.collision, geometry_data, q, True)
        pin.framesForwardKinematics(robot.model, data, q)
        hands = [data.oMf[robot.model.getFrameId(hand.frame)].translation.copy() for hand in robot.hands.values()]
        places[posture] = np.array(hands)
    assert np.all(places["stand"][:, 2] < robot.shoulder_height - 0.2 * robot.height)
    assert np.all(places["ready"][:, 0] > places["stand"][:, 0] + 0.05 * robot.height)
    assert np.all(places["ready"][:, 2] > places["stand"][:, 2])
    np.testing.assert_allclose(places["stand"][0] * [1, -1, 1], places["stand"][1], atol=0.02)  # both sides alike


@pytest.mark.parametrize("name", NAMES)
def test_it_is_as_high_as_the_reviewed_robot(name: str, tmp_path: Path) -> None:
    """Its soles are flat: but for bent knees it stands as high."""
    write(proposal_of(name), tmp_path / name)
    assert load_robot(tmp_path / name).height == pytest.approx(load_robot(name).height, abs=0.07)


def test_hanging_hands_stay_above_the_floor() -> None:
    """PR2's arms are longer than its shoulders are high with the lift down: it bends its elbows."""
    proposal = proposal_of("pr2")
    tree = proposal.tree
    data = tree.at(proposal.postures.named["stand"])
    hands = [b for grip in proposal.hands.values() for b in (grip.limb.bodies[-1], *grip.limb.beyond)]
    assert min(float(points[:, 2].min()) for b in hands if len(points := tree.points(b, data))) > 0.04


def test_arms_are_held_off_what_they_can_be_held_off(tmp_path: Path) -> None:
    """Forearms that touch a broad hip when they hang straight down: no pair to be left out, as they can hang wider."""
    hip = '<collision><origin xyz="0 0 -0.05"/><geometry><box size="0.2 0.58 0.06"/></geometry></collision></link>'
    urdf = biped().replace("</link>", hip, 1)
    for side in ("left", "right"):
        start = urdf.index(f'<joint name="{side}_upper_joint"')
        urdf = urdf[:start] + urdf[start:].replace('<axis xyz="0 1 0"/>', '<axis xyz="1 0 0"/>', 1)
    (tmp_path / "biped.urdf").write_text(urdf)
    proposal = propose(tmp_path / "biped.urdf")
    assert proposal.evidence.part(("left_elbow", "trunk")) > 0.0
    assert not any("elbow" in link for left in proposal.pairs for link in left.links if "trunk" in left.links)
    assert not any("none was found free of contact" in note.text for note in proposal.notes)


def test_an_arm_on_the_floor_is_held_above_it(tmp_path: Path) -> None:
    """Where it would hang below what it stands on, it points up."""
    low = plain_arm().replace('size="0.06 0.06 0.1"', 'size="0.06 0.06 0.04"').replace("0 0 0.08", "0 0 0.03")
    low = low.replace('xyz="0 0 0.06"', 'xyz="0 0 0.03"').replace('lower="-1" upper="1"', 'lower="-2.6" upper="2.6"')
    (tmp_path / "arm.urdf").write_text(low)
    proposal = propose(tmp_path / "arm.urdf")
    for q in (proposal.postures.named["stand"], proposal.postures.named["ready"]):
        data = proposal.tree.at(q)
        floor = proposal.tree.points(3, data)[:, 2].min()
        assert min(proposal.tree.points(b, data)[:, 2].min() for b in proposal.tree.joints) > floor - 0.002
