"""Constraints that hands keep on the way: projected to, searched with, planned with, and named where not kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import HandConstraint, HandGoal, Indices, Plan
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.constrained.projection import KEPT, Projection, broken, first_broken
from taskmatrix.skills.constrained.search import ConstrainedSearch
from taskmatrix.skills.planning.queries import PoseQuery, Snapshot
from taskmatrix.skills.planning.query_checks import check_query

from .setting import box, kinematics_of, limb, robot_of
from .test_planning import planner

NAME = "mannequin"
UP = np.array([0.0, 0.0, 1.0])
INF = np.inf


def begin() -> tuple[Array, Array]:
    """Where the robot starts, and its right hand's pose there."""
    q = robot_of(NAME).posture("ready")
    return q, kinematics_of(NAME).pose("right", q)


def level(X_WH: Array, tilt: float = 0.1) -> HandConstraint:
    """What is vertical at a pose of the hand stays so."""
    return HandConstraint("right", "'cup' upright", X_WH[:3, :3].T @ UP, UP, tilt)


def in_plane(X_WH: Array) -> HandConstraint:
    """The hand stays as high as it is."""
    bounds = np.array([INF, INF, 0.0])
    return HandConstraint("right", "table", point=np.zeros(3), X_WB=pose(X_WH[:3, 3]), lower=-bounds, upper=bounds)


def projection(*constraints: HandConstraint) -> tuple[Projection, Indices]:
    robot, joints = robot_of(NAME), limb(robot_of(NAME), "right")
    kinematics = kinematics_of(NAME)
    weights = kinematics.displacement[joints]
    limits = robot.lower[joints], robot.upper[joints]
    return Projection(kinematics, constraints, begin()[0], joints, weights, *limits), joints


@pytest.mark.parametrize("make", [level, in_plane])
def test_a_configuration_is_brought_to_where_all_is_kept(make: type) -> None:
    """From most places in front of the robot, within the limits; one where all is kept stays as it is."""
    (q, X), robot = begin(), robot_of(NAME)
    constraint = make(X)
    project, joints = projection(constraint)
    random = np.random.default_rng(0)
    found = 0
    for _ in range(100):
        x = q[joints] + random.uniform(-0.6, 0.6, len(joints))
        there = project(x)
        if there is None:
            continue
        found += 1
        whole = q.copy()
        whole[joints] = there
        assert broken(kinematics_of(NAME), [constraint], whole) == ""
        assert (there >= robot.lower[joints]).all()
        assert (there <= robot.upper[joints]).all()
        again = project(there)
        assert again is not None
        assert np.array_equal(again, there)
    assert found >= 95


def test_a_path_around_a_post_keeps_all_between_its_points_too() -> None:
    """Free and kept each centimetre of the way, the same for the same seed, and shorter when shortened."""
    q, X = begin()
    kinematics, constraint = kinematics_of(NAME), level(X)
    project, joints = projection(constraint)
    checker = CollisionChecker(robot_of(NAME))
    ahead = X[:3, 3] + [0.12, 0.15, 0.0]
    checker.set_bodies([Body(box("post", (0.05, 0.05, 0.6)), pose(ahead))])
    checker.set_moving(joints)
    space = checker.planner(q, joints, project._lower, project._upper, kinematics.displacement[joints])
    random = np.random.default_rng(3)
    ends: list[Array] = []
    while len(ends) < 2:
        there = project(random.uniform(project._lower, project._upper))
        if there is not None and space.is_free(there):
            ends.append(there)
    search = ConstrainedSearch(space, project)
    path = search.connect(ends[0], ends[1], 0, 200_000)
    assert path is not None
    again = search.connect(ends[0], ends[1], 0, 200_000)
    assert again is not None
    assert np.array_equal(path, again)
    refined = search.refined(search.shortened(path, 0, 60))
    assert refined is not None
    assert np.array_equal(refined[[0, -1]], ends)
    assert length(refined, kinematics.displacement[joints]) <= length(path, kinematics.displacement[joints])
    whole = q.copy()
    for here, there in pairwise(refined):
        for share in np.linspace(0.0, 1.0, 9):
            whole[joints] = here + share * (there - here)
            assert broken(kinematics, [constraint], whole, KEPT) == ""
            assert checker.is_free(whole)


