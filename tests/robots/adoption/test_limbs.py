"""Limbs are told apart by structure."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.anatomy.limbs import find_limbs
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from taskmatrix.robots.adoption.proposal import propose
from tests.robots.adoption.made import NAMES, biped, cart, joint, link, plain_arm, proposal_of

SIDES = (("left", 0.05), ("right", -0.05))


@pytest.mark.parametrize("name", NAMES)
def test_chains_are_those_of_the_reviewed_adapter(name: str) -> None:
    """From the bare URDF: every chain, with its joints in order; a face has no order."""
    robot, proposal = load_robot(name), proposal_of(name)
    reviewed = {chain: [robot.joints[i] for i in joints] for chain, joints in robot.chains.items() if chain != "base"}
    proposed = {chain: list(joints) for chain, joints in proposal.chains.items()}
    for chains in (reviewed, proposed):
        if "face" in chains:
            chains["face"].sort()
    assert proposed == reviewed


@pytest.mark.parametrize("name", NAMES)
def test_it_stands_on_the_links_of_the_reviewed_adapter(name: str) -> None:
    """Soles and wheels."""
    assert sorted(proposal_of(name).floor) == sorted(load_robot(name).floor_links)


def test_an_arm_ends_where_its_fingers_begin(tmp_path: Path) -> None:
    """A plain arm is one arm with two fingers beyond the palm, and nothing else."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    tree = read_tree(tmp_path / "arm.urdf")
    anatomy = find_limbs(tree)
    (arm,) = anatomy.limbs
    assert [tree.joints[b].name for b in arm.bodies] == ["turn", "lift", "bow", "nod", "roll"]
    assert [tree.joints[b].name for b in arm.beyond] == ["open", "follow"]
    assert (anatomy.trunk, anatomy.wheels) == ((3,), ())


def test_wheels_a_column_and_a_head_are_no_arms(tmp_path: Path) -> None:
    """What turns without end near the floor is a wheel; a branch with a camera is the head."""
    (tmp_path / "cart.urdf").write_text(cart())
    tree = read_tree(tmp_path / "cart.urdf")
    anatomy = find_limbs(tree)
    assert sorted(tree.joints[b].name for b in anatomy.wheels) == ["back", "front"]
    assert anatomy.of("arm") == ()
    assert [tree.joints[b].name for head in anatomy.of("head") for b in head.bodies][-1] == "neck"


def test_legs_below_a_waist_are_legs(tmp_path: Path) -> None:
    """Where the trunk is the root and carries the pelvis; the waist is a chain of its own."""
    (tmp_path / "biped.urdf").write_text(biped(waist=True))
    proposal = propose(tmp_path / "biped.urdf")
    assert {chain: len(joints) for chain, joints in proposal.chains.items()} == {
        "left_arm": 3,
        "right_arm": 3,
        "left_leg": 6,
        "right_leg": 6,
        "waist": 1,
    }
    assert set(proposal.floor) == {"left_foot_0", "right_foot_0"}
    assert not proposal.bolted


def test_a_branch_that_branches_is_several_chains(tmp_path: Path) -> None:
    """Each without a fork: two antennas on a mast."""
    parts = [link(name, "0.03 0.03 0.03") for name in ("mast", "left_tip", "right_tip")]
    parts.append(joint("mast", "revolute", "plate mast", "-0.08 0 0.05", "0 0 1"))
    parts += [joint(f"{side}_tip", "revolute", f"mast {side}_tip", f"0 {y} 0.05", "1 0 0") for side, y in SIDES]
    (tmp_path / "arm.urdf").write_text(plain_arm().replace("</robot>", "".join(parts) + "</robot>"))
    chains = propose(tmp_path / "arm.urdf").chains
    assert {"mast", "left_tip", "right_tip"} <= set(chains)


def headed(*parts: str) -> str:
    """A biped with a neck that turns a head with a camera, and what is on it besides."""
    neck = [link("skull", "0.12 0.12 0.14", "0 0 0.1"), joint("nod", "revolute", "trunk skull", "0 0 0.4", "0 0 1")]
    return biped().replace("</robot>", "".join((*neck, *parts)) + "</robot>")


def spun(name: str, on: str, at: str) -> str:
    """A drum that turns without end on a link."""
    turns = joint(f"{name}_joint", "continuous", f"{on} {name}", at, "0 0 1").replace('lower="-1" upper="1" ', "")
    return link(name, "0.08 0.08 0.06") + turns


