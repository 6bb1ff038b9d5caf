"""What the two dense worlds promise: room for every robot, doors that are wide enough, all things at rest."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import coal
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, label

from taskmatrix.core.world.geometry import bounding_box, box_distance
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.robots import load_robot
from taskmatrix.simulation.kinematic import KinematicPlant
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.collision.shapes import collision_geometry
from taskmatrix.skills.planning.seeds import arm_reach

HOMES = ("apartment", "cottage")
ROBOTS = ("asimo", "mannequin", "bandit", "talos")
SCALES = (0.65, 0.9, 1.15)
CELL = 0.05  # [m]
ROOMS = {  # [m] xmin, ymin, xmax, ymax
    "apartment": [(-5, -3.5, 0.3, 0.2), (0.3, -3.5, 4.5, 0.2), (-5, 0.2, -1.5, 3.8), (-1.5, 0.2, 4.5, 3.8)],
    "cottage": [(-4.6, -3.8, -0.6, 0.9), (-0.6, -3.8, 4.6, -0.2), (-4.6, 0.9, -0.6, 3.8), (-0.6, -0.2, 4.6, 3.8)],
}
THINGS = (
    "washing_machine dryer detergent couch clothes stove broom table vacuum can stool sink coffee_maker refrigerator"
)


@cache
def home(name: str, scale: float) -> World:
    return load_world(name, furniture_scale=scale)


def room_around(world: World) -> Array:
    """(nx, ny) [m] How far each cell of the ground is from what collides, seen from above."""
    xmin, ymin, xmax, ymax = world.bounds
    x, y = np.arange(xmin, xmax, CELL) + CELL / 2, np.arange(ymin, ymax, CELL) + CELL / 2
    free = np.ones((len(x), len(y)), dtype=bool)
    for id, model in world.objects.items():
        for shape in (shape for shape in model.shapes if shape.collides):
            lower, upper = bounding_box([shape], world.poses[id])
            inside = [
                (low - CELL / 2 < v) & (v < high + CELL / 2) for v, low, high in zip((x, y), lower, upper, strict=False)
            ]
            free[np.ix_(*inside)] = False
    distance: Array = distance_transform_edt(np.pad(free, 1)) * CELL
    return distance[1:-1, 1:-1]


def within(world: World, lower: tuple[float, float], upper: tuple[float, float]) -> tuple[slice, slice]:
    corner = np.array(world.bounds[:2])
    (i, j), (k, m) = (np.rint((np.array(p) - corner) / CELL).astype(int).tolist() for p in (lower, upper))
    return slice(i, k), slice(j, m)


def around(world: World, id: str, radius: float) -> tuple[slice, slice]:
    """The cells as far from the box of an object as a disc beside it has its centre, and a little more."""
    lower, upper = world.box(id)
    low, high = (
        np.maximum(lower[:2] - radius - 0.15, world.bounds[:2]),
        np.minimum(upper[:2] + radius + 0.15, world.bounds[2:]),
    )
    return within(world, (low[0], low[1]), (high[0], high[1]))


def reachable(world: World, radius: float) -> NDArray[np.bool_]:
    """(nx, ny) Cells to which a disc can go from the start region."""
    regions, _ = label(room_around(world) > radius)
    (x0, y0, _), (x1, y1, _) = world.start
    start = set(np.unique(regions[within(world, (x0, y0), (x1, y1))]).tolist())
    assert 0 not in start, "the start region is not free"
    assert len(start) == 1
    found: NDArray[np.bool_] = regions == start.pop()
    return found


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", HOMES)
def test_a_wide_disc_goes_from_the_start_to_everything(name: str, scale: float) -> None:
    """A robot 1 m wide gets through doors and between furniture: all around the table, and to all else on the floor."""
    world = home(name, scale)
    free = reachable(world, 0.48)
    beside = [
        id for id, placement in world.placements.items() if placement.on is None and not world.objects[id].is_a("wall")
    ]
    for id in beside:
        assert free[around(world, id, 0.48)].any(), id
    lower, upper = world.box("table")
    centre = (lower + upper)[:2] / 2
    for side in (-1, 1):
        for axis in (0, 1):
            place = centre.copy()
            place[axis] += side * ((upper - lower)[axis] / 2 + 0.55)
            cell = ((place - world.bounds[:2]) / CELL).astype(int)
            assert free[tuple(cell)], f"beside the table at {place}"


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", HOMES)
def test_every_room_has_a_place_to_turn_with_an_arm_stretched_out(name: str, scale: float) -> None:
    """Somewhere in each room 1.1 m are free all round."""
    world = home(name, scale)
    room = room_around(world)
    for x0, y0, x1, y1 in ROOMS[name]:
        assert room[within(world, (x0, y0), (x1, y1))].max() > 1.1


@pytest.mark.parametrize("name", HOMES)
def test_the_table_is_in_another_room_than_the_start(name: str) -> None:
    """No room holds both."""
    world = home(name, 1.0)
    start, table = np.array(world.start[0][:2]), world.poses["table"][:2, 3]
    for x0, y0, x1, y1 in ROOMS[name]:
        assert not all(x0 < x < x1 and y0 < y < y1 for x, y in (start, table))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", HOMES)
def test_nothing_at_rest_touches_anything(name: str, scale: float) -> None:
    """Whatever the seed, no two objects are in contact."""
    for seed in range(5):
        world = home(name, scale).sampled(np.random.default_rng(seed))
        solids = [
            (id, collision_geometry(shape), world.poses[id] @ shape.X_OS, bounding_box([shape], world.poses[id]))
            for id, model in world.objects.items()
            for shape in model.shapes
            if shape.collides
        ]
        for (a, first, X, box), (b, second, Y, other) in combinations(solids, 2):
            if (
                a == b
                or (world.objects[a].is_a("wall") and world.objects[b].is_a("wall"))
                or box_distance(box, other) > 0
            ):
                continue
            places = [coal.Transform3s(Z[:3, :3], Z[:3, 3]) for Z in (X, Y)]
            result = coal.collide(first, places[0], second, places[1], coal.CollisionRequest(), coal.CollisionResult())
            assert not result, f"{a} touches {b}"


@pytest.mark.parametrize("name", HOMES)
def test_few_shapes_collide(name: str) -> None:
    """Every check pays for them."""
    shapes = [shape for model in home(name, 1.0).objects.values() for shape in model.shapes]
    assert sum(shape.collides for shape in shapes) <= 70


@pytest.mark.parametrize("name", HOMES)
def test_homes_hold_what_the_thesis_names(name: str) -> None:
    """Figures 5.2 and 5.3."""
    world = home(name, 1.0)
    for word in [*THINGS.split(), *(("television", "ball") if name == "cottage" else ())]:
        assert any(model.is_a(word) for model in world.objects.values()), word
    for word in ("detergent", "clothes", "broom", "vacuum", "can"):
        assert any(model.grasps for model in world.objects.values() if model.is_a(word))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", HOMES)
def test_six_pieces_of_debris_lie_on_the_table_and_two_elsewhere(name: str, scale: float) -> None:
    """The regions find them, and the six are within 30 cm (at real size) of one of the table's long sides."""
    world = home(name, scale)
    model = PerceptualModel()
    model.update(KinematicPlant(load_robot("asimo"), world, np.zeros(29)).observe(), 0.0)
    found = {region: model.objects("debris", world.regions[region]) for region in ("tabletop", "refrigerator_top")}
    assert [len(ids) for ids in found.values()] == [6, 2]
    X_TW = np.linalg.inv(world.poses["table"])
    for id in found["tabletop"]:
        y = (X_TW @ world.poses[id])[1, 3]
        assert 0.35 * scale - abs(y) < 0.30 * scale


@pytest.mark.parametrize("name", HOMES)
@pytest.mark.parametrize("robot_name", ROBOTS)
def test_every_robot_starts_free_and_none_reaches_the_top_of_the_cupboard(name: str, robot_name: str) -> None:
    """20 seeds, any yaw, 5 cm of clearance; the debris up there is further above the shoulder than the arm is long."""
    robot = load_robot(robot_name)
    world = load_world(name, shoulder_height=robot.shoulder_height)
    assert 0.65 < world.furniture_scale < 1.15
    checker = CollisionChecker(robot, 0.05)
    for seed in range(20):
        sample = world.sampled(np.random.default_rng([seed, 1]))
        checker.set_bodies(bodies_of({id: (model, sample.poses[id]) for id, model in sample.objects.items()}, {}))
        place = np.random.default_rng([seed, 2]).uniform(*world.start)
        assert checker.is_free(robot.posture(robot.stance, (place[0], place[1], place[2])))
    handle = 0.174  # [m] height of the vacuum's handle above its tip
    up = world.poses["confetti_7"][2, 3] + handle - robot.shoulder_height
    assert up > max(arm_reach(robot, hand) for hand in robot.hands)