def length(path: Array, weights: Array) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0) * weights, axis=1).sum())


def query(*keep: HandConstraint, X_WH: Array | None = None) -> PoseQuery:
    """To carry what the right hand holds 40 cm to the left."""
    there = begin()[1] if X_WH is None else X_WH
    goal = pose((0.0, 0.4, 0.0)) @ there
    return PoseQuery((HandGoal("right", goal, "there"),), ("torso",), {}, 2.0, 0, keep=keep)


@pytest.mark.parametrize("make", [level, in_plane])
def test_a_plan_keeps_all_as_it_is_driven(make: type) -> None:
    """At each 20 ms, past a post that stands in between; a plan that keeps nothing does not."""
    q, X = begin()
    constraint = make(X)
    post = box("post", (0.04, 0.04, 0.5)), pose(X[:3, 3] + [0.02, 0.2, 0.0])
    plan = planner(NAME).solve(Snapshot(q, {"post": post}), query(constraint))
    assert isinstance(plan, Plan), plan
    assert first_broken(kinematics_of(NAME), [constraint], driven(q, plan), plan.duration) == ""
    free = planner(NAME).solve(Snapshot(q, {"post": post}), query())
    assert isinstance(free, Plan)
    assert first_broken(kinematics_of(NAME), [level(X, 0.01), in_plane(X)], driven(q, free), free.duration)


def driven(q: Array, plan: Plan) -> Callable[[float], Array]:
    """Joint positions by the time [s] in a plan."""

    def at(time: float) -> Array:
        whole = q.copy()
        whole[plan.trajectory.indices] = plan.trajectory.sample(time)[0]
        return whole

    return at


def test_what_is_not_kept_at_the_start_or_at_any_goal_is_said_before_a_search() -> None:
    """With the constraint, by how much, and what is allowed."""
    q, X = begin()
    tilted = X @ pose(rpy=(0.3, 0.0, 0.0))
    failure = planner(NAME).solve(Snapshot(q, {}), query(level(tilted, 0.1)))
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.PRECONDITION
    assert "not at the start: 'cup' upright: " in failure.message
    assert "deg, 5.7 allowed" in failure.message
    failure = planner(NAME).solve(Snapshot(q, {}), query(level(X, 0.1), X_WH=tilted))
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.NO_PLACE
    assert "at none of 1 goals all is kept" in failure.message


def test_constraints_that_are_none_are_refused() -> None:
    """Hands, axes, angles and boxes."""
    q, X = begin()
    snapshot, robot = Snapshot(q, {}), robot_of(NAME)
    good, plane = level(X), in_plane(X)
    check_query(robot, snapshot, query(good, plane))
    for wrong, error, message in (
        (replace(good, hand="third"), NotFoundError, "no hand 'third'"),
        (replace(good, axis=None), ParameterError, "has an axis and a direction, or neither"),
        (replace(good, axis=2.0 * UP), ParameterError, "must be unit vectors"),
        (replace(good, tilt=-0.1), ParameterError, "tilt of constraint .* must be 0 to pi"),
        (replace(plane, point=None), ParameterError, "has a point, and a box with a frame, or neither"),
        (replace(plane, lower=np.full(3, np.nan)), ParameterError, "must be numbers"),
        (replace(plane, upper=np.full(3, -INF)), ParameterError, "is no lower bound"),
        (replace(plane, X_WB=np.ones((4, 4))), ParameterError, "the frame of constraint"),
    ):
        with pytest.raises(error, match=message):
            check_query(robot, snapshot, query(good, wrong))
