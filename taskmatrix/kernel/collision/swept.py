"""Convex hulls of a few balls that hold a body: what stands for it where it is not looked at closely."""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import coal
import numpy as np
import scipy

from taskmatrix.core.base.cache import Arrays, kept_arrays
from taskmatrix.core.world.objects import Array

from ..jit.compiled import bare, have_ready
from ..jit.simd import Floats
from .gjk import separation

LOG = logging.getLogger("taskmatrix")
COUNT = 32  # points of the hull that is asked first
SHARES = (0.0, 0.3, 0.6, 0.9)  # of the largest ball inside, by which a hull is tried to be shrunk and swept
ROUND = 12  # corners that stand for a circle in it
EXCESS = 5e-5  # [m] that a prism may stick out of the cylinder that it stands for
MOST = 1000  # corners of the convex hull of a mesh, which has a tree besides; for one with more a swept one stands
DIRECTIONS = 400  # in which the excess of a hull is measured


@dataclass(frozen=True, eq=False)
class Hull:
    """All points within a radius of the convex hull of some points."""

    points: Array
    """(k, 3) [m]"""
    radius: float
    """[m]"""


def hulls(geometry: coal.CollisionGeometry) -> tuple[Hull, Hull]:
    """Hulls that hold a collision body: one of few points, and its own, or nearly that if it has many corners.

    Raises:
        ValueError: The body has no points, or some that are not finite.
    """
    have_ready()
    if isinstance(geometry, (coal.Cylinder, coal.Cone)):
        return _prism(geometry, ROUND), _prism(geometry)
    exact = outline(geometry)
    if len(exact.points) <= COUNT:
        return exact, exact
    less = _known(exact.points, COUNT, few)
    return Hull(less.points, less.radius + exact.radius), exact


def outline(geometry: Any) -> Hull:
    """The convex hull of a body; that of a cylinder is slightly larger than it."""
    if isinstance(geometry, coal.Sphere):
        return Hull(np.zeros((1, 3)), float(geometry.radius))
    if isinstance(geometry, coal.Capsule):
        return Hull(np.array([[0.0, 0.0, s * geometry.halfLength] for s in (-1, 1)]), float(geometry.radius))
    if isinstance(geometry, coal.Box):
        return Hull(_corners(np.asarray(geometry.halfSide)), 0.0)
    if isinstance(geometry, (coal.Cylinder, coal.Cone)):
        return _prism(geometry)
    if isinstance(geometry, coal.BVHModelBase):
        points = np.array(geometry.vertices(), dtype=float)
    elif isinstance(geometry, coal.ConvexBase):
        points = np.array([geometry.point(i) for i in range(geometry.num_points)], dtype=float).reshape(-1, 3)
    else:
        geometry.computeLocalAABB()
        box = geometry.aabb_local
        low, high = np.asarray(box.min_).ravel(), np.asarray(box.max_).ravel()
        points = _corners((high - low) / 2) + (high + low) / 2
    if not len(points) or not np.isfinite(points).all():
        raise ValueError(f"a {type(geometry).__name__} of {len(points)} points, some of them not finite")
    return (
        Hull(_extreme(points), 0.0)
        if len(points) <= MOST or isinstance(geometry, coal.ConvexBase)
        else _known(points, MOST, _thinned)
    )


def _prism(body: coal.Cylinder | coal.Cone, corners: int = 0) -> Hull:
    """A prism around a cylinder, or a pyramid around a cone, hardly larger or of so many corners; it holds the former.

    Of a polygon around a circle with n corners, the sides are cos(pi/n) of the radius of the corners away.
    """
    most = max(2 * ROUND, math.ceil(math.pi * math.sqrt(body.radius / (2 * EXCESS))))
    radius = body.radius / math.cos(math.pi / most) / (math.cos(math.pi / corners) if corners else 1.0)
    angles = np.arange(corners or most) * 2 * np.pi / (corners or most)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius
    top = ring if isinstance(body, coal.Cylinder) else np.zeros((1, 2))
    ends = ((ring, -body.halfLength), (top, body.halfLength))
    return Hull(np.vstack([np.c_[end, np.full(len(end), z)] for end, z in ends]), 0.0)


def _thinned(points: Array, count: int) -> Hull:
    """The convex hull of points, or, if it has more corners, of so many of them, swept so that it holds all."""
    corners = _extreme(points)
    if len(corners) <= count:
        return Hull(corners, 0.0)
    directions = np.random.default_rng(0).normal(size=(count, 3))
    chosen = corners[np.unique((corners @ directions.T).argmax(axis=0))]
    return Hull(chosen, float(_distances(corners, chosen).max()))


