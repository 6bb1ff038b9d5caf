"""A collision body as it enters a scene, whatever its place."""

from __future__ import annotations

from dataclasses import dataclass

import coal
import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import merged
from taskmatrix.core.world.objects import Array

from .boxes import box_tree
from .scene import BALL, CENTRE, HALF, LEVELS, ROUNDING, SWEPT
from .swept import hulls

SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


@dataclass(frozen=True, eq=False)
class Solid:
    """Hulls that hold a body, one after the other, and its tree of boxes if it is an octree."""

    points: Array
    """(v, 3) [m] Of the hulls, from coarse to exact, then the corners of the boxes."""
    firsts: NDArray[np.int64]
    """(LEVELS + 1,) Where the points of each hull begin, and the last end."""
    sizes: Array
    """(SWEPT + LEVELS,) [m] See :class:`~taskmatrix.kernel.collision.scene.Scene`."""
    nodes: Array
    """(n, 7) [m] Boxes of the tree; none where it is none."""
    after: NDArray[np.int64]
    """(n,) The first node that is not below a node."""

    @classmethod
    def of(cls, geometry: coal.CollisionGeometry) -> Solid:
        """The solid of a shape.

        Raises:
            ValueError: It has no points, or some that are not finite.
        """
        levels = hulls(geometry)
        nodes, after, corners = _tree(geometry)
        counts = [len(hull.points) for hull in levels]
        points = np.vstack([*(hull.points for hull in levels), corners])
        firsts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(points, firsts, sizes_of(points, firsts, [hull.radius for hull in levels]), nodes, after)

    def placed(self, R: Array, p: Array) -> Solid:
        """The same solid in another frame: turned by R (3, 3), then moved by p (3,); not for octrees."""
        points = self.points @ R.T + p
        return Solid(points, self.firsts, sizes_of(points, self.firsts, self.sizes[SWEPT:]), self.nodes, self.after)


def sizes_of(points: Array, firsts: NDArray[np.int64], radii: Array | list[float]) -> Array:
    """(SWEPT + LEVELS,) [m] The sizes of a body with hulls of points, swept by radii: see ``Scene.sizes``."""
    sizes = np.zeros(SWEPT + LEVELS)
    exact = points[firsts[LEVELS - 1] : firsts[LEVELS]]
    low, high, swept = exact.min(axis=0), exact.max(axis=0), radii[-1] + ROUNDING
    sizes[CENTRE:BALL] = (low + high) / 2
    sizes[BALL] = float(np.linalg.norm(exact - (low + high) / 2, axis=1).max()) + swept
    sizes[HALF:SWEPT] = (high - low) / 2 + swept
    sizes[SWEPT:] = radii
    return sizes


def _tree(geometry: coal.CollisionGeometry) -> tuple[Array, NDArray[np.int64], Array]:
    """Nodes of an octree, their order, and their corners (8 n, 3)."""
    if not isinstance(geometry, coal.OcTree):
        return np.zeros((0, 7)), np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    cubes = np.array([list(cube) for cube in geometry.toBoxes()])
    tree = box_tree(*merged(cubes[:, :3], float(cubes[0, 3])))
    centre, half = (tree.low + tree.high) / 2, (tree.high - tree.low) / 2 + ROUNDING
    nodes = np.c_[centre, half, np.linalg.norm(half, axis=1) + ROUNDING]
    return nodes, tree.after, (centre[:, None] + SIGNS * half[:, None]).reshape(-1, 3)
