"""Whether both hands hold what takes two."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.judges.ground_truth import Record
from taskmatrix.simulation.judges.measures.holding import unaided
from taskmatrix.simulation.kinematic import KinematicPlant
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world

DT = 0.01


@pytest.fixture(scope="module")
def robot() -> Robot:
    return load_robot("mannequin")


@pytest.fixture(scope="module")
def world(robot: Robot) -> World:
    return load_world("canteen", shoulder_height=robot.shoulder_height)


def test_one_hand_of_two_does_not_do(robot: Robot, world: World) -> None:
    record = Record(robot, world.objects, DT, KinematicPlant(robot, world, robot.posture(robot.stance)).truth())
    for held, why in (
        ({"left": "crate"}, "'crate' takes two hands, and the left holds it"),
        ({"left": "crate", "right": "crate"}, ""),
    ):
        record.steps.append(replace(record.end, held=held))
        assert unaided(record, "crate") == why
    assert unaided(record, "table") == ""


def test_it_goes_with_the_first_hand_and_slips_out_of_one_that_goes_elsewhere(robot: Robot, world: World) -> None:
    q = robot.posture(robot.stance)
    plant = KinematicPlant(robot, world, q)
    for hand in ("left", "right"):
        plant.attach(hand, "crate")
    (percept,) = (each for each in plant.observe() if each.model.id == "crate")
    assert percept.holders == ("left", "right")
    before = percept.X_WO
    q[robot.joints.index("right_shoulder_pitch")] += 0.02
    plant.apply(Command(q, np.zeros(robot.n), np.zeros(robot.n)), DT)
    assert plant.held() == {"left": "crate", "right": "crate"}
    q[robot.joints.index("right_shoulder_pitch")] += 0.5
    plant.apply(Command(q, np.zeros(robot.n), np.zeros(robot.n)), DT)
    assert plant.held() == {"left": "crate"}
    (percept,) = (each for each in plant.observe() if each.model.id == "crate")
    assert pose_error(before, percept.X_WO)[0] < 1e-9
