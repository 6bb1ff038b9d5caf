"""How a part of a thing moves on it: a drawer along a line, a door about one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from .rotation import rotation_by

Array = NDArray[np.float64]
JointKind = Literal["slide", "hinge"]


@dataclass(frozen=True, eq=False)
class ObjectJoint:
    """The one way in which a part moves on another object.

    The part's frame is on the axis; at position 0 it is at ``X_PJ`` in the other object's frame.
    """

    parent: str
    """Id of the object that carries the part."""
    kind: JointKind
    """``slide`` along the axis or ``hinge`` about it."""
    X_PJ: Array
    """(4, 4) Pose of the part in its parent at position 0."""
    axis: Array
    """(3,) Unit vector in the part's frame."""
    lower: float
    """[m] or [rad] Closed."""
    upper: float
    """[m] or [rad] Open."""
    friction: float = 0.0
    """[N] or [N m] That it takes to move it."""
    damping: float = 0.0
    """[N s/m] or [N m s/rad] That it takes beside that for each unit of its speed."""
    mass: float | None = None
    """[kg] Of the part, which what carries it bears; None where nobody knows."""

    def at(self, position: float) -> Array:
        """(4, 4) Pose of the part in its parent at a position [m] or [rad]."""
        X = np.eye(4)
        if self.kind == "slide":
            X[:3, 3] = position * self.axis
        else:
            X[:3, :3] = rotation_by(position * self.axis)
        moved: Array = self.X_PJ @ X
        return moved

    def position(self, X_PO: Array) -> float:
        """[m] or [rad] The position that is nearest to a part at ``X_PO`` (4, 4) in its parent."""
        R, p = self._from_zero(X_PO)
        if self.kind == "slide":
            return float(self.axis @ p)
        x, y, z, w = scipy.spatial.transform.Rotation.from_matrix(R).as_quat()
        return self._near(float(2.0 * np.arctan2(self.axis @ (x, y, z), w)))

    def position_of(self, p_PA: Array, p_OA: Array) -> float:
        """[m] or [rad] The position at which a point of the part is nearest to where it is pulled.

        Args:
            p_PA: (3,) [m] Where the point is pulled to, in the parent's frame.
            p_OA: (3,) [m] The point, in the part's frame.
        """
        pulled = self.X_PJ[:3, :3].T @ (p_PA - self.X_PJ[:3, 3])
        if self.kind == "slide":
            return float(self.axis @ (pulled - p_OA))
        first, second = (p - (self.axis @ p) * self.axis for p in (p_OA, pulled))
        return self._near(float(np.arctan2(self.axis @ np.cross(first, second), first @ second)))

    def velocity(self, speed: float, R_WO: Array) -> Array:
        """(6,) [m/s, rad/s] Of the part's origin in the world, when it moves with a speed [m/s] or [rad/s].

        Args:
            speed: Of its position.
            R_WO: (3, 3) The part's axes in the world.
        """
        along, still = speed * (R_WO @ self.axis), np.zeros(3)
        return np.concatenate([along, still] if self.kind == "slide" else [still, along])

    def share(self, position: float) -> float:
        """How far open it is at a position [m] or [rad]: 0 closed, 1 open."""
        return (position - self.lower) / (self.upper - self.lower)

    def opened(self, share: float) -> float:
        """[m] or [rad] The position at which it is open by a share from 0 to 1."""
        return self.lower + share * (self.upper - self.lower)

    def within(self, position: float) -> float:
        """[m] or [rad] The nearest position within the limits."""
        return min(max(position, self.lower), self.upper)

    def _near(self, angle: float) -> float:
        """The angle [rad] plus whole turns that is nearest to the middle of the range."""
        first = (self.lower + self.upper) / 2 - np.pi
        return float(first + (angle - first) % (2 * np.pi))

    def _from_zero(self, X_PO: Array) -> tuple[Array, Array]:
        """Rotation (3, 3) and displacement (3,) [m] of the part from position 0, in its own frame."""
        R = self.X_PJ[:3, :3].T
        return R @ X_PO[:3, :3], R @ (X_PO[:3, 3] - self.X_PJ[:3, 3])
