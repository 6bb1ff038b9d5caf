from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from taskmatrix.skills.collision.pairing import Pairing
from tests.robots.adoption.made import thumbed_arm

from .setting import ROBOTS, robot_of


def arranged(name: str) -> tuple[Pairing, dict[str, list[int]], np.ndarray, str, int]:
    """A robot with a table of two shapes, a cup in its hand, and a lamp; numbered as they may have come."""
    robot = robot_of(name)
    pairing = Pairing(robot)
    hand = next(iter(robot.hands))
    carrier = robot.model.frames[robot.model.getFrameId(robot.hands[hand].frame)].parentJoint
    own = pairing.floor + 1
    objects = {"table": [own + 3, own], "cup": [own + 1], "lamp": [own + 2]}
    joints = np.array([body.parentJoint for body in robot.collision.geometryObjects] + [0, 0, carrier, 0, 0])
    pairing.arrange(objects, joints)
    return pairing, objects, joints, hand, own


@pytest.mark.parametrize("name", ROBOTS)
def test_everything_that_may_touch_is_paired_once(name: str) -> None:
    """Moving links with the floor but for the soles, and with shapes; what is held with all but itself."""
    robot = robot_of(name)
    pairing, objects, joints, _, own = arranged(name)
    found = [frozenset(pair) for pair in pairing.pairs.tolist()]
    moving = [body for body in range(pairing.floor) if joints[body] > 0]
    shapes = [number for numbers in objects.values() for number in numbers]
    expected = {frozenset((pair.first, pair.second)) for pair in robot.collision.collisionPairs}
    expected |= {frozenset((b, pairing.floor)) for b in moving if pairing.links[b] not in robot.floor_links}
    expected |= {frozenset((body, shape)) for body in moving for shape in shapes}
    expected |= {frozenset((own + 1, other)) for other in (pairing.floor, own, own + 2, own + 3)}
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_pairs_are_found_by_what_they_are_of() -> None:
    """Links with shapes or the floor, and what is held with others."""
    robot = robot_of("mannequin")
    pairing, objects, _, hand, own = arranged("mannequin")
    links = robot.hands[hand].touch
    bodies = {body for body, link in enumerate(pairing.links) if link in links}
    pairs = {tuple(pair) for pair in pairing.pairs[pairing.with_links(links, objects["table"])].tolist()}
    assert pairs == {(body, shape) for body in bodies for shape in objects["table"]}
    assert {tuple(pair) for pair in pairing.pairs[pairing.with_floor(links)].tolist()} == {
        (body, pairing.floor) for body in bodies
    }
    assert {tuple(pair) for pair in pairing.pairs[pairing.with_held([own + 1], [own + 2])].tolist()} == {
        (own + 1, own + 2)
    }


def test_margins_are_by_what_a_pair_is_of() -> None:
    """The floor may be near, and neighbours are built close to each other."""
    pairing, _, _, _, own = arranged("mannequin")
    margins = pairing.margins(0.01, 0.004, 1e-6)
    for (first, second), margin in zip(pairing.pairs.tolist(), margins, strict=True):
        if pairing.floor in (first, second):
            assert margin == 1e-6
        elif second < own:
            assert margin in (0.004, 0.001)
        else:
            assert margin == 0.01


def test_fingers_of_one_hand_may_be_as_near_to_each_other_as_neighbours(tmp_path: Path) -> None:
    """They are built beside each other, four joints apart, and nearer when the hand opens than when it rests."""
    (tmp_path / "hand.urdf").write_text(thumbed_arm())
    write(propose(tmp_path / "hand.urdf"), tmp_path / "hand")
    pairing = Pairing(load_robot(tmp_path / "hand"))
    margins = pairing.margins(0.01, 0.004, 1e-6)
    found = {
        frozenset((pairing.links[first], pairing.links[second])): margin
        for (first, second), margin in zip(pairing.pairs.tolist(), margins.tolist(), strict=True)
        if pairing.floor not in (first, second)
    }
    assert found[frozenset(("index_2", "middle_2"))] == 0.001
    assert found[frozenset(("index_2", "thumb_1"))] == 0.001
    assert found[frozenset(("index_2", "upper"))] == 0.004


def test_pairs_that_one_joint_changes_have_one_body_beyond_it() -> None:
    """Those on the same side of it keep their distance."""
    robot = robot_of("mannequin")
    pairing, _, joints, _, _ = arranged("mannequin")
    moving = np.zeros(robot.model.nv, dtype=bool)
    moving[10] = True
    beyond = pairing.moved_by[joints, 10]
    changing = pairing.changing(joints, moving)
    np.testing.assert_array_equal(changing, beyond[pairing.pairs[:, 0]] != beyond[pairing.pairs[:, 1]])
    assert changing.any()
