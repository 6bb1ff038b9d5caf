"""Inverse kinematics in closed form for the arm of the post: two links to the wrist's centre, and Euler angles."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy.spatial.transform import Rotation

from taskmatrix.core import Array
from taskmatrix.robots import Robot
from taskmatrix.skills import ArmSolver

SHOULDER = np.array([0.1, 0.0, 0.97])  # [m] in the base
UPPER_ARM, FOREARM = 0.3, 0.2  # [m]


def solver(robot: Robot) -> ArmSolver:
    """What the adapter names."""
    arm = list(robot.indices("arm"))
    X_HL = np.linalg.inv(robot.hands["only"].X_LH)

    def solve(hand: str, X_WH: Array, Q: Array) -> Array:
        solved = Q.copy()
        for X, q in zip(X_WH, solved, strict=True):
            turn = Rotation.from_euler("z", q[2]).as_matrix()
            R = turn.T @ (X @ X_HL)[:3, :3]
            centre = turn.T @ ((X @ X_HL)[:3, 3] - [q[0], q[1], 0.0]) - SHOULDER
            found = [s for s in solutions(centre, R) if np.all((s >= robot.lower[arm]) & (s <= robot.upper[arm]))]
            if found:
                q[arm] = min(found, key=lambda s: np.abs(s - q[arm]).sum())
        return solved

    return solve


def solutions(p: Array, R: Array) -> list[Array]:
    """(6,) each: joints with the wrist's centre at p (3,) and the hand turned by R (3, 3), in the shoulder's frame."""
    bend = (p @ p - UPPER_ARM**2 - FOREARM**2) / (2 * UPPER_ARM * FOREARM)
    if abs(bend) > 1.0:
        return []
    found = []
    for side, elbow, flip in itertools.product((1, -1), (math.acos(bend), -math.acos(bend)), (False, True)):
        yaw = math.atan2(side * p[1], side * p[0])
        along, across = UPPER_ARM + FOREARM * math.cos(elbow), FOREARM * math.sin(elbow)
        pitch = math.atan2(-p[2], side * math.hypot(p[0], p[1])) - math.atan2(across, along)
        wrist = Rotation.from_euler("ZY", [yaw, pitch + elbow]).inv() * Rotation.from_matrix(R)
        roll, tilt, turn = wrist.as_euler("XYX")
        if flip:
            roll, tilt, turn = roll - math.copysign(math.pi, roll), -tilt, turn - math.copysign(math.pi, turn)
        pitch = math.remainder(pitch, 2 * math.pi)
        found.append(np.array([yaw, pitch, elbow, roll, tilt, turn]))
    return found
