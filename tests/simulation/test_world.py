from __future__ import annotations

import pickle
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.world.geometry import box_distance
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world

SHOULDERS = (0.85, 1.1, 1.4)
SUPPORTS = {"vacuum": "table", "soda_can": "table", "tennis_ball": "stool"}


def samples(shoulder_height: float, count: int = 20) -> list[World]:
    world = load_world("sparse", shoulder_height)
    return [world.sampled(np.random.default_rng(seed)) for seed in range(count)]


def test_sampling_is_decided_by_the_generator() -> None:
    """The same seed gives the same poses, another seed others."""
    world = load_world("sparse")
    first, again, other = (world.sampled(np.random.default_rng(seed)) for seed in (5, 5, 6))
    for name in world.objects:
        np.testing.assert_array_equal(first.poses[name], again.poses[name])
    assert not np.allclose(first.poses["soda_can"], other.poses["soda_can"])


def test_sampling_moves_within_the_jitter_and_nothing_else() -> None:
    """The vacuum moves by at most 5 cm along each side of the table and 15 degrees; the table stays."""
    world = load_world("sparse")
    turns = []
    for sample in samples(1.4):
        np.testing.assert_array_equal(sample.poses["table"], world.poses["table"])
        X = np.linalg.inv(world.poses["vacuum"]) @ sample.poses["vacuum"]
        moved = sample.poses["vacuum"][:3, 3] - world.poses["vacuum"][:3, 3]
        assert np.abs(moved[:2]).max() <= 0.05 + 1e-9
        assert abs(moved[2]) < 1e-9
        turns.append(np.degrees(np.arctan2(X[1, 0], X[0, 0])))
    assert np.abs(turns).max() <= 15.0
    assert np.ptp(turns) > 10.0


@pytest.mark.parametrize("shoulder_height", SHOULDERS)
def test_what_stands_on_something_stays_on_it(shoulder_height: float) -> None:
    """Whatever the stature and the seed, small objects rest just above their support, well inside its edge."""
    for world in samples(shoulder_height):
        for name, support in SUPPORTS.items():
            top, box = world.box(support), world.box(name)
            assert 0 < box[0][2] - top[1][2] < 0.002
            center = world.poses[name][:2, 3]
            assert np.all(center - top[0][:2] > 0.03)
            assert np.all(top[1][:2] - center > 0.03)


def test_a_turned_support_turns_what_stands_on_it() -> None:
    """What is near the table's long side stays near it: the support's axes count, not the world's."""
    world = load_world("sparse")
    X_TV = np.linalg.inv(world.poses["table"]) @ world.poses["vacuum"]
    np.testing.assert_allclose(X_TV[:2, 3], [-0.26, -0.16], atol=1e-9)


@pytest.mark.parametrize("shoulder_height", SHOULDERS)
def test_sparse_leaves_room_around_every_start(shoulder_height: float) -> None:
    """No object is within 0.6 m of where a robot may start, nor two graspable objects within 4 cm of each other."""
    for world in samples(shoulder_height):
        lower, upper = world.start
        start = (np.array([*lower[:2], 0.0]), np.array([*upper[:2], 2.0]))
        boxes = {name: world.box(name) for name in world.objects}
        assert all(box_distance(start, box) > 0.6 for box in boxes.values())
        held = [name for name, model in world.objects.items() if model.grasps]
        assert all(box_distance(boxes[a], boxes[b]) > 0.04 for a, b in combinations(held, 2))


def test_sparse_holds_what_the_vacuuming_task_needs() -> None:
    """The objects have the types, frames and grasps that the tasks ask for."""
    world = load_world("sparse")
    assert {"table", "vacuum", "broom", "soda_can", "tennis_ball", "confetti_1"} <= set(world.objects)
    kinds = Counter(model.is_a("confetti") for model in world.objects.values())
    assert kinds[True] == 6
    assert "tip" in world.objects["vacuum"].frames
    for name in ("vacuum", "broom", "soda_can", "tennis_ball"):
        assert len(world.objects[name].grasps) >= 24
        assert world.masses[name] > 0


def test_unknown_object_offers_the_nearest() -> None:
    """Asking for the box of a misspelt object gives the right name."""
    with pytest.raises(NotFoundError, match="did you mean 'vacuum'"):
        load_world("sparse").box("vacum")


def test_worlds_travel_between_processes() -> None:
    """A world survives pickling: planning runs elsewhere."""
    world = load_world("sparse", 1.2)
    copy = pickle.loads(pickle.dumps(world))
    np.testing.assert_array_equal(copy.poses["broom"], world.poses["broom"])
    assert copy.furniture_scale == world.furniture_scale


def test_a_world_is_moved_with_all_that_is_in_it() -> None:
    """Objects, regions on and beside them, the start, the ground and the second robot's path."""
    world = load_world("sparse")
    moved = world.moved(1.0, -2.0)
    by = np.array([1.0, -2.0, 0.0])
    for id, X in world.poses.items():
        np.testing.assert_allclose(moved.poses[id][:3, 3], X[:3, 3] + by)
    for name, region in world.regions.items():
        np.testing.assert_allclose(moved.regions[name].lower, np.array(region.lower) + by)
    np.testing.assert_allclose(moved.start[0][:2], np.array(world.start[0][:2]) + by[:2])
    np.testing.assert_allclose(moved.bounds, np.array(world.bounds) + np.array([1.0, -2.0, 1.0, -2.0]))
    assert world.second_robot is not None
    assert moved.second_robot is not None
    offset = moved.second_robot.placement.position - world.second_robot.placement.position
    np.testing.assert_allclose(offset, by)
