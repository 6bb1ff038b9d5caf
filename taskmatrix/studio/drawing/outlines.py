"""The convex hulls of a robot's collision bodies as meshes that can be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.kernel.collision.swept import outline

_AROUND = 24  # points of a circle of latitude of the ball that is swept along an outline
_RINGS = 12


def outlines(geometry: pin.GeometryModel, folder: Path) -> Iterator[Shape]:
    """The hull of each body in its own frame, in the order of the bodies.

    Args:
        geometry: Collision bodies.
        folder: Where the meshes are written; they have to stay as long as the shapes are used.
    """
    for k, body in enumerate(geometry.geometryObjects):
        hull = outline(body.geometry)
        points = hull.points if hull.radius == 0.0 else _swept(hull.points, hull.radius)
        path = folder / f"{k}.obj"
        path.write_text(_obj(points), encoding="utf-8")
        yield Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=path)


def _swept(points: Array, radius: float) -> Array:
    """Points on balls around points."""
    up = np.linspace(-np.pi / 2, np.pi / 2, _RINGS)
    round_ = np.linspace(0.0, 2 * np.pi, _AROUND, endpoint=False)
    height, turn = (grid.ravel() for grid in np.meshgrid(up, round_))
    ball = np.stack([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)], axis=1)
    swept: Array = (points[:, None] + radius * ball).reshape(-1, 3)
    return swept


def _obj(points: Array) -> str:
    """The convex hull of points as a Wavefront file, with its triangles counter-clockwise seen from outside."""
    hull = scipy.spatial.ConvexHull(points, qhull_options="QJ")  # joggled: some bodies are flat
    middle = points.mean(axis=0)
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
    for a, b, c in hull.simplices:
        outside = np.cross(points[b] - points[a], points[c] - points[a]) @ (points[a] - middle) > 0.0
        lines.append(f"f {a + 1} {b + 1} {c + 1}" if outside else f"f {a + 1} {c + 1} {b + 1}")
    return "\n".join(lines) + "\n"
