"""The world of a session, and where its robot is when it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import ParameterError, WorldError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.scenes.second_robot import with_second_robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker

ATTEMPTS = 500  # poses tried before a start region counts as full
STILL = 0.05  # [m] either way: a base that goes no farther stands where it is
SHARES = (0.75, 0.65, 0.85, 0.55, 0.95)  # of an arm's reach at which things are put, tried in turn
ASIDE = (0.0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2)  # [rad] to the side of what is ahead, tried in turn
FARTHEST = 0.9  # of an arm's reach: what is as near need not be put nearer
CHOICES = 20  # free places of which the farthest from other robots is taken
CLEARANCE = 0.05  # [m] to everything at the start


def furnished(given: str | Path | World, robot: Robot, second_robot: str | Path | Robot | None = None) -> World:
    """The world that is asked for, furnished for the robot and with its second robot."""
    world = given if isinstance(given, World) else load_world(given, shoulder_height=robot.shoulder_height)
    if second_robot is None:
        return world
    return with_second_robot(world, second_robot if isinstance(second_robot, Robot) else load_robot(second_robot))


def within_reach(robot: Robot, world: World) -> World:
    """The world, moved for a robot whose base does not move so that its arms get to what it is about.

    The object that tasks are about is put before the middle of its shoulders, or one of them, at three quarters of the
    arm's reach or as near to that as leaves the stance clear of everything. A world in which it is near already stays
    where it is, and so does one for a robot that moves, or has no arms.
    """
    if float(robot.upper[:2].max()) > STILL or not robot.hands:
        return world
    target = world.poses[world.default_object][:3, 3]
    arms = [_shoulder_and_reach(robot, hand) for hand in robot.hands]
    if any(np.linalg.norm(target - shoulder) < FARTHEST * reach for shoulder, reach in arms):
        return world
    checker = CollisionChecker(robot, CLEARANCE)
    checker.set_bodies(bodies_of({id: (model, world.poses[id]) for id, model in world.objects.items()}, {}))
    middle = np.mean([shoulder for shoulder, _ in arms], axis=0)
    for aside, share in product(ASIDE, SHARES):
        for before in (middle, *(shoulder for shoulder, _ in arms)):  # all arms, or one
            shoulder, reach = min(arms, key=lambda arm: float(np.linalg.norm(arm[0] - before)))
            off = np.array([shoulder[1] - before[1], target[2] - shoulder[2]])
            away = np.sqrt(max((share * reach) ** 2 - float(off @ off), (0.2 * reach) ** 2))
            x = float(target[0] - shoulder[0] - np.cos(aside) * away)
            y = float(target[1] - before[1] - np.sin(aside) * away)
            if checker.is_free(robot.posture(robot.stance, (x, y, 0.0))):
                return replace(world.moved(-x, -y), start=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    return world


def _shoulder_and_reach(robot: Robot, hand: str) -> tuple[Array, float]:
    """(3,) [m] Where the first joint of a hand's arm is in stance, and [m] how far it is along the arm to the grasp."""
    data = robot.data
    q = robot.posture(robot.stance)
    pin.forwardKinematics(robot.model, data, robot.expand(q))
    ids = [robot.model.getJointId(robot.joints[i]) for i in robot.indices(robot.hands[hand].arm)]
    points = [*(data.oMi[id].translation.copy() for id in ids), hand_pose(robot, hand, q)[:3, 3]]
    return points[0], float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def given_start(robot: Robot, start: tuple[float, float, float]) -> Array:
    """(n,) The stance at a given place."""
    try:
        place = np.array(start, dtype=float)
    except (TypeError, ValueError):
        place = np.empty(0)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise ParameterError(f"start has to be (x [m], y [m], yaw [rad]), not {start!r}")
    lower, upper = robot.lower[:3], robot.upper[:3]
    if (place < lower).any() or (place > upper).any():
        raise ParameterError(f"start {start!r} is outside the base's limits, {lower.tolist()} to {upper.tolist()}")
    return robot.posture(robot.stance, (float(place[0]), float(place[1]), float(place[2])))


def drawn_start(robot: Robot, world: World, random: np.random.Generator, others: Sequence[Array] = ()) -> Array:
    """(n,) The stance somewhere free in the start region, within the base's limits.

    Of some such places it is the one that is farthest from where others are, (2,) [m] each.
    """
    lower, upper = np.maximum(world.start[0], robot.lower[:3]), np.minimum(world.start[1], robot.upper[:3])
    if (lower > upper).any():
        limits = f"{robot.lower[:3].tolist()} to {robot.upper[:3].tolist()}"
        raise WorldError(
            f"the start region of world '{world.name}', {world.start[0]} to {world.start[1]} ([m], [m], [rad]), "
            f"is outside the limits of the base of robot '{robot.name}', {limits}"
        )
    checker = CollisionChecker(robot, CLEARANCE)
    checker.set_bodies(bodies_of({id: (model, world.poses[id]) for id, model in world.objects.items()}, {}))
    found: list[Array] = []
    for _ in range(ATTEMPTS):
        x, y, yaw = random.uniform(lower, upper)
        q = robot.posture(robot.stance, (float(x), float(y), float(yaw)))
        if checker.is_free(q):
            found.append(q)
        if len(found) == (CHOICES if others else 1):
            break
    if found:
        return max(found, key=lambda q: min((float(np.linalg.norm(q[:2] - other)) for other in others), default=0.0))
    contact = checker.contact(q)
    pair = f"; the last of {ATTEMPTS} had {contact.first} at {contact.second}" if contact else ""
    raise WorldError(f"no free place for robot '{robot.name}' in the start region of world '{world.name}'{pair}")
