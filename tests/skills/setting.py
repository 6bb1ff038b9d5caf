"""Robots and worlds that the tests of the skills share."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import HandGoal, Indices
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots import Robot, load_robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.kinematics.kinematics import Kinematics
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.problem import Problem
from taskmatrix.skills.planning.queries import PoseQuery, Snapshot
from taskmatrix.skills.planning.reaching import Reaching
from taskmatrix.skills.planning.seeds import SeedSampler

ROBOTS = ("bandit", "mannequin", "talos")
RETREAT = 0.03


@functools.cache
def robot_of(name: str) -> Robot:
    return load_robot(name)


@functools.cache
def kinematics_of(name: str) -> Kinematics:
    return Kinematics(robot_of(name))


@functools.cache
def world_for(name: str) -> World:
    return load_world("sparse", shoulder_height=robot_of(name).shoulder_height)


def random_configuration(robot: Robot, random: np.random.Generator) -> Array:
    """Within the limits, the base within two metres of the origin."""
    q = random.uniform(robot.lower, robot.upper)
    q[:2] = random.uniform(-2.0, 2.0, 2)
    q[2] = random.uniform(-np.pi, np.pi)
    return q


def limb(robot: Robot, hand: str) -> Indices:
    """The joints of a hand's arm, and of the torso if there is one."""
    chains = [chain for chain in ("torso", robot.hands[hand].arm) if chain in robot.chains]
    return np.array(robot.indices(*chains), dtype=np.intp)


def trunk(robot: Robot) -> tuple[str, ...]:
    return tuple(chain for chain in ("base", "torso") if chain in robot.chains)


def scene(name: str) -> dict[str, tuple[ObjectModel, Array]]:
    """The objects of the sparse world."""
    world = world_for(name)
    return {id: (model, world.poses[id]) for id, model in world.objects.items()}


def box(id: str, size: tuple[float, float, float]) -> ObjectModel:
    return ObjectModel(id, "obstacle", (Shape("box", size, np.eye(4)),), movable=True)


def at(x: float, y: float, z: float) -> Array:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def reach_query(name: str, object: str, seed: int = 0, hands: tuple[str, ...] | None = None) -> PoseQuery:
    """What Reach asks for an object where it is in the sparse world."""
    robot, world = robot_of(name), world_for(name)
    goals = tuple(
        HandGoal(hand.name, world.poses[object] @ grasp.X_OH, grasp.name, object, RETREAT)
        for hand in robot.hands.values()
        for grasp in world.objects[object].grasps
        if grasp.width <= hand.aperture and (hands is None or hand.name in hands)
    )
    opening = {
        hand.name: {robot.joints.index(joint): position for joint, position in hand.open.items()}
        for hand in robot.hands.values()
    }
    return PoseQuery(goals, trunk(robot), opening, 4.0, seed)


def start(name: str, base: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Snapshot:
    """The robot in its stance in the sparse world."""
    robot = robot_of(name)
    return Snapshot(robot.posture(robot.stance, base), scene(name))


def targets_of(name: str) -> dict[str, Array]:
    """The points to look at in the sparse world."""
    return {id: Percept(model, X_WO).centre for id, (model, X_WO) in scene(name).items()}


def problem_of(name: str, query: PoseQuery) -> Problem:
    """What a query in the sparse world is answered with."""
    problems: list[Problem] = []

    def noted(self: Reaching) -> Failure:
        problems.append(self._problem)
        return Failure(FailureKind.INTERRUPTED, "test", "there is nothing to plan")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reaching, "plan", noted)
        Planner(robot_of(name)).solve(start(name), query)
    return problems[0]


def seeds_of(name: str, problem: Problem) -> SeedSampler:
    """What planning draws seeds with in the sparse world."""
    chains, targets, are_free = trunk(robot_of(name)), targets_of(name), problem.checker.are_free
    return SeedSampler(problem.kinematics, problem.start, problem.random, chains, targets, are_free)