def _corners(half: Array) -> Array:
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half


def _extreme(points: Array) -> Array:
    """The corners of the convex hull of points (m, 3); all of them where they lie in a plane."""
    points = np.unique(points, axis=0)
    try:
        corners: Array = points[scipy.spatial.ConvexHull(points).vertices]
    except (scipy.spatial.QhullError, ValueError):
        return points
    return corners


def _known(points: Array, count: int, find: Callable[[Array, int], Hull]) -> Hull:
    """A hull of few points, as it was found before or as it is found now."""
    key = hashlib.sha256(points.tobytes() + b"%d 2" % count).hexdigest()[:24]

    def measure() -> Arrays:
        announce_measuring()
        hull = find(points, count)
        return {"points": hull.points, "radius": np.array(hull.radius)}

    kept = kept_arrays("hulls", key, measure)
    return Hull(kept["points"], float(kept["radius"]))


@cache
def announce_measuring() -> None:
    """Tell, once, that measuring takes a moment."""
    LOG.warning("measuring collision bodies, once for each robot: this takes some seconds")


def few(points: Array, count: int) -> Hull:
    """The hull of few swept points that holds points (m, 3) with little excess.

    The convex hull is shrunk by a radius, which takes nothing off a round limb but leaves it fewer corners; of these
    the most extreme are taken, and swept by the distance of the points furthest from them.
    """
    directions = np.random.default_rng(0).normal(size=(DIRECTIONS, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    found: list[tuple[float, Hull]] = []
    for core in _shrunk(points):
        chosen = core[_most_extreme(core, count)]
        radius = float(_distances(points, chosen).max()) + 1e-6
        excess = float(((chosen @ directions.T).max(axis=0) + radius - (points @ directions.T).max(axis=0)).mean())
        found.append((excess, Hull(chosen, radius)))
    return min(found, key=lambda item: item[0])[1]


def _shrunk(points: Array) -> list[Array]:
    """The corners of the convex hull of points, and those of the hulls so far inside that a ball still touches it."""
    try:
        faces = scipy.spatial.ConvexHull(points).equations
    except scipy.spatial.QhullError:
        return [points]
    inscribed = scipy.optimize.linprog(
        [0, 0, 0, -1], A_ub=np.c_[faces[:, :3], np.ones(len(faces))], b_ub=-faces[:, 3], bounds=[(None, None)] * 4
    )
    if not inscribed.success or inscribed.x[3] < 1e-3:
        return [points]
    cores = []
    for share in SHARES:
        moved = np.c_[faces[:, :3], faces[:, 3] + share * inscribed.x[3]]
        try:
            cores.append(
                points
                if share == 0
                else _extreme(scipy.spatial.HalfspaceIntersection(moved, inscribed.x[:3]).intersections)
            )
        except scipy.spatial.QhullError:
            continue
    return [core for core in cores if np.isfinite(core).all()]


def _most_extreme(points: Array, count: int) -> list[int]:
    """Numbers of points such that the others are near their hull: the furthest from it is added, time and again."""
    axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2]
    chosen: list[int] = []
    for axis in np.vstack([axes, -axes]):
        furthest = int((points @ axis).argmax())
        if furthest not in chosen:
            chosen.append(furthest)
    while len(chosen) < min(count, len(points)):
        distances = _distances(points, points[chosen])
        furthest = int(distances.argmax())
        if distances[furthest] < 1e-5:
            break
        chosen.append(furthest)
    return chosen


def _distances(points: Array, hull: Array) -> Array:
    """(m,) [m] Upper bounds of the distances of points (m, 3) from the convex hull of others (k, 3)."""
    found = np.zeros(len(points))
    both = np.vstack([hull, points])
    origin = both.mean(axis=0)
    here = np.array([1.0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
    _measure(
        np.asfortranarray(both - origin, dtype=np.float32), len(hull), found, here, np.zeros((4, 7)), np.zeros((6, 12))
    )
    return found + 1e-5


@bare
def _measure(points: Floats, size: int, found: Array, here: Array, simplex: Array, scratch: Array) -> None:
    n, v = scratch[5], scratch[0]
    for k in range(len(found)):
        for r in range(3):
            n[r] = -points[size + k, r]
        n[0] += 1e-9
        separation(here, here, points, size + k, size + k + 1, 0, size, 1e9, 1e9, True, n, simplex, scratch)
        found[k] = np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
