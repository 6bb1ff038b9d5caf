"""A depth camera that sees boxes and the floor, without anything that renders."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from taskmatrix.core.world.depth_image import NOTHING, OWN, DepthImage
from taskmatrix.core.world.objects import Array

Box = tuple[Sequence[float] | Array, Sequence[float] | Array]


class BoxCamera:
    """Casts the rays of a pinhole camera against boxes along the world's axes, and the floor z = 0.

    Args:
        boxes: [m] Lower and upper corner of each; its label is its number.
        size: Rows and columns of the image.
        field_of_view: [rad] Vertical.
        range: [m] The nearest and the furthest that is measured.
        own: Numbers of the boxes that are the robot itself.
    """

    def __init__(
        self,
        boxes: Sequence[Box],
        size: tuple[int, int] = (124, 160),
        field_of_view: float = math.radians(35.0),
        range: tuple[float, float] = (0.2, 1.5),
        own: Sequence[int] = (),
    ) -> None:
        self.low = np.array([low for low, _ in boxes], dtype=float).reshape(-1, 3)
        self.high = np.array([high for _, high in boxes], dtype=float).reshape(-1, 3)
        self.names = tuple(f"box {number}" for number in np.arange(len(boxes)))
        self._size, self._field_of_view, self._range, self._own = size, field_of_view, range, list(own)

    def image(self, X_WC: Array, time: float = 0.0) -> DepthImage:
        """What is seen from a pose X_WC (4, 4), which looks along x with y up.

        Example:
            >>> ahead = looking((0.0, 0.0, 1.0), (1.0, 0.0, 1.0))
            >>> float(BoxCamera([((1, -1, 0), (2, 1, 2))]).image(ahead).depth[60, 80])
            1.0
        """
        blank = np.zeros(self._size, dtype=np.float32), np.full(self._size, NOTHING, dtype=np.int16)
        rays = DepthImage(*blank, (), X_WC, self._field_of_view, self._range, time).rays.reshape(-1, 3).astype(float)
        ways, eye = rays @ X_WC[:3, :3].T, X_WC[:3, 3]
        ways[ways == 0.0] = 1e-12
        depth, labels = np.full(len(ways), np.inf), np.full(len(ways), NOTHING, dtype=np.int16)
        down = ways[:, 2] < 0.0
        depth[down] = -eye[2] / ways[down, 2]
        for number, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            one, other = (low - eye) / ways, (high - eye) / ways
            enters, leaves = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
            hit = (enters < leaves) & (leaves > 0.0) & (enters < depth)
            depth[hit], labels[hit] = np.maximum(enters[hit], 0.0), OWN if number in self._own else number
        near, far = self._range
        labels[(depth < near) | (depth > far)] = NOTHING
        depth[depth < near] = np.nan
        depth[depth > far] = np.inf
        shape = self._size
        found = depth.reshape(shape).astype(np.float32)
        return DepthImage(found, labels.reshape(shape), self.names, X_WC, self._field_of_view, self._range, time)


def looking(eye: Sequence[float] | Array, at: Sequence[float] | Array) -> Array:
    """X_WC: (4, 4) pose of a camera at ``eye`` (3,) [m] that looks at a place (3,), upright."""
    ahead = np.asarray(at, dtype=float) - np.asarray(eye, dtype=float)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-9 else np.array([0.0, -1.0, 0.0])
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = np.column_stack([ahead, np.cross(right, ahead), right]), eye
    return X
