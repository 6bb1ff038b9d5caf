"""Turning the view towards a point: what Definition 10 of the common skill set is used for."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

from .kinematics import VIEW, Kinematics

SHORT = 5e-3  # [rad] a view this far off has not reached its point


def gaze_error(X_WV: Array, point: Array) -> float:
    """[rad] Angle between the viewing direction (the x axis of the view's pose) and the direction to a point (3,)."""
    direction = point - X_WV[:3, 3]
    cross = np.cross(X_WV[:3, 0], direction)
    return float(np.arctan2(np.linalg.norm(cross), X_WV[:3, 0] @ direction))


def face(kinematics: Kinematics, point: Array, joints: Indices, q: Array, iterations: int = 30) -> Array:
    """Turn joints until the view faces a point, or as far as their limits let it.

    Descends from where the joints are and, if that ends short of the point, from the middle of their limits.

    Args:
        kinematics: Of the robot.
        point: (3,) [m] In the world.
        joints: (k,) Joints that may move.
        q: (n,) Where to start.
        iterations: Bound of the work of one descent.

    Returns:
        (n,) The configuration.
    """
    robot = kinematics.robot
    turned, error = _descend(kinematics, point, joints, q, iterations)
    if error < SHORT:
        return turned
    middle = q.copy()
    bounded = joints[joints >= 3]  # the base has no middle
    middle[bounded] = np.clip(0.0, robot.lower[bounded], robot.upper[bounded])
    other, least = _descend(kinematics, point, joints, middle, iterations)
    return other if least < error - SHORT else turned


def _descend(
    kinematics: Kinematics, point: Array, joints: Indices, q: Array, iterations: int
) -> tuple[Array, float]:
    """Gauss-Newton on the direction of the point in the view (thesis 4.3.5, figure 4.10), with limits.

    Returns:
        (n,) the best configuration on the way, and its error [rad].
    """
    robot = kinematics.robot
    q = np.array(q, dtype=float)
    lower, upper = robot.lower[joints], robot.upper[joints]
    best, least = q.copy(), np.inf
    for _ in range(iterations):
        placement, J = kinematics.placement_and_jacobian(VIEW, q, joints)
        X_WV = placement.homogeneous
        error = gaze_error(X_WV, point)
        if error < least - 1e-9:
            best, least = q.copy(), error
        if error < 1e-4:
            break
        p_VT = X_WV[:3, :3].T @ (point - X_WV[:3, 3])
        # the direction to the target in the view, and how it changes: d(p_VT) = -v - w x p_VT
        distance = max(float(np.linalg.norm(p_VT)), 1e-6)
        direction = p_VT / distance
        change = (-J[:3] + _skew(p_VT) @ J[3:]) / distance
        change -= np.outer(direction, direction @ change)
        # along the great circle to straight ahead; to the right of what is exactly behind
        ahead = np.array([1.0, 0.0, 0.0]) - direction * direction[0]
        if np.linalg.norm(ahead) < 1e-6:
            ahead = np.array([0.0, 0.0, 1.0])
        wanted = ahead / np.linalg.norm(ahead) * error
        q[joints] = np.clip(q[joints] + _limited(change, wanted, q[joints], lower, upper), lower, upper)
    return best, least


def _limited(change: Array, wanted: Array, q: Array, lower: Array, upper: Array) -> Array:
    """(k,) The damped least-squares step with the joints left out that are at their limits and would go on."""
    free = np.ones(len(q), dtype=bool)
    step = np.zeros(len(q))
    for _ in range(3):
        active = change[:, free]
        step[:] = 0
        step[free] = active.T @ np.linalg.solve(active @ active.T + 1e-4 * np.eye(3), wanted)
        blocked = free & (((q >= upper - 1e-9) & (step > 0)) | ((q <= lower + 1e-9) & (step < 0)))
        if not blocked.any():
            break
        free &= ~blocked
    bounded: Array = np.clip(step, -0.5, 0.5)
    return bounded


def _skew(p: Array) -> Array:
    return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
