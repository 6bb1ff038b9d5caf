from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.skills.grasping.candidates import Candidates, affixes, joined, pinches
from taskmatrix.skills.grasping.closure import Friction
from taskmatrix.skills.grasping.settings import GraspSettings
from taskmatrix.skills.grasping.surface import Surface

from .setting import SIMPLE, shape, shipped, thing

SETTINGS = GraspSettings(samples=120, turns=8)


def pinched(surface: Surface, least: float = 0.0, most: float = 0.09, friction: float = 0.5) -> Candidates:
    settings = GraspSettings(samples=120, turns=8, friction=Friction(friction))
    return pinches(surface, least, most, settings, np.random.default_rng(0))


@pytest.mark.parametrize("name", [*SIMPLE, "mug", "toy_ring", "l_bracket", "door_wedge"])
def test_fingers_are_opposite_each_other_on_the_hands_y(name: str) -> None:
    """Frames are rotations, their origins in the middle of the contacts, which are as far apart as the width says."""
    found = pinched(Surface.of(SIMPLE[name] if name in SIMPLE else shipped(name)))
    assert len(found) >= 16
    R = found.X_OH[:, :3, :3]
    assert np.einsum("mij,mik->mjk", R, R) == pytest.approx(np.tile(np.eye(3), (len(R), 1, 1)), abs=1e-9)
    assert np.linalg.det(R) == pytest.approx(1.0)
    span = found.points[:, 1] - found.points[:, 0]
    assert np.linalg.norm(span, axis=1) == pytest.approx(found.widths)
    assert found.widths.max() < 0.09
    assert found.points.mean(axis=1) == pytest.approx(found.X_OH[:, :3, 3])
    assert np.abs((span * R[:, :, 1]).sum(axis=1)) == pytest.approx(found.widths)


def test_the_narrow_sides_of_a_box_are_found_and_no_others() -> None:
    """A box of 50, 70 and 120 mm in a hand of 60 mm: across x only, if friction lets a line tilt little."""
    found = pinched(Surface.of(SIMPLE["box"]), most=0.06, friction=0.1)
    assert (np.abs(found.X_OH[:, 0, 1]) > np.cos(0.1)).all()
    assert not len(pinched(Surface.of(SIMPLE["box"]), most=0.04))
    assert not len(pinched(Surface.of(SIMPLE["box"]), least=0.15, most=0.2))


def test_a_wedge_that_is_too_steep_for_the_friction_is_not_pinched_across_its_slopes() -> None:
    """The slopes of the door wedge include 17.9 degrees: within both cones from a friction of tan(9) = 0.16 on."""
    surface = Surface.of(shipped("door_wedge"))
    for friction, expected in ((0.10, False), (0.30, True)):
        upright = np.abs(pinched(surface, friction=friction).X_OH[:, 2, 1]) > 0.9
        assert upright.any() == expected


def test_hands_approach_from_all_around_and_either_way_up() -> None:
    found = pinched(Surface.of(SIMPLE["sphere"]))
    first = found.X_OH[np.all(np.isclose(found.X_OH[:, :3, 3], found.X_OH[0, :3, 3]), axis=1)][:, :3, :3]
    assert len(first) == 16
    z = first[:, :, 2]
    assert z.mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    assert {round(float(sign)) for sign in first[:, :, 1] @ first[0, :, 1]} == {-1, 1}


def test_a_palm_lies_on_the_surface_with_its_z_into_it() -> None:
    surface = Surface.of(SIMPLE["box"])
    found = affixes(surface, 0.03, 0.1, SETTINGS, np.random.default_rng(0))
    palms = found.X_OH[:, :3, 3] - 0.03 * found.X_OH[:, :3, 2]
    gaps = ((found.points[:, 0] - palms) * found.inward[:, 0]).sum(axis=1)
    assert set(np.round(gaps, 6)) == {0.002, 0.005, 0.009}
    assert found.X_OH[:, :3, 2] == pytest.approx(found.inward[:, 0])
    assert found.widths.max() < 0.1


def test_what_is_too_small_for_a_pad_is_not_pinched() -> None:
    """About a pea of 6 mm four points at 5 mm from its middle meet nothing; about a stick of 6 mm two do."""
    assert not len(pinched(Surface.of(thing(shape("sphere", 0.003)))))
    assert len(pinched(Surface.of(thing(shape("cylinder", 0.003, 0.1)))))


def test_joined_and_taken_are_what_they_were() -> None:
    found = pinched(Surface.of(SIMPLE["capsule"]))
    both = joined([found, found])
    assert len(both) == 2 * len(found)
    assert np.array_equal(both.take(np.array([len(found)])).X_OH, found.X_OH[:1])
