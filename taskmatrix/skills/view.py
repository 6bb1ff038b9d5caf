"""Turning the view towards a point: what Definition 10 of the common skill set is used for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pinocchio as pin

from taskmatrix.core.geometry import angle_between
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

from .kinematics import VIEW, Kinematics

FACED = 1e-4  # [rad] from the point is near enough
LEAST_DAMPING = 1e-4  # [-] of the first attempt from a configuration; ten times that of the next
STUCK = 1e3  # [-] with this much damping no step is worth making
LARGEST_STEP = 0.5  # [rad or m] of one iteration
SHORT = 5e-3  # [rad] a view this far off has not reached its point
SIDES = (0.15, 0.85)  # of the range of a joint, where further descents begin


def gaze_error(X_WV: Array, point: Array) -> float:
    """[rad] Angle between the viewing direction (the x axis of the view's pose) and the direction to a point (3,)."""
    return angle_between(X_WV[:3, 0], point - X_WV[:3, 3])


def face(kinematics: Kinematics, point: Array, joints: Indices, q: Array, iterations: int = 40) -> Array:
    """Turn joints until the view faces a point, or as far as their limits let it.

    Where the descent from the present configuration ends short of the point, others start from the middle of the
    joints' ranges and from both sides of it: a neck that looks over one shoulder may have to come round to the other.

    Args:
        kinematics: Of the robot.
        point: (3,) [m] In the world.
        joints: (k,) Joints that may move.
        q: (n,) Where to start.
        iterations: Bound of the work of each descent.

    Returns:
        (n,) The configuration.
    """
    turned, error = _descend(kinematics, point, joints, q, iterations)
    for start in _starts(kinematics, joints, q):
        if error < SHORT:
            break
        other, least = _descend(kinematics, point, joints, start, iterations // 3)
        if least < error - SHORT:
            turned, error = other, least
    return turned


def _starts(kinematics: Kinematics, joints: Indices, q: Array) -> Iterator[Array]:
    """(n,) each: the middle of the ranges, and both sides of it for the first two joints; the base stays."""
    robot = kinematics.robot
    own = joints[joints >= 3]
    middle = q.copy()
    middle[own] = (robot.lower[own] + robot.upper[own]) / 2
    yield middle
    for joint in own[:2]:
        for share in SIDES:
            start = middle.copy()
            start[joint] = robot.lower[joint] + share * (robot.upper[joint] - robot.lower[joint])
            yield start


def _descend(kinematics: Kinematics, point: Array, joints: Indices, q: Array, iterations: int) -> tuple[Array, float]:
    """Levenberg-Marquardt on where the point is in the view (thesis 4.3.5, figure 4.10), with limits.

    A joint that would leave its range stays where it is and the others are solved for again.

    Returns:
        (n,) the configuration, and what is left of the angle [rad].
    """
    robot = kinematics.robot
    lower, upper = robot.lower[joints], robot.upper[joints]
    q = np.array(q, dtype=float)
    error = gaze_error(kinematics.pose(VIEW, q), point)
    wanted, change, damping = np.zeros(3), np.zeros((3, len(joints))), 0.0
    for _ in range(iterations if len(joints) else 0):
        if error < FACED or damping > STUCK:
            break
        if damping == 0.0:  # a new configuration
            wanted, change = _direction(kinematics, point, joints, q)
            damping = LEAST_DAMPING
        trial = q.copy()
        trial[joints] = np.clip(q[joints] + _limited(wanted, change, damping, q[joints], lower, upper), lower, upper)
        there = gaze_error(kinematics.pose(VIEW, trial), point)
        if there < error - 1e-7:
            q, error, damping = trial, there, 0.0
        else:
            damping *= 10.0
    return q, error


def _direction(kinematics: Kinematics, point: Array, joints: Indices, q: Array) -> tuple[Array, Array]:
    """In the view: (3,) [rad] how the direction to the point should turn, and (3, k) how it does with the joints."""
    placement, J = kinematics.placement_and_jacobian(VIEW, q, joints)
    p_VT = placement.actInv(point)
    distance = max(float(np.linalg.norm(p_VT)), 1e-6)
    direction = p_VT / distance
    change = (-J[:3] + pin.skew(p_VT) @ J[3:]) / distance  # d(p_VT) = -v - w x p_VT
    change -= np.outer(direction, direction @ change)
    tangent = np.array([1.0, 0.0, 0.0]) - direction * direction[0]
    if np.linalg.norm(tangent) < 1e-3:  # right behind: any side will do
        tangent = np.array([0.0, 0.0, 1.0])
    angle = np.arccos(np.clip(direction[0], -1.0, 1.0))
    return angle * tangent / np.linalg.norm(tangent), change


def _limited(wanted: Array, change: Array, damping: float, q: Array, lower: Array, upper: Array) -> Array:
    """(k,) [rad or m] The damped step of the joints that can make it."""
    free = np.ones(len(q), dtype=bool)
    step = np.zeros(len(q))
    while free.any():
        active = change[:, free]
        step[:] = 0.0
        step[free] = active.T @ np.linalg.solve(active @ active.T + damping * np.eye(3), wanted)
        blocked = free & (((q >= upper - 1e-9) & (step > 0)) | ((q <= lower + 1e-9) & (step < 0)))
        if not blocked.any():
            break
        free &= ~blocked
    return np.clip(step * free, -LARGEST_STEP, LARGEST_STEP)
