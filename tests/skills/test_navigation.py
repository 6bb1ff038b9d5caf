from __future__ import annotations

import functools
from itertools import pairwise

import numpy as np
import pytest

from taskmatrix.core.robot.plans import Indices, Plan
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.bodies import Body, bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning.floor_map import FloorMap
from taskmatrix.skills.planning.navigation import TURN, walk
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.problem import CLEARANCE, HEAD
from taskmatrix.skills.planning.queries import ConfigurationQuery, Snapshot

from .setting import at, box, kinematics_of, robot_of
from .test_collision import naive_contacts

NAME = "mannequin"
LIVING, DINING = (-2.5, -1.2, 0.0), (0.6, 2.6, -2.0)  # x, y, yaw of the base


@functools.cache
def apartment() -> dict[str, tuple[ObjectModel, Array]]:
    world = load_world("apartment", shoulder_height=robot_of(NAME).shoulder_height)
    return {id: (model, world.poses[id]) for id, model in world.objects.items()}


def spread(robot: Robot, place: tuple[float, float, float]) -> Array:
    """(n,) The stance with an arm stretched out to the side."""
    q = robot.posture(robot.stance, place)
    roll = robot.joints.index("left_shoulder_roll")
    sides = [q.copy(), q.copy()]
    sides[0][roll], sides[1][roll] = robot.lower[roll], robot.upper[roll]
    out = [abs(kinematics_of(NAME).pose("left", side)[1, 3] - place[1]) for side in sides]
    q[roll] += 0.6 * (sides[int(np.argmax(out))][roll] - q[roll])
    return q


@pytest.fixture(scope="module")
def trip() -> tuple[Snapshot, Plan]:
    """From the living room to the dining room, an arm out to the side at both ends."""
    robot = robot_of(NAME)
    start, end = spread(robot, LIVING), spread(robot, DINING)
    joints = robot.indices("base", "left_arm", "right_arm")
    snapshot = Snapshot(start, apartment())
    query = ConfigurationQuery({index: float(end[index]) for index in joints}, 1.0, 3)
    plan = Planner(robot).solve(snapshot, query)
    assert isinstance(plan, Plan), plan.explain()
    return snapshot, plan


def configurations(snapshot: Snapshot, plan: Plan, step: float) -> Array:
    """(m, n) Along a plan, so many seconds apart."""
    times = np.append(np.arange(0.0, plan.trajectory.duration, step), plan.trajectory.duration)
    q = np.tile(snapshot.q, (len(times), 1))
    q[:, plan.trajectory.indices] = [plan.trajectory.sample(float(time))[0] for time in times]
    return q


def test_from_room_to_room_nothing_touches(trip: tuple[Snapshot, Plan]) -> None:
    """At every interpolated configuration; now and then by a check that shares nothing with the planner's."""
    snapshot, plan = trip
    robot = robot_of(NAME)
    np.testing.assert_allclose(configurations(snapshot, plan, 9.0)[-1][:3], DINING, atol=1e-6)
    checker, bodies = CollisionChecker(robot), bodies_of(snapshot.objects, {})
    checker.set_bodies(bodies)
    for q in configurations(snapshot, plan, 0.01):
        assert checker.is_free(q), checker.contact(q)
    for q in configurations(snapshot, plan, plan.trajectory.duration / 12):
        assert not naive_contacts(robot, bodies, q)


def test_it_goes_through_a_door(trip: tuple[Snapshot, Plan]) -> None:
    """The wall between the rooms is crossed in one of its openings."""
    q = configurations(*trip, 0.01)
    crossing = q[np.abs(q[:, 1] - 0.2) < 0.03]
    assert len(crossing) > 0
    doors = np.array([[1.8 - 0.55, 1.8 + 0.55], [4.4 - 0.6, 4.4 + 0.6], [7.2 - 0.55, 7.2 + 0.55]]) - 5.0
    assert all(((doors[:, 0] < x) & (x < doors[:, 1])).any() for x in crossing[:, 0])


def test_limbs_are_drawn_in_on_the_way(trip: tuple[Snapshot, Plan]) -> None:
    """In the door the robot is narrower than with its arm out at both ends."""
    snapshot, plan = trip
    checker = CollisionChecker(robot_of(NAME))
    q = configurations(snapshot, plan, 0.05)
    radii = np.array([checker.extent(each)[0] for each in q])
    in_door = np.abs(q[:, 1] - 0.2) < 0.2
    assert radii[in_door].max() < 0.75 * min(radii[0], radii[-1])


# the function by itself


def always(start: Array, end: Array, joints: Indices) -> Array:
    return np.array([start[joints], end[joints]])


WALL = {"wall": (box("wall", (0.1, 2.0, 2.0)), at(1.5, 0.0, 1.0))}
GOAL = (3.0, 0.0, 1.0)


def walked(
    objects: dict[str, tuple[ObjectModel, Array]],
    goal: tuple[float, float, float] = GOAL,
    connect: object = always,
    joints: Indices | None = None,
) -> Array | None:
    """(m, k) From the origin."""
    robot = robot_of(NAME)
    checker = CollisionChecker(robot)
    checker.set_bodies([Body(model, X_WO) for model, X_WO in objects.values()])
    start, end = robot.posture(robot.stance), robot.posture(robot.stance, goal)
    floor = FloorMap(objects, start, CLEARANCE, robot.shoulder_height + HEAD)
    some = np.array(robot.indices("base", "left_arm"), dtype=np.intp) if joints is None else joints
    random = np.random.default_rng(0)
    return walk(checker, floor, start, end, some, connect, lambda a, b: True, random)  # type: ignore[arg-type]


def test_the_base_faces_where_it_goes() -> None:
    """It turns on the spot, walks ahead, and turns to the goal's heading in the end."""
    path = walked(WALL)
    assert path is not None
    base = path[:, :3]
    np.testing.assert_allclose(base[0], 0.0, atol=1e-12)
    np.testing.assert_allclose(base[-1], GOAL)
    strides = [(a, b) for a, b in pairwise(base) if np.linalg.norm(b[:2] - a[:2]) > TURN]
    assert len(strides) >= 2  # round the wall
    for a, b in strides:
        ahead = (b - a)[:2] / np.linalg.norm((b - a)[:2])
        assert a[2] == b[2]
        np.testing.assert_allclose([np.cos(a[2]), np.sin(a[2])], ahead, atol=1e-9)


def test_where_there_is_no_way_there_is_no_walk() -> None:
    """Into the wall; and without a base that may move."""
    assert walked(WALL, (1.5, 0.0, 0.0)) is None
    arm = np.array(robot_of(NAME).indices("left_arm"), dtype=np.intp)
    assert walked(WALL, joints=arm) is None


def test_limbs_that_cannot_be_drawn_in_or_put_out_make_no_walk() -> None:
    """Whatever posture is tried; how often is bounded."""
    calls = []

    def stuck(start: Array, end: Array, joints: Indices) -> Array | None:
        calls.append(joints)
        return None

    assert walked(WALL, connect=stuck) is None
    assert len(calls) <= 3
