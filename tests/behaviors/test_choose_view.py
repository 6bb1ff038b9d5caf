from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import ChooseView
from taskmatrix.behaviors.locomotion.floor_plan import FloorPlan
from taskmatrix.behaviors.looking.choose_view import NEAR
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.geometry import pose
from taskmatrix.perception.octree import Octree
from taskmatrix.testing import Bench
from taskmatrix.testing.box_camera import BoxCamera, looking


def room(*boxes: tuple[tuple[float, float, float], tuple[float, float, float]]) -> Octree:
    """A map in which boxes, given by centre and half size [m], are free and all else is unknown."""
    octree = Octree(0.04, 0.04)
    for centre, half in boxes:
        octree.release(pose(centre), np.array(half))
    return octree


HALL = ((1.0, 0.0, 1.0), (2.0, 1.0, 1.0))  # from x = -1 to 3 and y = -1 to 1


def chosen(bench: Bench, **parameters: object) -> tuple[float, float, float]:
    choose = ChooseView(**parameters)  # type: ignore[arg-type]
    assert bench.run(choose).success
    return choose.outputs["x"], choose.outputs["y"], choose.outputs["yaw"]


def test_places_are_free_all_around_and_ways_lead_through_what_is_free() -> None:
    """Behind a gap that is too narrow there is none; through one that is wide enough the way is no straight line."""
    room_and_next = (HALL, ((1.0, 3.0, 1.0), (2.0, 1.0, 1.0)))
    low, high = np.array([-2.0, -2.0]), np.array([4.0, 5.0])
    for half, found in ((0.2, False), (0.5, True)):
        octree = room(*room_and_next, ((2.0, 1.5, 1.0), (half, 0.6, 1.0)))
        plan = FloorPlan(octree, np.zeros(2), [(1.0, 0.3), (1.6, 0.1)], 1.0, low, high)
        places, ways = plan.places(0.2)
        assert (np.abs(places[:, 1]) < 0.75).any()
        beyond = places[:, 1] > 2.0
        assert beyond.any() == found
        if found:
            assert (ways[beyond] > np.linalg.norm(places[beyond], axis=1)).all()
            assert places[:, 1].max() < 3.75


def test_a_robot_that_is_slimmer_above_goes_where_only_that_much_is_free() -> None:
    """Under what hangs down on both sides of the way."""
    octree = room(((0.0, 0.0, 0.5), (2.0, 1.0, 0.5)), ((0.0, 0.0, 1.5), (2.0, 0.3, 0.5)))
    low, high = np.array([-2.0, -1.0]), np.array([2.0, 1.0])
    for above, found in ((0.15, True), (0.5, False)):
        plan = FloorPlan(octree, np.zeros(2), [(0.9, 0.5), (1.5, above)], 1.0, low, high)
        assert bool(len(plan.places(0.2)[0])) is found


def test_it_looks_towards_what_is_unknown_not_towards_a_wall() -> None:
    """From a place in the hall."""
    bench = Bench()
    bench.skills.occupancy = room(HALL)
    x, y, yaw = chosen(bench, strategy="gain", width=0.5, up=0.0, down=0.2)
    assert -0.8 < x < 2.8
    assert abs(y) < 0.8
    ahead = np.array([x, y]) + 1.5 * np.array([np.cos(yaw), np.sin(yaw)])
    assert bench.skills.occupancy.states(np.array([[*ahead, 1.0]])).tolist() == [2]


def test_the_nearest_is_no_further_than_what_any_other_strategy_chooses() -> None:
    """And the bargain has no less to gain than the nearest."""
    far = {}
    for strategy in ("nearest", "gain", "gain-and-way"):
        bench = Bench()
        bench.skills.occupancy = room(HALL)
        far[strategy] = float(np.linalg.norm(chosen(bench, strategy=strategy)[:2]))
    assert far["nearest"] <= far["gain-and-way"] <= far["gain"] + 1e-9


