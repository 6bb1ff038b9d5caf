"""Both hands at poses of their own at once, as when they hold one thing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

from . import ik
from .kinematics import Kinematics

ITERATIONS = 80
PATIENCE = 10  # iterations in which the error has to shrink by a third
LARGEST = 0.4  # [rad, m] step of a joint
DAMPING = 1e-8, 1e-3  # at the goal, and what is added for each square of the error
BASE = 0.5  # how readily the base moves, to a joint


def solve_both(
    kinematics: Kinematics, hands: tuple[str, str], X: tuple[Array, Array], q: Array, joints: Indices
) -> tuple[Array, float, float]:
    """(n,) Joint positions near q (n,) with both hands at their poses, and how far [m] and turned [rad] from there.

    Damped least squares on the Jacobians of both hands, one above the other.

    Args:
        kinematics: Of the robot.
        hands: Their names.
        X: (4, 4) each: poses of their grasp frames in the world.
        q: (n,) Where to start.
        joints: (k,) That may move.

    Returns:
        Where it ended, which is there within the tolerances of inverse kinematics or not.
    """
    robot = kinematics.robot
    lower, upper = robot.lower[joints], robot.upper[joints]
    readily = np.where(joints < 3, BASE, 1.0)
    wanted = [pin.SE3(each) for each in X]
    q, best = q.copy(), np.inf
    for iteration in range(ITERATIONS):
        errors, rows = [], []
        for hand, goal in zip(hands, wanted, strict=True):
            here, J = kinematics.placement_and_jacobian(hand, q, joints)
            errors.append(pin.log6(here.actInv(goal)).vector)
            rows.append(J * readily)
        distance = max(float(np.linalg.norm(each[:3])) for each in errors)
        angle = max(float(np.linalg.norm(each[3:])) for each in errors)
        if distance < ik.POSITION_TOLERANCE and angle < ik.ROTATION_TOLERANCE:
            break
        if iteration % PATIENCE == 0:
            if distance + angle > 0.7 * best:
                break
            best = distance + angle
        error, J = np.concatenate(errors), np.vstack(rows)
        damping = DAMPING[0] + DAMPING[1] * float(error @ error)
        step = readily * (J.T @ np.linalg.solve(J @ J.T + damping * np.eye(12), error))
        step *= min(1.0, LARGEST / float(np.max(np.abs(step))))
        q[joints] = np.clip(q[joints] + step, lower, upper)
    return q, distance, angle


def follow_both(
    kinematics: Kinematics,
    hands: tuple[str, str],
    ways: tuple[Array, Array],
    q: Array,
    joints: Indices,
    turn: float,
    first_blocked: Callable[[Array], int | None] = lambda Q: None,
) -> Array:
    """(m, n) Configurations along which both hands take poses one after the other, as far as they can.

    Args:
        kinematics: Of the robot.
        hands: Their names.
        ways: (t, 4, 4) each: poses of their grasp frames, near one another.
        q: (n,) Where it starts; the first of the configurations.
        joints: (k,) That may move.
        turn: [rad] or [m] No joint moves by as much from one configuration to the next.
        first_blocked: From configurations (m, n) to the number of the first from which one cannot go to the next.
    """
    stretch = [q]
    for X in zip(*ways, strict=True):
        found, distance, angle = solve_both(kinematics, hands, X, stretch[-1], joints)
        there = distance < ik.POSITION_TOLERANCE and angle < ik.ROTATION_TOLERANCE
        if not there or np.abs(found - stretch[-1]).max() > turn:
            break
        stretch.append(found)
    blocked = first_blocked(np.array(stretch))
    return np.array(stretch if blocked is None else stretch[: blocked + 1])
