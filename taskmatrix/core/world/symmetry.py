"""Rotations that leave an object as it is: a ball looks the same however it is turned, a can whichever way it faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import scipy

from .geometry import inverse, pose_error
from .objects import Array, Shape

SAME = 1e-6  # [m] or [-] of centres and axes that are the same

SymmetryKind = Literal["none", "axis", "sphere"]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The rotations that leave the solid shapes of an object as they are."""

    kind: SymmetryKind
    """``none``, any turn about one ``axis``, or as of a ``sphere`` any rotation about its centre."""
    centre: Array
    """(3,) [m] A point that stays, in the object's frame."""
    axis: Array
    """(3,) Unit vector of the axis in the object's frame; zero unless there is one."""

    def rotations(self, count: int, random: np.random.Generator) -> Array:
        """(count, 4, 4) Displacements X_OO of the object's frame, drawn evenly from all that leave its shapes."""
        R = np.tile(np.eye(3), (count, 1, 1))
        if self.kind == "axis":
            angles = random.uniform(-np.pi, np.pi, count)
            R = scipy.spatial.transform.Rotation.from_rotvec(angles[:, None] * self.axis).as_matrix()
        elif self.kind == "sphere":
            quaternions = random.standard_normal((count, 4))
            R = scipy.spatial.transform.Rotation.from_quat(quaternions).as_matrix()
        X = np.tile(np.eye(4), (count, 1, 1))
        X[:, :3, :3] = R
        X[:, :3, 3] = self.centre - R @ self.centre
        return X


def symmetry_of(shapes: Sequence[Shape]) -> Symmetry:
    """The symmetry of an object's shapes; what is only seen, a label say, does not count.

    Of boxes, meshes and points none is looked for.
    """
    return _symmetry_of(tuple(shapes))


def nearest_alike(symmetry: Symmetry, X_OG: Array, X_OH: Array) -> Array:
    """Of the poses that nobody can tell from one, the one whose orientation is nearest to that of another.

    Args:
        symmetry: The rotations that leave the object as it is.
        X_OG: (4, 4) The one, a grasp say, in the object's frame.
        X_OH: (4, 4) The other, that of a hand say, in the object's frame.

    Returns:
        (4, 4) The first, turned with one of the rotations.
    """
    if symmetry.kind == "none":
        return X_OG
    R = X_OH[:3, :3] @ X_OG[:3, :3].T  # what would turn it all the way
    if symmetry.kind == "axis":
        x, y, z = symmetry.axis
        K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        sine, along = -float(np.trace(K @ R)), float(symmetry.axis @ R @ symmetry.axis)
        angle = np.arctan2(sine, float(np.trace(R)) - along)
        R = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K
    X = np.eye(4)
    X[:3, :3] = R @ X_OG[:3, :3]
    X[:3, 3] = symmetry.centre + R @ (X_OG[:3, 3] - symmetry.centre)
    return X


def apart(symmetry: Symmetry, X_WA: Array, X_WB: Array) -> tuple[float, float]:
    """Distance [m] and angle [rad] between two poses (4, 4) of an object, but for turns that leave it as it is."""
    return pose_error(X_WA @ nearest_alike(symmetry, np.eye(4), inverse(X_WA) @ X_WB), X_WB)


def lean(symmetry: Symmetry, X_WO: Array, up: Array) -> float:
    """[rad] How far a direction (3,) of an object's frame is from up, but for turns that leave the object as it is."""
    along = float(symmetry.axis @ up) * symmetry.axis
    height = float(X_WO[2, :3] @ up)
    if symmetry.kind == "axis":  # turned about it, what is across is as high as it can be
        rises = float(X_WO[2, :3] @ symmetry.axis)
        height = float(X_WO[2, :3] @ along) + float(np.linalg.norm(up - along)) * np.sqrt(max(0.0, 1.0 - rises**2))
    return 0.0 if symmetry.kind == "sphere" else float(np.arccos(np.clip(height, -1.0, 1.0)))


def speeds(symmetry: Symmetry, X_WO: Array, velocity: Array) -> tuple[float, float]:
    """How fast an object goes [m/s] and turns [rad/s], but for turning that changes nothing.

    Args:
        symmetry: The rotations that leave the object as it is.
        X_WO: (4, 4) Its pose.
        velocity: (6,) [m/s, rad/s] Of its frame, linear and angular, in the world.
    """
    R, turning = X_WO[:3, :3], velocity[3:]
    centre = velocity[:3] + np.cross(turning, R @ symmetry.centre)
    seen = np.zeros(3) if symmetry.kind == "sphere" else turning - turning @ (R @ symmetry.axis) * (R @ symmetry.axis)
    return float(np.linalg.norm(centre)), float(np.linalg.norm(seen))


@lru_cache(maxsize=256)
def _symmetry_of(shapes: tuple[Shape, ...]) -> Symmetry:
    solid = [shape for shape in shapes if shape.collides]
    none = Symmetry("none", np.zeros(3), np.zeros(3))
    if not solid or any(shape.kind not in {"sphere", "cylinder", "capsule"} for shape in solid):
        return none
    centres = np.array([shape.X_OS[:3, 3] for shape in solid])
    axes = [shape.X_OS[:3, 2] for shape in solid if shape.kind != "sphere"]
    apart = centres - centres[0]
    furthest = apart[int(np.linalg.norm(apart, axis=1).argmax())]
    length = float(np.linalg.norm(furthest))
    if not axes and length < SAME:
        return Symmetry("sphere", centres[0], np.zeros(3))
    axis = np.asarray(axes[0] if axes else furthest / length)
    off_axis = [*np.cross(apart, axis), *(np.cross(other, axis) for other in axes)]
    return none if np.max(np.linalg.norm(off_axis, axis=1)) > SAME else Symmetry("axis", centres[0], axis)
