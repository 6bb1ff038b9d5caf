"""What a robot stands on is found."""

from __future__ import annotations

import pytest

from taskmatrix.robots import load_robot
from tests.robots.adoption.made import NAMES, proposal_of


@pytest.mark.parametrize("name", NAMES)
def test_it_stands_on_what_the_reviewed_robot_stands_on(name: str) -> None:
    """Soles or wheels."""
    assert set(proposal_of(name).floor) == set(load_robot(name).floor_links)


def test_wheels_that_are_only_drawn_are_found() -> None:
    """PR2's have no collision bodies."""
    assert set(load_robot("pr2").floor_links) <= set(proposal_of("pr2").floor)
    assert all("wheel" in link for link in proposal_of("pr2").floor)
