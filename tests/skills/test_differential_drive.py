"""Timed motions of a base that turns on the spot and rolls, and plans for the robot that has one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import Indices, Plan, Trajectory
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, Snapshot
from taskmatrix.skills.planning.settings import PlannerSettings
from taskmatrix.skills.trajectories.differential_drive import columns, differential_drive
from taskmatrix.skills.trajectories.trajectory import COARSE, FINE, Limits, TimedPath, time_parameterise

from .setting import reach_query, robot_of, start

NAME = "bandit"
VELOCITY, ACCELERATION = np.array([0.6, 0.6, 1.0, 2.0]), np.array([0.8, 0.8, 1.5, 8.0])
FREE = Limits(np.full(4, -9.0), np.full(4, 9.0), VELOCITY, ACCELERATION)
WEIGHTS = np.array([1.0, 1.0, 0.8, 0.5])
BASE = np.array([0, 1, 2])
C, S = np.cos(0.7), np.sin(0.7)
PATH = np.array(  # turn, roll, only the arm, roll on, turn, roll back, turn
    [
        [0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.7, 0.3],
        [C, S, 0.7, 0.9],
        [C, S, 0.7, 1.2],
        [2 * C, 2 * S, 0.7, 1.1],
        [2 * C, 2 * S, 1.5, 0.5],
        [2 * C - 0.5 * np.cos(1.5), 2 * S - 0.5 * np.sin(1.5), 1.5, 0.4],
        [2 * C - 0.5 * np.cos(1.5), 2 * S - 0.5 * np.sin(1.5), -0.2, 0.0],
    ]
)


def timed(path: Array, spacing: float = COARSE, rolling: Indices | None = BASE) -> TimedPath:
    result = time_parameterise([path], np.arange(4), FREE, WEIGHTS, 0.0, spacing, rolling)
    assert not isinstance(result, Failure)
    return result


def slip(trajectory: Trajectory, step: float = 0.001) -> tuple[float, float]:
    """[m/s] Greatest velocity across the heading at an instant, by velocities and by positions."""
    times = np.append(np.arange(0.0, trajectory.duration, step), trajectory.duration)
    q, v, _ = trajectory.sample(times)
    x, y, yaw = (list(trajectory.indices).index(index) for index in range(3))
    across = -np.sin(q[:, yaw]) * v[:, x] + np.cos(q[:, yaw]) * v[:, y]
    d, middle = np.diff(q, axis=0) / step, (q[1:, yaw] + q[:-1, yaw]) / 2
    moved = -np.sin(middle) * d[:, x] + np.cos(middle) * d[:, y]
    return float(np.abs(across).max()), float(np.abs(moved).max())


@pytest.mark.parametrize("spacing", [COARSE, FINE])
def test_at_no_instant_does_the_base_slip(spacing: float) -> None:
    """Not at the corners either; the same path for a base that slides would."""
    assert max(slip(timed(PATH, spacing))) < 1e-9
    assert slip(timed(PATH, spacing, rolling=None))[0] > 1e-4


@pytest.mark.parametrize("spacing", [COARSE, FINE])
def test_limits_hold_also_along_the_heading(spacing: float) -> None:
    """It rolls no faster than the limit in any direction, and its velocity is that of its positions."""
    trajectory = timed(PATH, spacing)
    times = np.arange(0.0, trajectory.duration, 5e-4)
    q, v, a = trajectory.sample(times)
    assert np.all(np.abs(v) <= VELOCITY + 1e-6)
    assert np.all(np.abs(a) <= ACCELERATION + 1e-6)
    assert np.linalg.norm(v[:, :2], axis=1).max() <= VELOCITY[0] + 1e-6
    assert np.linalg.norm(a[:, :2], axis=1).max() <= ACCELERATION[0] + 1e-6
    np.testing.assert_allclose(np.diff(q, axis=0) / 5e-4, (v[1:] + v[:-1]) / 2, atol=5e-3)


def test_the_base_stops_at_corners_and_the_arm_does_not() -> None:
    """Where it has turned and begins to roll; it has been at every corner, and ends at rest on the end."""
    trajectory = timed(PATH)
    times = np.arange(0.0, trajectory.duration, 1e-3)
    q, v, _ = trajectory.sample(times)
    for corner in PATH[1:-1]:
        assert np.abs(q[:, :3] - corner[:3]).max(axis=1).min() < 1e-4
    turned = int(np.argmin(np.abs(q[:, :3] - PATH[1, :3]).max(axis=1)))
    assert np.abs(v[turned, :3]).max() < 0.01
    assert v[turned, 3] > 0.05
    q, v, _ = trajectory.sample(trajectory.duration)
    np.testing.assert_allclose(q, PATH[-1], atol=1e-9)
    np.testing.assert_allclose(v, 0.0, atol=1e-3)


def test_a_base_that_does_not_roll_is_left_as_it_is() -> None:
    """One that turns while the arm moves goes on a smooth curve."""
    knots, points = np.arange(3.0), np.array([[0.0, 0.0, 0.1, 0.3], [0.0, 0.0, 0.5, 0.2], [0.0, 0.0, 0.4, 0.1]])
    assert differential_drive(knots, points, np.zeros((2, 4, 4)), BASE) is None


def test_only_a_whole_base_of_a_robot_that_rolls_counts() -> None:
    """Wherever its columns are."""
    robot = robot_of(NAME)
    found = columns(robot, np.array([7, 2, 0, 1]))
    assert found is not None
    np.testing.assert_array_equal(found, [2, 3, 1])
    assert columns(robot, np.array([2, 7])) is None
    assert columns(robot_of("mannequin"), np.arange(5)) is None


def plans() -> Iterator[tuple[str, Planner, Snapshot, object]]:
    robot = robot_of(NAME)
    planner = Planner(robot)
    for seed, object in enumerate(("soda_can", "vacuum", "broom")):
        yield f"reach {object}", planner, start(NAME), reach_query(NAME, object, seed)
    apartment = load_world("apartment", shoulder_height=robot.shoulder_height)
    objects = {id: (model, apartment.poses[id]) for id, model in apartment.objects.items()}
    here, there = (robot.posture(robot.stance, place) for place in ((-2.5, -1.2, 0.0), (0.6, 2.6, -2.0)))
    goal = {index: float(there[index]) for index in robot.indices("base", "left_arm")}
    yield "apartment", planner, Snapshot(here, objects), ConfigurationQuery(goal, 1.0, 3)
    aside = {1: 0.5, robot.joints.index("left_elbow"): 1.0}
    yield "aside", planner, Snapshot(robot.posture(robot.stance), {}), ConfigurationQuery(aside, 1.0, 3)
    other = Planner(robot, PlannerSettings(planner="RRTConnect"))
    yield "RRTConnect", other, Snapshot(here, objects), ConfigurationQuery(goal, 1.0, 3)


PLANS = {name: rest for name, *rest in plans()}


@pytest.mark.parametrize("name", PLANS)
def test_plans_of_a_robot_on_two_wheels_never_slip(name: str) -> None:
    """From the retreat to the end of the approach; to a place beside it, it comes back to its heading."""
    planner, snapshot, query = PLANS[name]
    plan = planner.solve(snapshot, query)  # type: ignore[attr-defined]
    assert isinstance(plan, Plan), plan.explain()
    trajectory = plan.trajectory
    assert {0, 1, 2} <= set(trajectory.indices.tolist())
    assert max(slip(trajectory, 0.005)) < 1e-9
    end = trajectory.sample(trajectory.duration)[0]
    if isinstance(query, ConfigurationQuery):
        for index, value in query.goal.items():
            assert end[list(trajectory.indices).index(index)] == pytest.approx(value, abs=1e-6)
    if name == "aside":
        assert end[list(trajectory.indices).index(2)] == pytest.approx(0.0, abs=1e-9)
