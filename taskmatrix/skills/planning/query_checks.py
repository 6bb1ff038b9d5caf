"""What planning or inverse kinematics can be asked: anything else is an error, before any work is done."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.robot.plans import Goal, HandConstraint, HandGoal
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..collision.bodies import expect_positions
from .queries import AlongQuery, CheckQuery, ClearQuery, ConfigurationQuery, IkQuery, PoseQuery, Query, Snapshot

ORTHONORMAL = 1e-5  # how near the axes of an orientation must be to it


def check_query(robot: Robot, snapshot: Snapshot, query: Query) -> None:
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
    if isinstance(query, ClearQuery):
        return
    if isinstance(query, AlongQuery):
        _expect_hand(query.hand, robot)
        if np.shape(query.poses)[1:] != (4, 4) or not len(query.poses) or not np.isfinite(query.poses).all():
            raise ParameterError(f"a hand goes along (t, 4, 4) poses of finite numbers, not {np.shape(query.poses)}")
        return
    if isinstance(query, PoseQuery):
        check_goals([each for goal in query.goals for each in (goal, goal.partner) if each is not None], robot)
        for constraint in query.keep:
            _check_constraint(constraint, robot)
        return
    for hand in (query.giver, query.taker):
        _expect_hand(hand, robot)
    if query.object not in snapshot.objects:
        raise NotFoundError("object", query.object, snapshot.objects, "the world")


def check_ik_query(robot: Robot, query: IkQuery) -> None:
    """Raise where what inverse kinematics is asked cannot be.

    Raises:
        ParameterError: No goal, a goal that is none, joint positions that are none, or a number out of its range.
        NotFoundError: A hand or a chain does not exist.
    """
    if not query.goals:
        raise ParameterError("there must be a goal for inverse kinematics")
    check_goals(query.goals, robot)
    robot.indices(*(query.chains or ()))  # NotFoundError
    expect_positions(robot, query.starts, many=True, what="the joint positions to start from")
    if not len(query.starts):
        raise ParameterError("there must be joint positions to start from")
    if query.reference is not None:
        expect_positions(robot, query.reference, what="the reference posture")
    if query.attempts < 0 or query.choices < 1:
        message = "attempts must be at least 0 and choices 1"
        raise ParameterError(f"{message}, not {query.attempts} and {query.choices}")
    if not query.base_range >= 0.0:  # also with NaN
        raise ParameterError(f"the range of the base must be a number of metres from 0, not {query.base_range}")


def check_goals(goals: Sequence[Goal], robot: Robot) -> None:
    """Raise where one of several goals cannot be one.

    Raises:
        ParameterError: It is not a pose, or a place, of finite numbers.
        NotFoundError: Its hand does not exist.
    """
    for goal in goals:
        _expect_hand(goal.hand, robot)
        if isinstance(goal, HandGoal):
            if np.shape(goal.X_WH) != (4, 4):
                _expect_pose(goal.X_WH, _named(goal))
        elif np.shape(goal.p_WH) != (3,) or not np.isfinite(goal.p_WH).all():
            raise ParameterError(f"{_named(goal)} must be a place of three finite numbers, not {goal.p_WH}")
    poses = [goal for goal in goals if isinstance(goal, HandGoal)]
    if poses:  # all at once, since there may be a hundred
        X = np.array([goal.X_WH for goal in poses], dtype=float)
        if not np.isfinite(X).all():
            for goal in poses:
                _expect_pose(goal.X_WH, _named(goal))
        R = X[:, :3, :3]
        off = np.abs(R.transpose(0, 2, 1) @ R - np.eye(3))
        for k in np.flatnonzero((off > ORTHONORMAL).any(axis=(1, 2)) | (np.linalg.det(R) < 0.0)):
            raise ParameterError(f"the orientation of {_named(poses[k])} must be a rotation matrix, not {R[k]}")


def _check_constraint(given: HandConstraint, robot: Robot) -> None:
    _expect_hand(given.hand, robot)
    axis = given.axis, given.direction
    box = given.point, given.lower, given.upper
    if any(each is None for each in axis) != all(each is None for each in axis):
        raise ParameterError(f"constraint '{given.label}' has an axis and a direction, or neither")
    if any(each is None for each in (*box, given.X_WB)) != all(each is None for each in (*box, given.X_WB)):
        raise ParameterError(f"constraint '{given.label}' has a point, and a box with a frame, or neither")
    for each in axis:
        if each is not None and (np.shape(each) != (3,) or not abs(np.linalg.norm(each) - 1.0) < ORTHONORMAL):
            raise ParameterError(f"the axes of constraint '{given.label}' must be unit vectors (3,), not {each}")
    if not 0.0 <= given.tilt <= np.pi:
        raise ParameterError(f"the tilt of constraint '{given.label}' must be 0 to pi [rad], not {given.tilt}")
    for each in box:
        if each is not None and (np.shape(each) != (3,) or np.isnan(each).any()):
            raise ParameterError(f"point and bounds of constraint '{given.label}' must be numbers (3,), not {each}")
    if given.lower is not None and given.upper is not None and (given.lower > given.upper).any():
        raise ParameterError(f"constraint '{given.label}': {given.lower} is no lower bound for {given.upper}")
    if given.X_WB is not None:
        _expect_pose(given.X_WB, f"the frame of constraint '{given.label}'")
        R = given.X_WB[:3, :3]
        if np.abs(R.T @ R - np.eye(3)).max() > ORTHONORMAL:
            raise ParameterError(f"the frame of constraint '{given.label}' must have a rotation matrix, not {R}")


def _named(goal: Goal) -> str:
    return f"goal '{goal.label}' of the {goal.hand} hand"


def _expect_hand(name: str, robot: Robot) -> None:
    if name not in robot.hands:
        raise NotFoundError("hand", name, robot.hands, f"robot '{robot.name}'")


def _expect_pose(X: Array, what: str) -> None:
    if np.shape(X) != (4, 4) or not np.isfinite(X).all():
        raise ParameterError(f"{what} must be a (4, 4) pose of finite numbers, not {X}")