def test_a_place_where_it_would_touch_something_is_not_chosen() -> None:
    """The best of the others is."""
    bench = Bench()
    bench.skills.occupancy = room(HALL)
    free = chosen(bench, strategy="gain")
    bench = Bench()
    bench.skills.occupancy = room(HALL)
    bench.skills.contact = lambda q: Contact("arm", "lamp", -0.01) if np.hypot(*(q[:2] - free[:2])) < 0.5 else None
    other = chosen(bench, strategy="gain")
    assert np.hypot(other[0] - free[0], other[1] - free[1]) >= 0.5


def test_who_is_penned_in_looks_around_where_it_is_at_what_is_near() -> None:
    """There are other places, but none leads on; of what is unknown far away nothing counts."""
    bench, gains = Bench(), list[float]()
    bench.skills.occupancy = room(((0.0, 0.0, 1.0), (0.6, 0.6, 1.0)))
    bench.context.events.subscribe(lambda event: gains.append(float(str(event.data.get("gain", -1.0)))))
    x, y, _ = chosen(bench, strategy="gain", width=0.3, up=0.0, down=0.0)
    assert (x, y) == (0.0, 0.0)
    assert 0.0 < max(gains) < bench.skills.extent()[0] + NEAR - 0.4


def test_it_goes_round_a_thing_of_which_it_has_seen_one_side() -> None:
    """All around is free, and the front is seen: what is left is the back, and it is seen from behind."""
    octree = Octree(0.04, 0.04)
    camera = BoxCamera([((1.52, -0.4, 0.0), (2.0, 0.4, 1.2))], range=(0.2, 4.0))
    for height in (0.3, 0.7, 1.1):
        octree.insert(camera.image(looking((0.0, 0.0, height), (1.5, 0.0, height))))
    sides = (((-2.0, 0.0), (3.5, 4.0)), ((6.0, 0.0), (4.0, 4.0)), ((1.76, 2.4), (1.0, 2.0)), ((1.76, -2.4), (1.0, 2.0)))
    for (x, y), (long, wide) in sides:
        octree.release(pose((x, y, 1.0)), np.array((long, wide, 1.0)))
    bench = Bench()
    bench.skills.occupancy = octree
    choose = ChooseView(strategy="gain", width=0.5)
    assert bench.run(choose).success
    front, back = choose._surface(np.array([(0.5, 0.0), (2.8, 0.0)])).max(axis=1)
    assert back > 2 * front
    assert choose.outputs["x"] > 1.0


def test_an_edge_that_stays_unknown_when_it_is_looked_at_is_given_up() -> None:
    """Of a box before the robot those that it sees from where it is; not those that are behind it, seen from there."""
    octree = Octree(0.04, 0.04)
    octree.insert(BoxCamera([((1.0, -0.3, 0.0), (1.4, 0.3, 1.2))]).image(looking((0.0, 0.0, 1.3), (1.0, 0.0, 0.9))))
    octree.release(pose((-1.0, 0.0, 1.0)), np.array([1.9, 2.0, 1.0]))
    octree.release(pose((2.6, 0.0, 1.0)), np.array([1.0, 2.0, 1.0]))
    bench = Bench()
    bench.skills.occupancy = octree
    choose = ChooseView(width=0.5)
    assert bench.run(choose).success
    edges, given_up = choose._edges(), np.array(list(choose._given_up)) * octree.resolution
    assert len(given_up)
    assert len(choose._in_sight(np.array([(0.0, 0.0)]), edges)[1]) == 0
    assert len(choose._in_sight(np.array([(2.2, 0.0)]), edges)[1]) > 0


def test_where_all_is_known_nothing_is_found() -> None:
    """It says how little there is to gain."""
    bench = Bench()
    bench.skills.occupancy = room(((0.0, 0.0, 1.0), (6.0, 6.0, 3.0)))
    outcome = bench.run(ChooseView())
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.NOTHING_FOUND
    assert "nothing unknown can be seen" in outcome.failure.explain()


@pytest.mark.parametrize("strategy", ["farthest", "nearst"])
def test_an_unknown_strategy_comes_with_the_nearest(strategy: str) -> None:
    outcome = Bench().run(ChooseView(strategy=strategy))
    assert outcome.failure is not None
    assert "There are: gain, gain-and-way, nearest" in outcome.failure.explain()
