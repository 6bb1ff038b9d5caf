"""Inverse kinematics by damped least squares with joint limits and a reference posture in the null space."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices, Solution
from taskmatrix.robots import Robot

from .kinematics import Kinematics

POSITION_TOLERANCE = 1e-4  # [m]
ROTATION_TOLERANCE = 1e-3  # [rad]
DAMPING = 1e-4  # [-] relative to the square of the task error, Sugihara 2011's error-scaled damping
LARGEST_STEP = 0.4  # [rad or m] of one iteration
BASE_COST = 2.0  # a metre or radian of the base weighs as much as this many radians of an arm joint


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
        q: (n,) Where to start.
        reference: (n,) Posture to stay near where the task allows it.
        iterations: Bound of the work.

    Returns:
        The best configuration on the way and what is left of the error; compare with the tolerances.
    """
    robot = kinematics.robot
    target = pin.SE3(X_WT)
    q = np.array(q, dtype=float)
    q[joints] = np.clip(q[joints], robot.lower[joints], robot.upper[joints])
    best, best_error, stalled = Solution(q.copy(), np.inf, np.inf), np.inf, 0
    for _ in range(iterations):
        error, J = kinematics.error_and_jacobian(frame, q, target, joints)
        distance, angle = float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:]))
        size = distance + 0.3 * angle
        if size < best_error:
            stalled = 0 if size < 0.98 * best_error else stalled + 1
            best, best_error = Solution(q.copy(), distance, angle), size
        else:
            stalled += 1
        reached = distance < POSITION_TOLERANCE and angle < ROTATION_TOLERANCE
        if stalled > 12 or (reached and (reference is None or stalled > 2)):
            break
        q[joints] += _step(robot, error, J, joints, q, reference)
    return best


def reached(solution: Solution) -> bool:
    """Whether a solution is on its target within the tolerances."""
    return solution.distance < POSITION_TOLERANCE * 1.001 and solution.angle < ROTATION_TOLERANCE * 1.001


def _step(robot: Robot, error: Array, J: Array, joints: Indices, q: Array, reference: Array | None) -> Array:
    lower, upper = robot.lower[joints] - q[joints], robot.upper[joints] - q[joints]
    weight = np.where(joints < 3, 1.0 / BASE_COST, 1.0)
    damping = DAMPING * float(error @ error) + 1e-8
    wish = np.zeros(len(joints)) if reference is None else 0.3 * (reference[joints] - q[joints])
    free = np.ones(len(joints), dtype=bool)
    step = np.zeros(len(joints))
    for _ in range(4):
        scaled = J * (weight * free)  # J W with the frozen columns out
        inner = scaled @ J.T + damping * np.eye(len(error))
        moved = np.where(free, wish, step)
        solved = np.linalg.solve(inner, error - J @ moved)
        step[free] = (moved + scaled.T @ solved)[free]
        outside = free & ((step < lower - 1e-12) | (step > upper + 1e-12))
        if not outside.any():
            break
        step[outside] = np.clip(step[outside], lower[outside], upper[outside])
        free &= ~outside
    largest = float(np.max(np.abs(step)))
    if largest > LARGEST_STEP:
        step *= LARGEST_STEP / largest
    return np.clip(step, lower, upper)
