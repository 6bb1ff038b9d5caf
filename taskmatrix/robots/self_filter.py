"""The space that a robot itself takes up: boxes around its bodies, and the column in which it can turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from .robot import Robot


@dataclass(frozen=True, eq=False)
class SelfBox:
    """A piece of space in the world."""

    X_WB: Array
    """(4, 4) Pose of its centre."""
    half: Array
    """(3,) [m] Half its size."""
    round: bool = False
    """Whether it is the upright cylinder in that box instead of the box."""

    def holds(self, points: Array) -> NDArray[np.bool_]:
        """(k,) Which of points (k, 3) [m] of the world are in it."""
        local = np.abs((points - self.X_WB[:3, 3]) @ self.X_WB[:3, :3]) / self.half
        within: NDArray[np.bool_] = np.all(local <= 1.0, axis=1)
        return within & (np.hypot(local[:, 0], local[:, 1]) <= 1.0) if self.round else within


class SelfFilter:
    """Boxes around a robot's collision bodies.

    Args:
        robot: The robot.
        clearance: [m] By which the boxes are larger than the bodies.
    """

    def __init__(self, robot: Robot, clearance: float = 0.05) -> None:
        self._robot = robot
        self._clearance = clearance
        self._bodies: list[tuple[int, Array, Array]] = []
        for body in robot.collision.geometryObjects:
            body.geometry.computeLocalAABB()
            box = body.geometry.aabb_local
            low, high = np.asarray(box.min_, dtype=float).ravel(), np.asarray(box.max_, dtype=float).ravel()
            X_JB = np.asarray(body.placement.homogeneous, dtype=float).copy()
            X_JB[:3, 3] += X_JB[:3, :3] @ ((low + high) / 2)
            self._bodies.append((body.parentJoint, X_JB, (high - low) / 2))

    def boxes(self, q: Array) -> list[SelfBox]:
        """One around each collision body, at joint positions q (n,)."""
        pin.forwardKinematics(self._robot.model, self._robot.data, self._robot.expand(q))
        return [
            SelfBox(np.asarray(self._robot.data.oMi[joint].homogeneous) @ X_JB, half + self._clearance)
            for joint, X_JB, half in self._bodies
        ]

    def column(self, q: Array, beyond: float = 0.0) -> SelfBox:
        """The upright cylinder around the base's axis that holds the robot at q (n,), however the base turns.

        Args:
            q: Joint positions.
            beyond: [m] By which it is wider and higher.
        """
        boxes = self.boxes(q)
        reach = np.array([np.abs(box.X_WB[:3, :3]) @ box.half for box in boxes])
        centres = np.array([box.X_WB[:3, 3] for box in boxes])
        corners = np.abs(centres[:, :2] - q[:2]) + reach[:, :2]
        radius = float(np.linalg.norm(corners, axis=1).max()) + beyond
        height = float((centres + reach)[:, 2].max()) + beyond
        X_WB = np.eye(4)
        X_WB[:3, 3] = (*q[:2], height / 2)
        return SelfBox(X_WB, np.array([radius, radius, height / 2]), round=True)
