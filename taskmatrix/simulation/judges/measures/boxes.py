"""Bounding boxes and geometric conditions from ground truth, by code that conditions and behaviors do not share.

Tests hold the library's conditions against these.
"""

from __future__ import annotations

import itertools

import numpy as np

from taskmatrix.core.world.geometry import mesh_vertices
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.perception import Region

from ..tolerance import EXACT

Box = tuple[Array, Array]
_CORNERS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))


def box(model: ObjectModel, X_WO: Array) -> Box:
    """Lower and upper corner (3,) [m] of the axis-aligned box around an object at X_WO (4, 4); its point if bare."""
    corners = [_corners(shape, X_WO @ shape.X_OS) for shape in model.shapes] or [np.array([X_WO[:3, 3]])]
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)


def centre(model: ObjectModel, X_WO: Array) -> Array:
    """(3,) [m] Centre of the box."""
    lower, upper = box(model, X_WO)
    middle: Array = (lower + upper) / 2
    return middle


def gap(first: Box, second: Box) -> float:
    """[m] Distance between two boxes, 0 when they touch."""
    apart = [max(first[0][k] - second[1][k], second[0][k] - first[1][k], 0.0) for k in range(3)]
    return float(np.sqrt(np.square(apart).sum()))


def near(first: Box, second: Box, distance: float) -> bool:
    """Whether two boxes are at most ``distance`` [m] apart."""
    return gap(first, second) <= distance


def over(point: Array, support: Box, slack: float = 0.0) -> bool:
    """Whether a point's horizontal projection lies in that of a box, ``slack`` [m] beyond its edge at most."""
    return all(support[0][k] - slack <= point[k] <= support[1][k] + slack for k in (0, 1))


def inside(small: Box, large: Box, slack: float = 0.0) -> bool:
    """Whether a box's horizontal projection lies in that of another, ``slack`` [m] beyond its edge at most."""
    return over(small[0], large, slack) and over(small[1], large, slack)


def above(first: Box, second: Box, slack: float = 1e-9) -> bool:
    """Whether the underside of the first box is not below the top of the second (thesis 5.7.2)."""
    return bool(first[0][2] >= second[1][2] - slack)


def resting_on(first: Box, second: Box, within: float = EXACT.rest) -> bool:
    """Whether the first box's underside is within 3 mm of the second's top, with its centre over it."""
    return abs(float(first[0][2] - second[1][2])) <= within and over((first[0] + first[1]) / 2, second)


def in_region(point: Array, region: Region) -> bool:
    """Whether a point (3,) [m] lies in a region."""
    return all(region.lower[k] <= point[k] <= region.upper[k] for k in range(3))


def segment_meets(first: Array, second: Array, obstacle: Box) -> bool:
    """Whether the line of sight between two points (3,) [m] meets a box, tested by cutting it at the box's planes."""
    cuts = [0.0, 1.0]
    for k in range(3):
        if first[k] != second[k]:
            cuts += [(corner[k] - first[k]) / (second[k] - first[k]) for corner in obstacle]
    inner = sorted(t for t in cuts if 0.0 <= t <= 1.0)
    points = [first + (a + b) / 2 * (second - first) for a, b in itertools.pairwise(inner)]
    return any(((obstacle[0] <= point) & (point <= obstacle[1])).all() for point in points)


def visible(eye: Array, direction: Array, target: Array, half_angle: float, obstacles: list[Box]) -> bool:
    """Whether a point is within a half angle [rad] of the viewing direction, and no box is in the line of sight."""
    ray = (target - eye) / np.linalg.norm(target - eye)
    cosine = float(np.clip(direction @ ray, -1.0, 1.0))
    return np.arccos(cosine) <= half_angle and not any(segment_meets(eye, target, item) for item in obstacles)


def _corners(shape: Shape, X_WS: Array) -> Array:
    """(k, 3) [m] Points whose box is that of the shape."""
    R, p = X_WS[:3, :3], X_WS[:3, 3]
    if shape.kind in {"mesh", "points"}:
        return np.asarray(mesh_vertices(shape)) @ R.T + p
    if shape.kind == "box":
        return (_CORNERS * shape.size) @ R.T + p
    if shape.kind == "sphere":
        return p + shape.size[0] * np.array([[-1.0], [1.0]])
    radius, length = shape.size
    ends = np.array([p - R[:, 2] * length / 2, p + R[:, 2] * length / 2])
    reach = radius * (np.ones(3) if shape.kind == "capsule" else np.sqrt(np.clip(1 - R[:, 2] ** 2, 0.0, None)))
    return np.concatenate([ends - reach, ends + reach])
