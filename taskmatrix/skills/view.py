"""Turning the view towards a point: what Definition 10 of the common skill set is used for."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

from .kinematics import VIEW, Kinematics


def gaze_error(X_WV: Array, point: Array) -> float:
    """[rad] Angle between the viewing direction (the x axis of the view's pose) and the direction to a point (3,)."""
    direction = point - X_WV[:3, 3]
    cross = np.cross(X_WV[:3, 0], direction)
    return float(np.arctan2(np.linalg.norm(cross), X_WV[:3, 0] @ direction))


def face(kinematics: Kinematics, point: Array, joints: Indices, q: Array, iterations: int = 30) -> Array:
    """Turn joints until the view faces a point, or as far as their limits let it.

    Gauss-Newton on the yaw and pitch of the point in the view (thesis 4.3.5, figure 4.10), with limits.

    Args:
        kinematics: Of the robot.
        point: (3,) [m] In the world.
        joints: (k,) Joints that may move.
        q: (n,) Where to start.
        iterations: Bound of the work.

    Returns:
        (n,) The configuration.
    """
    robot = kinematics.robot
    q = np.array(q, dtype=float)
    lower, upper = robot.lower[joints], robot.upper[joints]
    best, least = q.copy(), np.inf
    for _ in range(iterations):
        X_WV, J = kinematics.pose_and_jacobian(VIEW, q, joints)
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
        wanted = np.array([1.0, 0.0, 0.0]) - direction
        if direction[0] < 0:  # behind: turn to the side on which it lies
            wanted = np.array([0.0, 0.0, -1.0 if direction[2] > 0 else 1.0])
            wanted -= direction * (direction @ wanted)
        free = np.ones(len(joints), dtype=bool)
        step = np.zeros(len(joints))
        for _ in range(3):
            active = change[:, free]
            step[:] = 0
            step[free] = active.T @ np.linalg.solve(active @ active.T + 1e-4 * np.eye(3), wanted)
            blocked = free & (
                ((q[joints] >= upper - 1e-9) & (step > 0)) | ((q[joints] <= lower + 1e-9) & (step < 0))
            )
            if not blocked.any():
                break
            free &= ~blocked
        q[joints] = np.clip(q[joints] + np.clip(step, -0.5, 0.5), lower, upper)
    return best


def _skew(p: Array) -> Array:
    return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
