from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import bounding_box, box_distance
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.kinematic import KinematicPlant
from taskmatrix.simulation.scenes.second_robot import SECOND_ROBOT, with_second_robot
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker


@pytest.fixture(scope="module", params=["asimo", "mannequin", "bandit", "talos"])
def robot(request: pytest.FixtureRequest) -> Robot:
    return load_robot(request.param)


def test_second_robot_looks_like_the_robot_and_collides_as_a_few_boxes(robot: Robot) -> None:
    """Its visuals are seen and do not collide; the boxes collide, are not seen, and hold the robot's stance."""
    model = with_second_robot(load_world("sparse"), robot).objects[SECOND_ROBOT]
    looks = [shape for shape in model.shapes if shape.color[3] > 0]
    solid = [shape for shape in model.shapes if shape.collides]
    assert len(looks) == len(robot.visuals)
    assert not any(shape.collides for shape in looks)
    assert 2 <= len(solid) <= 3
    assert all(shape.kind == "box" and shape.color[3] == 0 for shape in solid)
    lower, upper = bounding_box(solid, np.eye(4))
    assert upper[2] - lower[2] == pytest.approx(robot.height, abs=0.03)
    assert model.is_a("humanoid")
    assert not model.movable


@pytest.mark.parametrize("world", ["sparse", "apartment", "cottage"])
def test_second_robot_keeps_clear_of_start_and_furniture(robot: Robot, world: str) -> None:
    """On all its way: its path 0.8 m from where robots start, its body 0.3 m from that and clear of all else."""
    for scale in (0.65, 1.0):
        scene = with_second_robot(load_world(world, furniture_scale=scale), robot)
        start = (np.array([*scene.start[0][:2], 0.0]), np.array([*scene.start[1][:2], 2.0]))
        solid = [shape for shape in scene.objects[SECOND_ROBOT].shapes if shape.collides]
        others = [scene.box(id) for id, model in scene.objects.items() if id != SECOND_ROBOT and not model.movable]
        for time in np.arange(0.0, 20.0, 0.25):
            X = scene.scripts[SECOND_ROBOT].pose(time, scene.poses[SECOND_ROBOT], np.eye(3))
            box = bounding_box(solid, X)
            assert box_distance((X[:3, 3], X[:3, 3]), start) >= 0.8
            assert box_distance(box, start) >= 0.3
            assert min(box_distance(box, other) for other in others) > 0.05


def test_limbs_swing_and_a_foot_stays_on_the_floor(robot: Robot) -> None:
    """The pieces move with the way gone, never into the floor nor all off it; without legs nothing swings."""
    scene = with_second_robot(load_world("sparse"), robot)
    gait = scene.gaits[SECOND_ROBOT]
    stance = robot.visual_placements(robot.posture(robot.stance))
    moved = 0.0
    for time in np.arange(0.0, 4.0, 0.2):
        placed = gait.placements(time)
        moved = max(moved, float(np.abs(placed - stance)[:, :3, 3].max()))
        pieces = zip(robot.visuals, placed, strict=True)
        assert -0.03 < min(bounding_box([shape], X)[0][2] for shape, X in pieces) < 0.03
    assert (moved > 0.1) == ("left_leg" in robot.chains)


def test_worlds_with_a_second_robot_travel_between_processes() -> None:
    """The robot that is the second robot is loaded again there."""
    scene = pickle.loads(pickle.dumps(with_second_robot(load_world("sparse"), load_robot("asimo"))))
    assert scene.gaits[SECOND_ROBOT].robot.name == "asimo"


def test_a_world_without_a_path_says_how_to_give_one() -> None:
    """And one that has a second robot takes no second."""
    asimo, sparse = load_robot("asimo"), load_world("sparse")
    with pytest.raises(WorldError, match=r"'sparse' has no path for a second robot; give it a \[second_robot\] table"):
        with_second_robot(replace(sparse, second_robot=None), asimo)
    with pytest.raises(WorldError, match="has an object 'second_robot' already"):
        with_second_robot(with_second_robot(sparse, asimo), asimo)


def test_second_robot_stops_before_a_robot_in_its_way_and_goes_on_when_it_is_gone(robot: Robot) -> None:
    """It goes on from where it waited."""
    scene = with_second_robot(load_world("sparse"), robot)
    walk, start = scene.scripts[SECOND_ROBOT], scene.poses[SECOND_ROBOT]
    away, there = np.zeros(robot.n), np.zeros(robot.n)
    away[:2] = 30.0
    there[:2] = walk.pose(5.0, start, np.eye(3))[:2, 3]
    plant = KinematicPlant(robot, scene, robot.posture(robot.stance) + there)
    for _ in range(1200):
        plant.apply(Command(robot.posture(robot.stance) + there, np.zeros(robot.n), np.zeros(robot.n)), 1 / 120)
    (waiting,) = (each for each in plant.observe() if each.model.id == SECOND_ROBOT)
    assert 0.3 < np.linalg.norm(waiting.X_WO[:2, 3] - there[:2]) < 1.5
    assert not waiting.velocity.any()
    for _ in range(120):
        plant.apply(Command(robot.posture(robot.stance) + away, np.zeros(robot.n), np.zeros(robot.n)), 1 / 120)
    (walking,) = (each for each in plant.observe() if each.model.id == SECOND_ROBOT)
    assert walking.velocity.any()
    assert np.linalg.norm(walking.X_WO[:2, 3] - waiting.X_WO[:2, 3]) == pytest.approx(walk.travelled(1.0), abs=0.3)


def test_second_robot_stops_before_a_base_that_is_wider_than_its_joints_show() -> None:
    """Baxter's pedestal reaches 65 cm beyond the only joint near the floor."""
    baxter = load_robot("baxter")
    scene = with_second_robot(load_world("sparse"), load_robot("mannequin"))
    walk, start = scene.scripts[SECOND_ROBOT], scene.poses[SECOND_ROBOT]
    there = baxter.posture(baxter.stance)
    there[:2] += walk.pose(6.0, start, np.eye(3))[:2, 3]
    there[2] = np.pi / 2
    plant = KinematicPlant(baxter, scene, there)
    checker = CollisionChecker(baxter, 0.0)
    for _ in range(60):
        plant.apply(Command(there, np.zeros(baxter.n), np.zeros(baxter.n)), 0.1)
        X_WO = plant.truth()["poses"][SECOND_ROBOT]  # type: ignore[index]
        checker.set_bodies([Body(scene.objects[SECOND_ROBOT], X_WO)])
        assert checker.contact(there) is None
