# ruff: noqa: E501  # one case a line, with its whole message
"""The reviewed pairs: few, with evidence, and true."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import Robot
from taskmatrix.robots.loading.adapter import build_robot
from taskmatrix.robots.pairs import read_pairs

COUNTS = {
    "asimo": 34,
    "bandit": 26,
    "g1": 30,
    "icub": 20,
    "mannequin": 26,
    "nao": 34,
    "pr2": 38,
    "romeo": 50,
    "talos": 59,
}


def test_the_number_of_excluded_pairs_is_reviewed(robot: Robot) -> None:
    """A change of this number is a change of the judge: it must be made here as well."""
    assert len(robot.excluded_pairs) == COUNTS[robot.name]
    assert len({frozenset(pair.links) for pair in robot.excluded_pairs}) == COUNTS[robot.name]


def test_excluded_pairs_touch_wherever_the_robot_is(robot: Robot) -> None:
    """In twenty random configurations every pair that is said to touch always does: none hides a real collision."""
    whole = build_robot(Path(robot.source), reviewed=False)
    data, geometry_data = whole.model.createData(), whole.collision_data()
    links = [whole.model.frames[body.parentFrame].name for body in whole.collision.geometryObjects]
    rng = np.random.default_rng(1)
    excluded = {frozenset(pair.links) for pair in robot.excluded_pairs if pair.reason in {"adjacent", "always"}}
    for _ in range(20):
        q = whole.expand(rng.uniform(np.maximum(whole.lower, -3.0), np.minimum(whole.upper, 3.0)))
        pin.computeCollisions(whole.model, data, whole.collision, geometry_data, q, False)
        touching = {
            frozenset((links[pair.first], links[pair.second]))
            for pair, result in zip(whole.collision.collisionPairs, geometry_data.collisionResults, strict=True)
            if result.isCollision()
        }
        assert excluded <= touching


def test_all_other_pairs_are_checked(robot: Robot) -> None:
    """The pairs that are checked and those that are excluded are all pairs of bodies that move differently."""
    bodies = robot.collision.geometryObjects
    links = [robot.model.frames[body.parentFrame].name for body in bodies]
    every = {
        frozenset((links[i], links[j]))
        for i in range(len(bodies))
        for j in range(i)
        if bodies[i].parentJoint != bodies[j].parentJoint
    }
    checked = {frozenset((links[pair.first], links[pair.second])) for pair in robot.collision.collisionPairs}
    assert checked | {frozenset(pair.links) for pair in robot.excluded_pairs} == every


def test_every_pair_has_a_reason_and_evidence(robot: Robot) -> None:
    """Every record has one of four reasons, and a count of samples as its evidence."""
    for pair in robot.excluded_pairs:
        assert pair.reason in {"adjacent", "always", "grazing", "nested"}
        assert "in contact in " in pair.evidence


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[excluded]]\nlinks = ["arm"]\nreason = "adjacent"\nevidence = ""', r"excluded\[0\]\.links: expected two links, got \['arm'\]"),
        ('[[excluded]]\nlinks = ["arm", "hnad"]\nreason = ""\nevidence = ""', r"excluded\[0\]\.links: no link 'hnad'; did you mean 'hand'"),
        ('[[excluded]]\nlinks = ["arm", "hand"]\nreason = "always"', r"excluded\[0\]\.evidence: missing"),
        ('[[included]]\nlinks = ["arm", "hand"]', r"included: no key 'included'; did you mean 'excluded'"),
    ],
)  # fmt: skip
def test_malformed_pairs_are_named(tmp_path: Path, text: str, message: str) -> None:
    """File, record and what is wrong are in the error."""
    path = tmp_path / "pairs.toml"
    path.write_text(text)
    with pytest.raises(RobotError, match=r"pairs\.toml: " + message):
        read_pairs(path, {"arm", "hand"})
