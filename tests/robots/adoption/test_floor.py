"""What a robot stands on is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from tests.robots.adoption.made import NAMES, biped, proposal_of


@pytest.mark.parametrize("name", NAMES)
def test_it_stands_on_what_the_reviewed_robot_stands_on(name: str) -> None:
    """Soles or wheels."""
    assert set(proposal_of(name).floor) == set(load_robot(name).floor_links)


def test_wheels_that_are_only_drawn_are_found() -> None:
    """PR2's have no collision bodies."""
    assert set(load_robot("pr2").floor_links) <= set(proposal_of("pr2").floor)
    assert all("wheel" in link for link in proposal_of("pr2").floor)


def test_soles_of_several_links_all_stand(tmp_path: Path) -> None:
    """And each foot is still one foot of a robot with two legs."""
    (tmp_path / "biped.urdf").write_text(biped(feet=2))
    proposal = propose(tmp_path / "biped.urdf")
    assert set(proposal.floor) == {f"{side}_foot_{part}" for side in ("left", "right") for part in (0, 1)}
    write(proposal, tmp_path / "biped")
    legs = load_robot(tmp_path / "biped").legs
    assert [leg.foot for leg in legs] == ["left", "right"]
    assert legs[0].outline[:, 0].max() - legs[0].outline[:, 0].min() == pytest.approx(0.21, abs=1e-3)
