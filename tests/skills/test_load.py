"""What an arm has to bear."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.world.geometry import middle
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.capabilities import GRAVITY
from taskmatrix.simulation.physics.inertia import object_inertia
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.kinematics.kinematics import Kinematics, load

from .setting import kinematics_of, random_configuration, robot_of

STEP = 1e-6  # [rad]
NEAR = 0.05  # [m]
LEVER = np.array([0.03, -0.02, 0.1])  # [m] from the hand to the centre of what it holds


@pytest.mark.parametrize("name", ["mannequin", "bandit"])
@pytest.mark.parametrize("mass", [0.0, 0.35])
def test_it_is_what_lifts_arm_and_object(name: str, mass: float) -> None:
    """The work that each joint does against gravity, of the links and of what is held."""
    robot, kinematics = robot_of(name), kinematics_of(name)
    data, q = robot.model.createData(), random_configuration(robot, np.random.default_rng(1))

    def energy(q: Array) -> float:
        own = pin.computePotentialEnergy(robot.model, data, robot.expand(q))
        X_WH = kinematics.pose("left", q)
        return float(own + mass * GRAVITY * (X_WH[:3, :3] @ LEVER + X_WH[:3, 3])[2])

    shares = []
    for joint in robot.chains[robot.hands["left"].arm]:
        moved = STEP * np.eye(robot.n)[joint]
        shares.append(abs(energy(q + moved) - energy(q - moved)) / (2 * STEP) / robot.effort[joint])
    assert load(kinematics, "left", q, mass, LEVER) == pytest.approx(max(shares), rel=1e-4)
    assert 0.0 < max(shares) < 1.0


def test_what_springs_carry_does_not_count() -> None:
    """They hold the arm, not what is in its hand."""
    robot = robot_of("mannequin")
    sprung = Kinematics(replace(robot, counterbalanced=frozenset(robot.joints)))
    q = robot.posture(robot.stance)
    assert load(sprung, "left", q, 0.0, LEVER) == 0.0
    assert load(sprung, "left", q, 0.35, LEVER) > 0.0


def test_a_joint_without_a_limit_bears_anything() -> None:
    """Nobody knows better."""
    model = robot_of("mannequin").model.copy()
    model.effortLimit = np.zeros(model.nv)
    robot = replace(robot_of("mannequin"), model=model)
    assert np.isinf(robot.effort).all()
    assert load(Kinematics(robot), "left", robot.posture(robot.stance), 100.0, LEVER) == 0.0


def test_the_centre_of_mass_is_about_where_it_is() -> None:
    """Of everything that can be carried, within 5 cm of a body of even density."""
    things = [model for model in load_world("apartment").objects.values() if model.movable and model.joint is None]
    assert things
    for model in things:
        assert np.linalg.norm(middle(model.shapes) - object_inertia(model).lever) < NEAR, model.id
