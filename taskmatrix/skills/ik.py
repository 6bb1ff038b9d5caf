"""Inverse kinematics by damped least squares with joint limits and a reference posture in the null space."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.core.errors import ParameterError
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices, Solution
from taskmatrix.robots import Robot

from .kinematics import Kinematics

POSITION_TOLERANCE = 1e-4  # [m]
ROTATION_TOLERANCE = 1e-3  # [rad]
LEVER = 0.3  # [m/rad] by which an angle counts beside a distance
DAMPING = 1e-4  # [-] relative to the square of the task error, Sugihara 2011's error-scaled damping
LARGEST_STEP = 0.4  # [rad or m] of one iteration
BASE_COST = 2.0  # a metre or radian of the base weighs as much as this many radians of an arm joint
PULL = 0.3  # of the way to the reference posture is wished for in one iteration
PATIENCE = 12  # iterations without progress before giving up
SETTLED = 2  # iterations on the target that bring the reference no nearer


def solve(
    kinematics: Kinematics,
    frame: str,
    X_WT: Array,
    joints: Indices,
    q: Array,
    reference: Array | None = None,
    iterations: int = 100,
) -> Solution:
    """Descend from a configuration to one that puts a frame on its target.

    Every iteration solves a weighted damped least-squares problem (Nakamura and Hanafusa 1986); joints that would
    leave their limits are frozen there and the rest solved again; what the task leaves free moves to the reference.

    Args:
        kinematics: Of the robot.
        frame: Name of a hand.
        X_WT: (4, 4) Target of its grasp frame.
        joints: (k,) Joints that may move.
        q: (n,) Where to start; ``joints`` of it are brought within their limits first.
        reference: (n,) Posture to stay near where the task allows it.
        iterations: Bound of the work.

    Returns:
        The best configuration on the way and what is left of the error; compare with the tolerances.

    Raises:
        ParameterError: The target is not a pose of finite numbers.
    """
    if np.shape(X_WT) != (4, 4) or not np.isfinite(X_WT).all():
        raise ParameterError(f"the target of frame '{frame}' must be a (4, 4) pose of finite numbers, not {X_WT!r}")
    robot, joints = kinematics.robot, np.asarray(joints, dtype=np.intp)
    target = pin.SE3(X_WT)
    q = np.array(q, dtype=float)
    q[joints] = np.clip(q[joints], robot.lower[joints], robot.upper[joints])
    best, rank, stalled = Solution(q.copy(), np.inf, np.inf), (True, np.inf), 0
    for iteration in range(iterations + 1):
        placement, J = kinematics.placement_and_jacobian(frame, q, joints)
        left = placement.actInv(target)
        error = pin.log6(left).vector
        here = Solution(q.copy(), float(np.linalg.norm(left.translation)), float(np.linalg.norm(error[3:])))
        missed = not reached(here)
        if missed:
            measure = here.distance + LEVER * here.angle
        else:  # from now on what counts is the reference
            measure = 0.0 if reference is None else float(np.linalg.norm(q[joints] - reference[joints]))
        progress = (missed, measure) < (rank[0], 0.98 * rank[1])
        if (missed, measure) < rank:
            best, rank = here, (missed, measure)
        stalled = 0 if progress else stalled + 1
        done = not missed and (reference is None or stalled > SETTLED)
        if done or stalled > PATIENCE or iteration == iterations or not len(joints):
            break
        q[joints] += _step(robot, error, J, joints, q, reference)
    return best


def reached(solution: Solution) -> bool:
    """Whether a solution is on its target within the tolerances."""
    return solution.distance < POSITION_TOLERANCE and solution.angle < ROTATION_TOLERANCE


def _step(robot: Robot, error: Array, J: Array, joints: Indices, q: Array, reference: Array | None) -> Array:
    """(k,) [rad or m] One step that is within the limits and moves as little as it can, or towards the reference."""
    lower, upper = robot.lower[joints] - q[joints], robot.upper[joints] - q[joints]
    weight = np.where(joints < 3, 1.0 / BASE_COST, 1.0)
    damping = DAMPING * float(error @ error) + 1e-8
    step = np.zeros(len(joints)) if reference is None else PULL * (reference[joints] - q[joints])
    free = np.ones(len(joints), dtype=bool)
    for _ in range(len(joints)):
        scaled = J * (weight * free)  # J W with the frozen columns out
        solved = np.linalg.solve(scaled @ J.T + damping * np.eye(6), error - J @ step)
        wanted = step + scaled.T @ solved
        outside = free & ((wanted < lower - 1e-12) | (wanted > upper + 1e-12))
        if not outside.any():
            step = wanted
            break
        step[outside] = np.clip(wanted[outside], lower[outside], upper[outside])
        free &= ~outside
    largest = float(np.max(np.abs(step)))
    if largest > LARGEST_STEP:
        step *= LARGEST_STEP / largest
    return np.clip(step, lower, upper)
