"""Pairs are left out with evidence, as people leave them out."""

from __future__ import annotations

import pytest

from taskmatrix.robots import load_robot
from tests.robots.adoption.made import NAMES, proposal_of


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
    assert all(pair.doubt and "their meshes never" in pair.evidence for pair in nested)
    reviewed = {tuple(sorted(pair.links)) for pair in load_robot("pr2").excluded_pairs}
    assert reviewed <= set(left)
