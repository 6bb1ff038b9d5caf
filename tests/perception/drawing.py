"""Depth images of boxes, cylinders and balls, by their formulas: what a camera without faults delivers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taskmatrix.core.world.depth_image import NOTHING, DepthImage
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape

BALL = ObjectModel("ball", "toy", (Shape("sphere", (0.05,), pose()),), movable=True)
CAN = ObjectModel("can", "container", (Shape("cylinder", (0.035, 0.12), pose()),), movable=True)
BRICK = ObjectModel("brick", "toy", (Shape("box", (0.2, 0.1, 0.06), pose()),), movable=True)
CORNER = ObjectModel(  # looks the same from no two sides
    "corner",
    "toy",
    (Shape("box", (0.2, 0.06, 0.05), pose()), Shape("box", (0.05, 0.12, 0.05), pose((0.06, 0.05, 0.0)))),
    movable=True,
)
SLAB = ObjectModel("slab", "furniture/table", (Shape("box", (1.6, 1.6, 0.05), pose((0, 0, -0.025))),))
FIELD_OF_VIEW = np.radians(35.0)


def camera_at(eye: tuple[float, float, float], look_at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
    """X_WC (4, 4): x is the viewing direction, y points up."""
    x = np.array(look_at) - np.array(eye)
    x = x / np.linalg.norm(x)
    z = np.cross(x, [0.0, 0.0, 1.0])
    z = z / np.linalg.norm(z)
    X = np.eye(4)
    X[:3, 0], X[:3, 1], X[:3, 2], X[:3, 3] = x, np.cross(z, x), z, eye
    return X


def draw(
    scene: Mapping[str, tuple[ObjectModel, Array]],
    X_WC: Array,
    time: float = 0.0,
    noise: float = 0.0,
    names: tuple[str, ...] | None = None,
) -> DepthImage:
    """The image of objects by their ids, each with its pose X_WO (4, 4)."""
    named = tuple(scene) if names is None else names
    depth = np.full((124, 160), np.inf, dtype=np.float32)
    labels = np.full(depth.shape, NOTHING, dtype=np.int16)
    blank = DepthImage(depth, labels, named, X_WC, float(FIELD_OF_VIEW), (0.2, 1.5), time)
    rays = blank.rays.reshape(-1, 3).astype(float) @ X_WC[:3, :3].T
    for id, (model, X_WO) in scene.items():
        for shape in model.shapes:
            far = _far(shape, X_WO @ shape.X_OS, X_WC[:3, 3], rays).reshape(depth.shape)
            nearer = (far < depth) & (far < 1.5)
            depth[nearer], labels[nearer] = far[nearer], named.index(id)
    if noise:
        depth += np.random.default_rng(int(1000 * time)).normal(0.0, noise, depth.shape).astype(np.float32)
    return blank


def _far(shape: Shape, X_WS: Array, eye: Array, rays: Array) -> Array:
    """(k,) Lengths at which rays (k, 3) from an eye enter a shape; inf where they do not."""
    start, way = X_WS[:3, :3].T @ (eye - X_WS[:3, 3]), rays @ X_WS[:3, :3]
    if shape.kind == "sphere":
        return _quadratic(way, start, shape.size[0])
    if shape.kind == "box":
        return _slabs(way, start, np.array(shape.size) / 2)
    radius, length = shape.size
    side = _quadratic(way[:, :2], start[:2], radius)
    height = start[2] + side * way[:, 2]
    side = np.where(np.abs(height) <= length / 2, side, np.inf)
    with np.errstate(divide="ignore"):
        top = (np.sign(start[2]) * length / 2 - start[2]) / way[:, 2]
    met = start[:2] + top[:, None] * way[:, :2]
    top = np.where((top > 0) & (np.hypot(met[:, 0], met[:, 1]) <= radius), top, np.inf)
    return np.minimum(side, top)


def _quadratic(way: Array, start: Array, radius: float) -> Array:
    a, b, c = np.sum(way**2, axis=1), way @ start, start @ start - radius**2
    root = b**2 - a * c
    return np.where(root >= 0, (-b - np.sqrt(np.maximum(root, 0))) / a, np.inf)


def _slabs(way: Array, start: Array, half: Array) -> Array:
    with np.errstate(divide="ignore"):
        first, second = (-half - start) / way, (half - start) / way
    enter, leave = np.minimum(first, second).max(axis=1), np.maximum(first, second).min(axis=1)
    return np.where((enter <= leave) & (enter > 0), enter, np.inf)
