"""What a depth camera delivers: how far everything is, and what it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..base.errors import ParameterError
from .objects import Array

Image32 = NDArray[np.float32]
Labels = NDArray[np.int16]
NOTHING = -1
"""Label of a pixel that shows no object: the floor, or what is too near or too far."""
OWN = -2
"""Label of a pixel that shows the robot itself."""
_BEND = 0.6745 * math.sqrt(6.0)  # median of |a - 2 b + c| for numbers with a standard deviation of one


@dataclass(frozen=True, eq=False)
class DepthImage:
    """One image of a depth camera that also tells objects apart (thesis 5.4).

    Raises:
        ParameterError: The depth and the labels are not two images of one size, or the field of view is no angle.
    """

    depth: Image32
    """(h, w) [m] Along the viewing direction, not along the ray; ``inf`` where nothing is within range, ``nan`` where
    nothing was measured: too near, or a pixel that dropped out."""
    labels: Labels
    """(h, w) Index into ``names``, :data:`NOTHING` or :data:`OWN`."""
    names: tuple[str, ...]
    """Ids of objects."""
    X_WC: Array
    """(4, 4) Pose of the camera when it was taken; as a view's: x is the viewing direction, y points up."""
    field_of_view: float
    """[rad] Vertical."""
    range: tuple[float, float]
    """[m] The nearest and the furthest that is measured."""
    time: float
    """[s] When it was taken."""

    def __post_init__(self) -> None:
        if self.depth.ndim != 2 or self.depth.shape != self.labels.shape:
            shapes = f"{self.depth.shape} and {self.labels.shape}"
            raise ParameterError(f"depth and labels have to be images (h, w) of one size, not {shapes}")
        if not 0.0 < self.field_of_view < math.pi:
            raise ParameterError(f"a field of view is from 0 to pi, not {self.field_of_view} rad")

    @property
    def tangent(self) -> float:
        """Of half the vertical field of view."""
        return math.tan(float(self.field_of_view) / 2)

    @property
    def pixel(self) -> float:
        """[m] Side of what a pixel shows, at a depth of one metre."""
        return 2 * self.tangent / len(self.depth)

    @property
    def rays(self) -> Image32:
        """(h, w, 3) Directions of the pixels in the camera's axes, of length 1 along the viewing direction."""
        return _rays(*self.depth.shape, self.tangent)

    @cached_property
    def noise(self) -> float:
        """[m] Standard deviation of a pixel's depth, from how rough the objects look."""
        a, b, c = self.depth[:, :-2], self.depth[:, 1:-1], self.depth[:, 2:]
        same = (self.labels[:, :-2] == self.labels[:, 2:]) & (self.labels[:, 1:-1] >= 0)
        same &= np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
        bends = np.abs(a[same] - 2 * b[same] + c[same])
        return float(np.median(bends)) / _BEND if len(bends) else 0.0

    def points(self, label: int) -> Array:
        """(k, 3) [m] What the pixels of a label show, in the world."""
        there = (self.labels == label) & np.isfinite(self.depth)
        local = self.rays[there].astype(float) * self.depth[there, None]
        points: Array = local @ self.X_WC[:3, :3].T + self.X_WC[:3, 3]
        return points

    def project(self, points: Array) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
        """Where points of the world are in the image.

        Args:
            points: (k, 3) [m]

        Returns:
            Row and column (k,) of the pixel, both -1 outside of the image, and (k,) [m] depth.
        """
        height, width = self.depth.shape
        local = (points - self.X_WC[:3, 3]) @ self.X_WC[:3, :3]
        depth = local[:, 0]
        scale = height / (2 * self.tangent * np.where(depth > 1e-6, depth, np.inf))
        row = np.floor(height / 2 - local[:, 1] * scale)
        column = np.floor(width / 2 + local[:, 2] * scale)
        inside = (depth > 1e-6) & (row >= 0) & (row < height) & (column >= 0) & (column < width)
        return (np.where(inside, row, -1).astype(np.intp), np.where(inside, column, -1).astype(np.intp), depth)


@lru_cache(maxsize=8)
def _rays(height: int, width: int, tangent: float) -> Image32:
    up = (1 - (np.arange(height) + 0.5) * 2 / height) * tangent
    right = ((np.arange(width) + 0.5) * 2 / width - 1) * tangent * width / height
    rays = np.ones((height, width, 3), dtype=np.float32)
    rays[:, :, 1], rays[:, :, 2] = up[:, None], right[None, :]
    rays.flags.writeable = False
    return rays
