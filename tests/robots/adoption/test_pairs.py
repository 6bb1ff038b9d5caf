"""Pairs are left out with evidence, as people leave them out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.anatomy.contacts import FIRST, SAMPLES, Evidence, Pair, sample
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from taskmatrix.robots.adoption.pairs import propose_pairs
from tests.robots.adoption.made import NAMES, joint, link, proposal_of, robot


@pytest.mark.parametrize("name", NAMES)
def test_pairs_are_nearly_those_of_the_reviewed_file(name: str) -> None:
    """No more than two differ; every one has its evidence."""
    reviewed = {tuple(sorted(pair.links)) for pair in load_robot(name).excluded_pairs}
    proposal = proposal_of(name)
    proposed = {left.links for left in proposal.pairs}
    assert len(reviewed ^ proposed) <= 2
    assert len(proposed) < 0.1 * proposal.evidence.total
    for left in proposal.pairs:
        assert left.reason in {"adjacent", "always"}
        assert "random configurations and in stance" in left.evidence


def test_hollow_shells_inside_each_other_are_looked_at_as_hulls() -> None:
    """PR2's upper arm turns inside its shoulder; where hulls touch and meshes never do, there is a doubt."""
    proposal = proposal_of("pr2")
    assert proposal.tree.hulls
    left = {pair.links: pair for pair in proposal.pairs}
    assert left["r_shoulder_pan_link", "r_upper_arm_link"].reason == "always"
    nested = [pair for pair in proposal.pairs if pair.reason == "nested"]
    assert nested
    assert all("their meshes never" in pair.evidence or "mirror image of" in pair.doubt for pair in nested)
    assert all(pair.doubt for pair in nested)
    reviewed = {tuple(sorted(pair.links)) for pair in load_robot("pr2").excluded_pairs}
    assert reviewed <= set(left)


def seen(often: dict[Pair, int], seldom: dict[Pair, int], nested: set[Pair] | None = None) -> Evidence:
    """What sampling may have found."""
    return Evidence(Counter(often), Counter(seldom), frozenset(nested or ()), 100)


def test_what_overlaps_what_is_between_is_left_out_with_a_doubt() -> None:
    """A pelvis and a thorax, with a soft belly that always overlaps both; not where they touch now and then."""
    tree = proposal_of("mannequin").tree
    always = {("abdomen", "pelvis"): SAMPLES, ("abdomen", "thorax"): SAMPLES}
    for share, left_out in ((0.8, True), (0.3, False)):
        found = propose_pairs(tree, seen(always, {("pelvis", "thorax"): int(share * FIRST)}), set())
        doubts = {left.links: left.doubt for left in found}
        assert (("pelvis", "thorax") in doubts) is left_out
        assert not left_out or "as abdomen between them always touches both" in doubts["pelvis", "thorax"]


def test_the_mirror_image_of_what_is_left_out_is_so_too() -> None:
    """Where it touches less often than the other: but not where it never does."""
    tree = proposal_of("mannequin").tree
    images = {"l_elbow": "r_elbow", "l_wrist": "r_wrist", "r_elbow": "l_elbow", "r_wrist": "l_wrist"}
    always = {("l_elbow", "l_wrist"): SAMPLES}
    found = propose_pairs(tree, seen(always, {("r_elbow", "r_wrist"): 19}), set(), images=images)
    (image,) = (left for left in found if left.links == ("r_elbow", "r_wrist"))
    assert "the mirror image of l_elbow and l_wrist" in image.doubt
    found = propose_pairs(tree, seen(always, {}), set(), images=images)
    assert ("r_elbow", "r_wrist") not in {left.links for left in found}


@pytest.mark.parametrize(("overlap", "left_out"), [(2e-6, True), (1e-3, False), (-1e-3, False)])
def test_bodies_of_one_joint_may_graze_each_other_at_its_end(tmp_path: Path, overlap: float, left_out: bool) -> None:
    """By micrometres; a millimetre is contact."""
    parts = [link("rail", "0.1 0.1 0.1"), link("slide", "0.1 0.1 0.1")]
    parts.append(joint("push", "prismatic", "rail slide", "0 0 0", "1 0 0", f"{0.1 - overlap} 0.3"))
    (tmp_path / "rail.urdf").write_text(robot(*parts))
    tree = read_tree(tmp_path / "rail.urdf")
    found = {left.links: left for left in propose_pairs(tree, sample(tree), set())}
    assert (("rail", "slide") in found) is left_out
    if left_out:
        assert found["rail", "slide"].reason == "grazing"
        assert "2.0 micrometres deep at most" in found["rail", "slide"].evidence
