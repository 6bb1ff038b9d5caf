"""What is found is what somebody else would call a grasp: checked with coal, balls and rays, not with what found it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges.ground_truth import Step
from taskmatrix.simulation.judges.measures.shape_grasp import measured
from taskmatrix.skills.grasping.finder import find_grasps
from taskmatrix.skills.grasping.floating_hand import FloatingHand
from taskmatrix.skills.grasping.settings import GraspSettings
from taskmatrix.skills.grasping.thinning import distances

from .setting import AWKWARD, ROBOTS, SIMPLE, fingered, robot, shape, shipped, thing
from .test_floating_hand import gap

QUICK = GraspSettings(samples=60, turns=8, limit=16, rounds=1)


def check(own: Robot, hand: str, model: ObjectModel, quick: GraspSettings = QUICK, least: int = 8) -> None:
    """Every grasp found: narrow enough, free when open and 3 cm before, and the judge's fingers meet the object."""
    found = find_grasps(own, hand, model, quick)
    assert len(found) >= least
    assert [grasp.name for grasp in found] == [f"found/{k}" for k in range(len(found))]
    q = FloatingHand(own, hand, model).posture(None)
    X_WH = hand_pose(own, hand, q)
    for grasp in found:
        assert 0 <= grasp.width <= own.hands[hand].aperture
        back = grasp.X_OH.copy()
        back[:3, 3] -= 0.03 * back[:3, 2]
        for X_OH in (grasp.X_OH, back):
            assert gap(own, hand, q, X_OH, model) > 0
        facts: dict[str, object] = {}
        width, reason = measured(own, Step(q, {model.id: X_WH @ inverse(grasp.X_OH)}, {}), hand, model, facts)
        assert not reason
        if own.hands[hand].fingers is not None:
            assert width == pytest.approx(grasp.width, abs=0.0015)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("object", SIMPLE)
def test_every_hand_finds_grasps_of_every_simple_shape(name: str, object: str) -> None:
    check(robot(name), "left", SIMPLE[object])


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("object", AWKWARD)
def test_every_hand_finds_grasps_of_every_awkward_one(name: str, object: str) -> None:
    check(robot(name), "right", shipped(object), replace(QUICK, samples=120))


@pytest.mark.parametrize("object", ["hand_vacuum", "detergent", "broom"])
def test_objects_that_have_tables_would_do_without(object: str) -> None:
    check(robot("asimo"), "left", shipped(object), replace(QUICK, samples=120))


@pytest.mark.parametrize("fingers", [1, 2, 4])
def test_hands_of_two_to_five_fingers_find_grasps(tmp_path: Path, fingers: int) -> None:
    own = fingered(tmp_path, fingers)
    for object in ("box", "cylinder"):
        check(own, "only", SIMPLE[object])


def test_more_fingers_put_first_what_they_withstand_better(tmp_path: Path) -> None:
    """A long bar: four fingers in a row along it hold it against turning; those across it come last."""
    bar = thing(shape("box", 0.03, 0.03, 0.25))
    along = [abs(grasp.X_OH[2, 0]) > 0.6 for grasp in find_grasps(fingered(tmp_path, 4), "only", bar, QUICK)]
    assert along == sorted(along, reverse=True)
    assert 0 < sum(along) < len(along)


@settings(max_examples=10, deadline=None)
@given(st.floats(0.008, 0.15), st.floats(0.008, 0.15), st.floats(0.008, 0.15), st.integers(0, 1000))
def test_a_box_is_grasped_across_a_side_that_fits_or_not_at_all(x: float, y: float, z: float, seed: int) -> None:
    """Any box: what is found is never narrower than its narrowest side, nor wider than the hand."""
    own = robot("asimo")
    found = find_grasps(own, "left", thing(shape("box", x, y, z)), replace(QUICK, seed=seed))
    aperture = own.hands["left"].aperture
    if min(x, y, z) > aperture:
        assert not found
    for grasp in found:
        assert min(x, y, z) - 1e-6 <= grasp.width <= aperture
        inside = np.abs(grasp.X_OH[:3, 3]) <= np.array([x, y, z]) / 2 + 1e-6
        assert inside.all()


def test_the_same_seed_finds_the_same_bit_for_bit_and_another_one_others() -> None:
    first, again, other = (
        find_grasps(robot("bandit"), "left", SIMPLE["cylinder"], replace(QUICK, seed=seed)) for seed in (3, 3, 4)
    )
    assert all(np.array_equal(one.X_OH, two.X_OH) for one, two in zip(first, again, strict=True))
    assert any(not np.array_equal(one.X_OH, two.X_OH) for one, two in zip(first, other, strict=False))


def test_they_are_unlike_each_other() -> None:
    found = np.array([grasp.X_OH for grasp in find_grasps(robot("asimo"), "left", SIMPLE["cylinder"], QUICK)])
    apart = [np.delete(distances(found, X), k).min() for k, X in enumerate(found)]
    assert min(apart) > 0.5


def test_most_can_be_taken_where_the_object_stands() -> None:
    """A flat box: fingers come from above or level, not from below."""
    flat = thing(shape("box", 0.05, 0.12, 0.05))
    own = robot("asimo")
    found = find_grasps(own, "left", flat, replace(QUICK, rounds=3))
    fits = FloatingHand(own, "left", flat).fits(np.array([grasp.X_OH for grasp in found]), standing=True)
    assert fits.mean() >= 0.7


@pytest.mark.parametrize("model", [thing(shape("box", 0.3, 0.3, 0.3)), thing(), thing(shape("sphere", 0.0005))])
def test_what_cannot_be_grasped_has_no_grasps(model: ObjectModel) -> None:
    """Too large, without anything that collides, too small."""
    assert find_grasps(robot("asimo"), "left", model, QUICK) == ()
