"""Forces and impedances of a frame of the robot instead of its joints (Khatib 1987)."""

from __future__ import annotations

import numpy as np
import scipy

from ..world.objects import Array

SINGULAR = 1e-9  # [1/kg] a direction in which no joint moves the frame more easily has no effective mass


def effective_mass(M: Array, J: Array, direction: Array) -> float:
    """[kg] What a push on a point along a direction has to move: ``1 / (u^T J M^-1 J^T u)``; infinite if it cannot.

    Args:
        M: (k, k) Mass matrix of the joints that are free.
        J: (3, k) Velocity of the point for unit speeds.
        direction: (3,) Of any length.
    """
    row = direction / np.linalg.norm(direction) @ J
    mobility = float(row @ np.linalg.solve(M, row))
    return 1.0 / mobility if mobility > SINGULAR else np.inf


def null_space_projector(M: Array, J: Array) -> Array:
    """(k, k) What takes torques to those that do not accelerate a frame: ``1 - J^T (J M^-1 J^T)^+ J M^-1``.

    Args:
        M: (k, k) Mass matrix.
        J: (m, k) Velocity of the frame for unit speeds.
    """
    to_joints = np.linalg.solve(M, J.T)
    inertia = np.linalg.pinv(J @ to_joints, rcond=1e-6, hermitian=True)
    free: Array = np.eye(len(M)) - J.T @ inertia @ to_joints.T
    return free


def null_space_damping(M: Array, J: Array, rate: float) -> Array:
    """(k, k) Damping that brings what moves no frame to rest at a rate [1/s], and that the frame does not feel.

    Args:
        M: (k, k) Mass matrix.
        J: (m, k) Velocity of the frame for unit speeds.
        rate: [1/s]
    """
    D: Array = rate * null_space_projector(M, J) @ M
    return (D + D.T) / 2.0


def modal_damping(M: Array, K: Array, ratio: float) -> Array:
    """(k, k) Damping with which each mode of masses on springs dies away with a damping ratio.

    Args:
        M: (k, k) Mass matrix.
        K: (k, k) Stiffness, symmetric and not negative.
        ratio: 1 for the fastest without overshoot.
    """
    squares, modes = scipy.linalg.eigh(K, M)
    to_modes = modes.T @ M
    D: Array = 2.0 * ratio * to_modes.T @ np.diag(np.sqrt(np.maximum(squares, 0.0))) @ to_modes
    return D


def pose_offset(X_WF: Array, X_WG: Array) -> Array:
    """(6,) [m, rad] From a frame to its goal, in the frame: how far, and the rotation vector."""
    R = X_WF[:3, :3].T
    turn = scipy.spatial.transform.Rotation.from_matrix(R @ X_WG[:3, :3]).as_rotvec()
    return np.concatenate([R @ (X_WG[:3, 3] - X_WF[:3, 3]), turn])
