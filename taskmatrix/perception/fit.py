"""Where an object is, from points on it: its surface is aligned to what a camera sees of it.

Iterated closest points with distances to planes (Chen and Medioni 1992), and with the outline: where the object should
have been seen and was not, it is drawn to the nearest pixel that shows it. What the points do not tell, such as where
a long edge ends out of view, stays as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import Symmetry

from .surface import Surface

ITERATIONS = 12
"""Of a fit, at most."""
MOST = 250
"""Points of an image that a fit uses."""
FACING = 0.15
"""Cosine between normal and line of sight from which a point of the surface should be seen."""
MARGIN = 0.01
"""[m] By which something has to be nearer to hide a point, or further to be seen behind it."""
CLEAR = 8
"""Pixels that an object has to cover for its absence to count."""
TOLD = 2e-3  # share of a direction among the residuals from which the points tell it
SETTLED = (2e-5, 2e-4)  # [m], [rad] a step this small ends a fit
LOST = 0.02  # [m] distances count no more than this
SHARP = 1e-3  # [m] residuals below this count in full
OUTLINE = 0.5  # weight of the outline

Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Fit:
    """Where an object was found."""

    X_WO: Array
    """(4, 4) Its pose."""
    error: float
    """[m] Mean distance of the points from its surface, those far off counted as 2 cm."""
    missing: float
    """Share of what should be seen of it that is not."""

    @property
    def cost(self) -> float:
        """[m] What makes one fit worse than another."""
        return self.error + LOST * self.missing


@dataclass(frozen=True, eq=False)
class ImageSegment:
    """What one image shows of one object."""

    image: DepthImage
    """The image."""
    label: int
    """The object's."""
    points: Array
    """(k, 3) [m] Some of the points on it, in the world."""

    @cached_property
    def outline(self) -> scipy.spatial.KDTree:
        """Finds the nearest of the points in the image: up and right of its middle, at a depth of one metre."""
        local = (self.points - self.image.X_WC[:3, 3]) @ self.image.X_WC[:3, :3]
        return scipy.spatial.KDTree(local[:, 1:] / local[:, :1])

    @cached_property
    def near(self) -> Booleans:
        """(h, w) The pixels that show the object, and their neighbours: edges are no sharper."""
        shown = np.pad(self.image.labels == self.label, 1)
        wide = shown[:-2] | shown[1:-1] | shown[2:]
        near: Booleans = wide[:, :-2] | wide[:, 1:-1] | wide[:, 2:]
        return near

    @staticmethod
    def of(image: DepthImage, label: int, most: int = MOST) -> ImageSegment:
        """Take every so many-th of the points of a label."""
        points = image.points(label)
        return ImageSegment(image, label, points[:: max(1, -(-len(points) // most))])


def fit(surface: Surface, symmetry: Symmetry, segment: ImageSegment, X_WO: Array, iterations: int = ITERATIONS) -> Fit:
    """Align an object with what is seen of it.

    Args:
        surface: The object's.
        symmetry: The rotations that nobody can see; they stay as in ``X_WO``.
        segment: What is seen; at least three points.
        X_WO: (4, 4) Where it may be.
        iterations: At most.
    """
    X, size = X_WO.copy(), max(surface.radius, 1e-3)
    for _ in range(iterations):
        centre = X[:3, :3] @ surface.centre + X[:3, 3]
        rows, residuals, weights = _planes(surface, segment.points, X, centre)
        outline = _outline(surface, segment, X, centre)
        rows, residuals = np.concatenate([rows, outline[0]]), np.concatenate([residuals, outline[1]])
        weights = np.concatenate([weights, outline[2]])
        rows[:, :3] /= size
        step = _solved(rows, residuals, weights)
        turn, shift = step[:3] / size, step[3:]
        R = scipy.spatial.transform.Rotation.from_rotvec(turn).as_matrix()
        X[:3, 3] = R @ (X[:3, 3] - centre) + centre + shift
        X[:3, :3] = R @ X[:3, :3]
        if np.linalg.norm(shift) < SETTLED[0] and np.linalg.norm(turn) < SETTLED[1]:
            break
    X = kept(symmetry, X_WO, X)
    return judged(surface, segment, X)


def judged(surface: Surface, segment: ImageSegment, X_WO: Array) -> Fit:
    """How well a pose (4, 4) explains what is seen."""
    local = (segment.points - X_WO[:3, 3]) @ X_WO[:3, :3]
    distance, nearest = surface.tree.query(local)
    off = np.abs(np.sum((local - surface.points[nearest]) * surface.normals[nearest], axis=1))
    off = np.where(distance > 1.5 * surface.spacing, distance, off)
    seen, through = expected(surface.coarse, segment.image, X_WO, segment.near)
    missing = float(through.sum()) / max(1, int(seen.sum() + through.sum()))
    return Fit(X_WO, float(np.minimum(off, LOST).mean()), missing)


def expected(surface: Surface, image: DepthImage, X_WO: Array, shown: Booleans) -> tuple[Booleans, Booleans]:
    """What an image says of the points of a surface at X_WO (4, 4) that face the camera.

    Args:
        surface: The surface, in the object's frame.
        image: The image.
        X_WO: (4, 4) Pose of the object.
        shown: (h, w) Which pixels show the object.

    Returns:
        (k,) Whether a pixel shows the object where the point should be, and (k,) whether it shows something else that
        is not in front of it. Neither where the point is out of the image, hidden, or nothing was measured.
    """
    _, inside, row, column, depth = _in_view(surface, image, X_WO)
    own = inside & shown[row, column]
    return own, inside & ~own & (image.depth[row, column] > depth - MARGIN)  # false for nan


def looked_through(surface: Surface, image: DepthImage, X_WO: Array) -> float:
    """Share of what should be seen of an object in whose place an image that does not show it has something behind.

    Zero where an image with these pixels might miss the object, and where most of it is not in the image.
    """
    facing, inside, row, column, depth = _in_view(surface, image, X_WO)
    pixels = np.unique(row[inside] * image.depth.shape[1] + column[inside])
    if len(pixels) < CLEAR or inside.sum() < facing.sum() / 2:
        return 0.0
    through = image.depth[row[inside], column[inside]] > depth[inside] - MARGIN  # false for nan
    return float(through.mean())


def share_in_view(surface: Surface, image: DepthImage, X_WO: Array) -> float:
    """Share of what faces the camera of an object at X_WO (4, 4) that is in the image, hidden or not."""
    facing, inside, *_ = _in_view(surface, image, X_WO)
    return float(inside.sum()) / max(1, int(facing.sum()))


def kept(symmetry: Symmetry, X_WB: Array, X_WO: Array) -> Array:
    """(4, 4) The pose X_WO with what nobody can see as it was at X_WB: a can does not spin."""
    if symmetry.kind == "none":
        return X_WO
    R = X_WB[:3, :3]
    if symmetry.kind == "axis":
        before, after = R @ symmetry.axis, X_WO[:3, :3] @ symmetry.axis
        turn = np.cross(before, after)
        sine, cosine = float(np.linalg.norm(turn)), float(before @ after)
        if sine < 1e-12 and cosine < 0:
            return X_WO
        scaled = turn * (np.arctan2(sine, cosine) / max(sine, 1e-12))
        R = scipy.spatial.transform.Rotation.from_rotvec(scaled).as_matrix() @ R
    X = np.eye(4)
    X[:3, :3] = R
    X[:3, 3] = X_WO[:3, :3] @ symmetry.centre + X_WO[:3, 3] - R @ symmetry.centre
    return X


def _in_view(
    surface: Surface, image: DepthImage, X_WO: Array
) -> tuple[Booleans, Booleans, NDArray[np.intp], NDArray[np.intp], Array]:
    """(k,) Which points of a surface face the camera, which are in the image, too; row, column and depth [m] there."""
    points = surface.points @ X_WO[:3, :3].T + X_WO[:3, 3]
    normals = surface.normals @ X_WO[:3, :3].T
    line = image.X_WC[:3, 3] - points
    facing = np.sum(line * normals, axis=1) > FACING * np.linalg.norm(line, axis=1)
    row, column, depth = image.project(points)
    near, far = image.range
    inside = facing & (row >= 0) & (depth > near) & (depth < far - MARGIN)
    return facing, inside, row, column, depth


def _planes(surface: Surface, points: Array, X: Array, centre: Array) -> tuple[Array, Array, Array]:
    """Rows (k, 6), residuals (k,) [m] and weights (k,) of points against the planes of the nearest surface.

    A point beyond an edge of the surface counts by its distance from the edge instead.
    """
    local = (points - X[:3, 3]) @ X[:3, :3]
    distance, nearest = surface.tree.query(local)
    on, normal = surface.points[nearest], surface.normals[nearest]
    gap = local - on
    off = np.sum(gap * normal, axis=1)
    beyond = distance**2 - off**2 > surface.spacing**2
    normal = np.where(beyond[:, None], gap / np.maximum(distance, 1e-9)[:, None], normal)
    residuals = np.where(beyond, distance, off)
    scale = max(SHARP, 2.0 * float(np.median(np.abs(residuals))))
    weights = 1.0 / np.maximum(1.0, np.abs(residuals) / scale)
    placed = on @ X[:3, :3].T + X[:3, 3]
    return _rows(placed - centre, normal @ X[:3, :3].T), residuals, weights


def _outline(surface: Surface, segment: ImageSegment, X: Array, centre: Array) -> tuple[Array, Array, Array]:
    """The same of points that should have been seen and were not, against the nearest pixels that show the object."""
    image, some = segment.image, surface.coarse
    _, through = expected(some, image, X, image.labels == segment.label)
    if not through.any():
        return np.empty((0, 6)), np.empty(0), np.empty(0)
    points = some.points[through] @ X[:3, :3].T + X[:3, 3]
    local = (points - image.X_WC[:3, 3]) @ image.X_WC[:3, :3]
    depth, flat = local[:, 0], local[:, 1:] / local[:, :1]
    distance, nearest = segment.outline.query(flat)
    away = np.maximum(0.0, distance - image.pixel / 2)
    across = (segment.outline.data[nearest] - flat) / np.maximum(distance, 1e-12)[:, None]
    direction = across @ image.X_WC[:3, 1:3].T
    residuals = away * depth
    share = OUTLINE * min(1.0, len(segment.points) / len(points))
    weights = share / np.maximum(1.0, residuals / SHARP)
    return _rows(points - centre, direction), residuals, weights


def _rows(arms: Array, directions: Array) -> Array:
    """(k, 6) How residuals along directions (k, 3) shrink with a turn and a shift of the object."""
    return np.concatenate([np.cross(arms, directions), directions], axis=1)


def _solved(rows: Array, residuals: Array, weights: Array) -> Array:
    """(6,) The step that is told; zero in directions that are not."""
    H = (rows * weights[:, None]).T @ rows
    values, vectors = np.linalg.eigh(H)
    told = values > TOLD * max(float(weights.sum()), 1e-9)
    projected = vectors.T @ ((rows * weights[:, None]).T @ residuals)
    step: Array = vectors @ np.where(told, projected / np.where(told, values, 1.0), 0.0)
    return step
