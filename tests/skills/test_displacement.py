from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.kinematics.displacement import displacement_bounds

from .setting import ROBOTS, at, box, kinematics_of, random_configuration, robot_of


def corners(name: str, q: Array) -> Array:
    """(m, 3) Corners of the bounding boxes of all collision bodies, in the world: points fixed to the bodies."""
    robot = robot_of(name)
    data, geometry_data = robot.model.createData(), robot.collision.createData()
    pin.updateGeometryPlacements(robot.model, data, robot.collision, geometry_data, robot.expand(q))
    points = []
    for body, placement in zip(robot.collision.geometryObjects, geometry_data.oMg, strict=True):
        body.geometry.computeLocalAABB()
        box_ = body.geometry.aabb_local
        low, high = np.asarray(box_.min_).ravel(), np.asarray(box_.max_).ravel()
        grid = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        points.append(grid @ placement.rotation.T + placement.translation)
    return np.vstack(points)


@pytest.mark.parametrize("name", ROBOTS)
def test_no_body_moves_further_than_the_bound(name: str) -> None:
    """Small steps of single joints, and of all at once, from random postures."""
    robot, bound = robot_of(name), kinematics_of(name).displacement
    random = np.random.default_rng(0)
    for trial in range(6):
        q = random_configuration(robot, random)
        before = corners(name, q)
        steps = [np.where(np.arange(robot.n) == index, 1e-3, 0.0) for index in range(robot.n)]
        steps.append(random.uniform(-1e-3, 1e-3, robot.n))
        for step in steps:
            moved = np.linalg.norm(corners(name, q + step) - before, axis=1).max()
            assert moved <= bound @ np.abs(step) + 1e-9, (trial, step)


@pytest.mark.parametrize("name", ROBOTS)
def test_the_bound_is_not_much_more_than_the_motion(name: str) -> None:
    """Turning the base with an arm stretched out moves the hand by most of what the bound says."""
    robot, bound = robot_of(name), kinematics_of(name).displacement
    random, furthest = np.random.default_rng(1), 0.0
    step = np.zeros(robot.n)
    step[2] = 1e-3
    for _ in range(40):
        q = random_configuration(robot, random)
        furthest = max(furthest, np.linalg.norm(corners(name, q + step) - corners(name, q), axis=1).max())
    assert furthest > 0.6 * bound[2] * 1e-3


def test_what_is_held_counts() -> None:
    """A pole in the hand sweeps further than the hand."""
    robot = robot_of("mannequin")
    checker = CollisionChecker(robot)
    alone = kinematics_of("mannequin").displacement
    assert checker.displacement(alone) is alone
    checker.set_bodies([Body(box("pole", (0.02, 0.02, 2.0)), np.eye(4), "left", at(0, 0, 0))])
    with_pole = checker.displacement(alone)
    wrist, other = robot.joints.index("left_wrist_pitch"), robot.joints.index("right_wrist_pitch")
    assert with_pole[wrist] > 1.0
    assert with_pole[other] == alone[other]
    assert np.all(with_pole >= alone - 1e-12)


def test_no_joint_is_free_of_cost() -> None:
    """Also joints that carry next to nothing have a positive weight."""
    for name in ROBOTS:
        assert np.all(displacement_bounds(robot_of(name)) > 0)
