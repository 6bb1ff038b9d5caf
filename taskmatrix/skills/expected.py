"""What planning can be asked: anything else is an error that says what was wrong, before any work is done."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.errors import NotFoundError, ParameterError
from taskmatrix.core.objects import Array
from taskmatrix.robots import Robot

from .collision import expect_positions
from .queries import CheckQuery, ConfigurationQuery, PoseQuery, Query, Snapshot


def expect_query(robot: Robot, snapshot: Snapshot, query: Query) -> None:
    """Raise where a query cannot be one.

    Args:
        robot: Who is to move.
        snapshot: The robot and the world; poses of objects are looked at where they are taken over.
        query: What to plan.

    Raises:
        ParameterError: A position, a pose or a duration is not a finite number, or not of its shape; a joint does not
            exist.
        NotFoundError: A hand, a chain or an object does not exist.
    """
    expect_positions(robot, snapshot.q)
    for hand, (id, X_HO) in snapshot.held.items():
        _expect_hand(hand, robot)
        if id not in snapshot.objects:
            raise NotFoundError("object", id, snapshot.objects, f"what the {hand} hand may hold")
        _expect_pose(X_HO, f"the pose of '{id}' in the {hand} hand")
    if isinstance(query, CheckQuery):
        return
    if not np.isfinite(query.duration) or query.duration < 0.0:
        raise ParameterError(f"the duration of a motion must be a finite number of seconds, not {query.duration}")
    if isinstance(query, ConfigurationQuery):
        for index, position in query.goal.items():
            if not 0 <= index < robot.n:
                raise ParameterError(f"'{robot.name}' has joints 0 to {robot.n - 1}, and none with index {index}")
            if not np.isfinite(position):
                raise ParameterError(f"the goal of joint '{robot.joints[index]}' must be a finite number: {position}")
        return
    robot.indices(*query.chains)  # NotFoundError
    if isinstance(query, PoseQuery):
        for goal in query.goals:
            _expect_hand(goal.hand, robot)
            _expect_pose(goal.X_WH, f"goal '{goal.label}' of the {goal.hand} hand")
        return
    for hand in (query.giver, query.taker):
        _expect_hand(hand, robot)
    if query.object not in snapshot.objects:
        raise NotFoundError("object", query.object, snapshot.objects, "the world")


def _expect_hand(name: str, robot: Robot) -> None:
    if name not in robot.hands:
        raise NotFoundError("hand", name, robot.hands, f"robot '{robot.name}'")


def _expect_pose(X: Array, what: str) -> None:
    if np.shape(X) != (4, 4) or not np.isfinite(X).all():
        raise ParameterError(f"{what} must be a (4, 4) pose of finite numbers, not {X}")
