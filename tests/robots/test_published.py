"""The robots whose adapters take a published URDF much as `taskmatrix adopt` proposes it: what is known of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.geometry.solids import lowest_point
from taskmatrix.robots import Robot, robot_names
from taskmatrix.robots.hand_pose import hand_pose

from .conftest import NAMES, loaded

HANDLE = 0.03  # [m] of the hand vacuum, which each hand takes


@dataclass(frozen=True)
class Known:
    """What was reviewed of a robot; a change of the number of pairs is a change of the judge."""

    height: float
    """[m] in stance."""
    joints: int
    """Without the base."""
    mass: float
    """[kg]"""
    pairs: int
    """That are left out of the check for contact."""
    fingers: int
    """Joints that close a hand; 0 where it affixes."""
    arm: int = 7
    """Joints of an arm."""
    raised: float = 0.0
    """[m] that its lowest point is above the floor."""
    legs: int = 0
    """With which it steps."""
    pans: bool = True
    """Whether it turns it to the sides; if not, the trunk or the base has to."""
    tilts: bool = True
    """Whether its view can be lowered from the horizon."""


KNOWN = {
    "alex": Known(1.736, 31, 47.7, 35, 6, raised=0.9),
    "baxter": Known(1.894, 17, 137.3, 37, 1, tilts=False),
    "centauro": Known(1.709, 39, 117.1, 28, 0, arm=6, pans=False),
    "human": Known(1.787, 36, 74.7, 13, 0, arm=8, legs=2),
    "tiago": Known(1.111, 101, 98.0, 170, 0),
    "tiago_pro": Known(1.346, 23, 61.4, 42, 1),
}


@pytest.fixture(params=KNOWN)
def published(request: pytest.FixtureRequest) -> Robot:
    """Each of them in turn."""
    return loaded(request.param)


def test_every_robot_that_ships_is_tested_here_or_there() -> None:
    """None is left out."""
    assert {*NAMES, *KNOWN} == set(robot_names())


def test_stature(published: Robot) -> None:
    """Height, degrees of freedom, mass, arms, fingers, legs and pairs are those that were reviewed."""
    known = KNOWN[published.name]
    assert published.height == pytest.approx(known.height, abs=0.005)
    assert published.n - 3 == known.joints
    assert pin.computeTotalMass(published.model) == pytest.approx(known.mass, abs=0.5)
    assert len(published.excluded_pairs) == known.pairs
    assert len(published.legs) == known.legs
    assert set(published.hands) == {"left", "right"}
    for name, hand in published.capabilities.hands.items():
        assert (hand.arm, hand.joints, hand.fingers) == (f"{name}_arm", known.arm, known.fingers)
        assert hand.opening[0] < HANDLE < hand.opening[1]


def test_it_stands_on_the_floor(published: Robot) -> None:
    """Or as far above it as it is carried."""
    model, bodies = published.model, published.collision
    data, placed = model.createData(), bodies.createData()
    pin.updateGeometryPlacements(model, data, bodies, placed, published.expand(published.posture(published.stance)))
    lowest = min(lowest_point(body.geometry, X) for body, X in zip(bodies.geometryObjects, placed.oMg, strict=True))
    assert lowest == pytest.approx(KNOWN[published.name].raised, abs=2e-3)


def test_every_posture_and_motion_is_within_limits_and_free_of_contact(published: Robot) -> None:
    """Those that behaviors ask for are there."""
    data, contacts = published.model.createData(), published.collision_data()
    assert {"stand", "rest", "ready", "wave_ready_right", "wave_ready_left"} <= set(published.postures)
    assert {"wave", "nod"} <= set(published.motions)
    for name in published.postures:
        q = published.posture(name)
        assert np.all(q >= published.lower), name
        assert np.all(q <= published.upper), name
        touching = pin.computeCollisions(
            published.model, data, published.collision, contacts, published.expand(q), True
        )
        assert not touching, name


def test_hands_are_in_front_when_ready(published: Robot) -> None:
    """At its two sides, below the shoulders."""
    for name in published.hands:
        x, y, z = hand_pose(published, name, published.posture("ready"))[:3, 3]
        assert 0.15 < x < 1.2
        assert (y > 0) == (name == "left")
        assert z < published.shoulder_height


def test_it_looks_ahead_and_down(published: Robot) -> None:
    """With the view upright."""
    view = published.capabilities.view
    assert view is not None
    assert view.turns
    assert (min(view.left, view.right) > np.radians(30.0)) == KNOWN[published.name].pans
    assert (view.up >= 0.0) == KNOWN[published.name].tilts
    assert (view.down > np.radians(25.0)) == KNOWN[published.name].tilts


def test_every_pair_that_is_left_out_has_a_reason_and_evidence(published: Robot) -> None:
    """One of four reasons, and a count of samples."""
    for pair in published.excluded_pairs:
        assert pair.reason in {"adjacent", "always", "grazing", "nested"}
        assert "in contact in " in pair.evidence


@pytest.mark.parametrize(("name", "mirrored"), [("tiago_pro", False), ("tiago", True), ("baxter", True)])
def test_a_posture_of_an_arm_is_mirrored_only_where_arms_are_mirror_images(name: str, mirrored: bool) -> None:
    """Those of TIAGo Pro have their joints elsewhere with all at zero."""
    robot = loaded(name)
    assert robot.sides.is_mirrored(robot.indices("right_arm")) == mirrored