def head_of(tmp_path: Path, urdf: str) -> list[str]:
    """Joints of the head that is found."""
    (tmp_path / "robot.urdf").write_text(urdf)
    tree = read_tree(tmp_path / "robot.urdf")
    return [tree.joints[b].name for head in find_limbs(tree).of("head") for b in head.bodies]


CAMERA = link("camera", "0.02 0.05 0.02")


@pytest.mark.parametrize("name", ["lidar", "drum"])
def test_a_head_ends_at_its_camera(tmp_path: Path, name: str) -> None:
    """Not at a lidar that turns on top of it, called so or not."""
    mounted = CAMERA + joint("mount", "fixed", "skull camera", "0.06 0 0.1", "0 0 1")
    assert head_of(tmp_path, headed(mounted, spun(name, "skull", "0 0 0.2"))) == ["nod"]


def test_a_joint_above_the_camera_is_not_the_heads(tmp_path: Path) -> None:
    """An antenna that tilts turns no view."""
    mounted = CAMERA + joint("mount", "fixed", "skull camera", "0.06 0 0.1", "0 0 1")
    antenna = link("antenna", "0.02 0.02 0.1") + joint("bend", "revolute", "skull antenna", "0 0 0.2", "0 1 0")
    assert head_of(tmp_path, headed(mounted, antenna)) == ["nod"]


def test_a_head_goes_on_to_a_camera_that_tilts_beside_a_jaw(tmp_path: Path) -> None:
    """Where it branches, the way to the camera is the head's."""
    tilted = CAMERA + joint("tilt", "revolute", "skull camera", "0.06 0 0.1", "0 1 0")
    jaw = link("jaw", "0.05 0.08 0.02") + joint("chew", "revolute", "skull jaw", "0.05 0 0.02", "0 1 0")
    assert head_of(tmp_path, headed(tilted, jaw)) == ["nod", "tilt"]


@pytest.mark.parametrize("name", ["lidar", "drum"])
def test_a_lidar_that_turns_is_no_neck(tmp_path: Path, name: str) -> None:
    """Though it is on top and in the middle."""
    assert head_of(tmp_path, biped().replace("</robot>", spun(name, "trunk", "0 0 0.4") + "</robot>")) == []


def test_a_force_sensor_that_is_a_joint_ends_no_arm(tmp_path: Path) -> None:
    """A link before the wrist that moves by a ten-thousandth is neither a finger nor part of the arm."""
    gauge = link("gauge") + joint("strain", "revolute", "wrist gauge", "0 0 0", "0 0 1", "-0.0001 0.0001")
    (tmp_path / "arm.urdf").write_text(plain_arm().replace("</robot>", f"{gauge}</robot>"))
    chains = propose(tmp_path / "arm.urdf").chains
    assert chains["arm"] == ("turn", "lift", "bow", "nod", "roll")
    assert chains["hand"] == ("open",)


def upper_body() -> str:
    """A pelvis that stands, a waist of two joints, and a chest with a neck and two arms that hang below the pelvis."""
    parts = [link("pelvis", "0.2 0.3 0.1"), link("spine"), link("chest", "0.2 0.3 0.3", "0 0 0.15"), link("skull")]
    parts += [
        joint("turn", "revolute", "pelvis spine", "0 0 0.1", "0 0 1"),
        joint("bow", "revolute", "spine chest", "0 0 0.1", "0 1 0"),
        joint("neck", "revolute", "chest skull", "0 0 0.4", "0 0 1"),
    ]
    for side, y in (("a", 0.25), ("b", -0.25)):
        before = "chest"
        for name, at in (("1", f"0 {y} 0.25"), ("2", "0 0 -0.3"), ("3", "0 0 -0.3")):
            after = f"{side}{name}"
            parts += [link(after, "0.05 0.05 0.2", "0 0 -0.12")]
            parts += [joint(f"{after}_joint", "revolute", f"{before} {after}", at, "0 1 0", "-2 2")]
            before = after
    return "".join(["<robot name='made'>", *parts, "</robot>"])


def test_arms_that_hang_lower_than_the_root_are_no_legs(tmp_path: Path) -> None:
    """They are the only limbs, and what carries them is above the root."""
    (tmp_path / "upper.urdf").write_text(upper_body())
    chains = propose(tmp_path / "upper.urdf").chains
    assert chains["torso"] == ("turn", "bow")
    assert chains["head"] == ("neck",)
    assert {"left_arm", "right_arm"} <= set(chains)
