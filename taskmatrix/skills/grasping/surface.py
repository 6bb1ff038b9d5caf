"""The surface of an object as triangles: points on it, and what a line through it meets."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import cubes, merged, mesh_geometry, vertices_and_faces
from taskmatrix.core.world.objects import Array, ObjectModel, Shape

if TYPE_CHECKING:
    import trimesh

Indices = NDArray[np.intp]

SIDES = 48  # of a polygon that stands for a circle: half a percent of its diameter is lost between two flat sides
AT_ONCE = 2_000_000  # pairs of a line and a triangle that are looked at together
SKIN = 1e-6  # [m] below which two points on a line are one


@dataclass(frozen=True, eq=False)
class Hits:
    """Where lines meet triangles, in the order of the lines, and on each line from its beginning."""

    lines: Indices
    """(h,) Number of the line."""
    distances: Array
    """(h,) [m] From its beginning."""
    triangles: Indices
    """(h,) Number of the triangle."""


@dataclass(frozen=True, eq=False)
class Surface:
    """The surfaces of all shapes of an object that collide, in the object's frame, with normals that point outwards."""

    corners: Array
    """(t, 3, 3) [m] Corners of the triangles."""
    normals: Array
    """(t, 3)"""
    centre: Array
    """(3,) [m] Centre of its volume, where shapes that overlap count twice."""
    drawn: NDArray[np.bool_] | None = None
    """(t,) On which triangles points are drawn; None for all."""

    @classmethod
    def of(cls, model: ObjectModel, only: Collection[Shape] = ()) -> Surface:
        """The surface of an object; of a mesh that does not enclose a volume that of its convex hull.

        Args:
            model: The object.
            only: Shapes on which points are drawn; all of them unless given.

        Raises:
            WorldError: There is no such mesh, or nothing in it.
        """
        import trimesh  # noqa: PLC0415 - takes a moment, and grasps are often given

        shapes = [shape for shape in model.shapes if shape.collides]
        each = [_solids(shape) for shape in shapes]
        solids = [solid for found in each for solid in found]
        drawn = [shape in only for shape, found in zip(shapes, each, strict=True) for s in found for _ in s.faces]
        whole = cast(trimesh.Trimesh, trimesh.util.concatenate(solids))
        volumes = np.array([max(solid.volume, 1e-12) for solid in solids])
        centres = np.array([solid.center_mass for solid in solids])
        return cls(
            np.array(whole.triangles),
            np.array(whole.face_normals),
            volumes @ centres / volumes.sum(),
            np.array(drawn) if only else None,
        )

    @cached_property
    def size(self) -> float:
        """[m] Distance of its furthest point from its centre."""
        return float(np.linalg.norm(self.corners.reshape(-1, 3) - self.centre, axis=1).max())

    @cached_property
    def _balls(self) -> tuple[Array, Array]:
        """Centres (t, 3) and squared radii (t,) of balls around the triangles."""
        low, high = self.corners.min(axis=1), self.corners.max(axis=1)
        return (low + high) / 2, (np.linalg.norm(high - low, axis=1) / 2 + SKIN) ** 2

    def sample(self, count: int, random: np.random.Generator) -> tuple[Array, Array]:
        """Points (k, 3) [m] spread evenly over the outer surface, and the normals (k, 3) there.

        Args:
            count: Points drawn; those that lie inside another shape are left out.
            random: Draws them.
        """
        a, b, c = (self.corners[:, k] for k in range(3))
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        if self.drawn is not None:
            areas = areas * self.drawn
        edges = np.cumsum(areas) / areas.sum()
        strata = (np.arange(count) + random.random(count)) / count
        drawn = np.minimum(np.searchsorted(edges, strata), len(areas) - 1)
        u, v = random.random((2, count, 1))
        u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
        points = a[drawn] + u * (b - a)[drawn] + v * (c - a)[drawn]
        normals = self.normals[drawn]
        outside = ~self.inside(points + 10 * SKIN * normals)
        return points[outside], normals[outside]

    def inside(self, points: Array) -> NDArray[np.bool_]:
        """(m,) Whether points (m, 3) lie inside one of the shapes."""
        askew = np.array([0.36, 0.48, 0.8]) + np.array([0.0123, -0.0271, 0.0087])  # along no face that people make
        directions = np.broadcast_to(askew / np.linalg.norm(askew), points.shape)
        hits = self.hits(points, directions)
        depth = np.zeros(len(points))
        np.add.at(
            depth, hits.lines, np.sign(np.einsum("ij,ij->i", self.normals[hits.triangles], directions[hits.lines]))
        )
        return depth > 0

    def hits(self, origins: Array, directions: Array) -> Hits:
        """What half-lines from origins (m, 3) along unit vectors (m, 3) meet."""
        step = max(1, AT_ONCE // len(self.corners))
        found = [
            self._hits(origins[first : first + step], directions[first : first + step], first)
            for first in range(0, len(origins), step)
        ]
        if not found:
            return Hits(np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0, dtype=np.intp))
        lines, distances, triangles = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.lexsort((distances, lines))
        lines, distances, triangles = lines[order], distances[order], triangles[order]
        outwards = np.einsum("ij,ij->i", self.normals[triangles], directions[lines]) > 0
        # through an edge a line meets both triangles
        same = (np.diff(lines) == 0) & (np.diff(distances) < SKIN) & (outwards[1:] == outwards[:-1])
        once = np.concatenate([[True], ~same])[: len(lines)]
        return Hits(lines[once], distances[once], triangles[once])

    def exits(self, origins: Array, directions: Array) -> tuple[Array, Indices]:
        """Where lines that begin just inside leave the object: distances (m,) [m], infinite where never; triangles."""
        hits = self.hits(origins, directions)
        outwards = np.einsum("ij,ij->i", self.normals[hits.triangles], directions[hits.lines]) > 0
        steps = np.where(outwards, -1, 1)
        total = np.cumsum(steps)
        first = np.searchsorted(hits.lines, hits.lines)
        depth = 1 + total - (total[first] - steps[first]) if len(total) else total
        leaving = np.flatnonzero(depth <= 0)
        lines, at = np.unique(hits.lines[leaving], return_index=True)
        distances, triangles = np.full(len(origins), np.inf), np.zeros(len(origins), dtype=np.intp)
        distances[lines], triangles[lines] = hits.distances[leaving[at]], hits.triangles[leaving[at]]
        return distances, triangles

    def first(self, origins: Array, directions: Array) -> Array:
        """(m,) [m] Distance to the first thing that half-lines meet; infinite where there is none."""
        hits = self.hits(origins, directions)
        lines, at = np.unique(hits.lines, return_index=True)
        distances = np.full(len(origins), np.inf)
        distances[lines] = hits.distances[at]
        return distances

    def _hits(self, origins: Array, directions: Array, number: int) -> tuple[Indices, Array, Indices]:
        """Lines, distances and triangles, in no order; the lines are counted from ``number``."""
        centres, radii = self._balls
        along = directions @ centres.T - np.einsum("ij,ij->i", origins, directions)[:, None]
        apart = (origins**2).sum(axis=1)[:, None] - 2 * origins @ centres.T + (centres**2).sum(axis=1)
        lines, triangles = np.nonzero((apart - along**2 <= radii + 1e-9) & (along >= -np.sqrt(radii)))
        a, b, c = (self.corners[triangles, k] for k in range(3))
        d, o = directions[lines], origins[lines]
        e, f, s = b - a, c - a, o - a
        p, q = np.cross(d, f), np.cross(s, e)
        det = np.einsum("ij,ij->i", e, p)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.einsum("ij,ij->i", s, p) / det
            v = np.einsum("ij,ij->i", d, q) / det
            t = np.einsum("ij,ij->i", f, q) / det
            hit = (np.abs(det) > 1e-16) & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (t > 0)
        return lines[hit] + number, t[hit], triangles[hit]


def _solids(shape: Shape) -> list[trimesh.Trimesh]:
    """What encloses the volume of a shape, in the object's frame."""
    import trimesh  # noqa: PLC0415 - takes a moment, and grasps are often given

    if shape.kind == "box":
        solids = [trimesh.creation.box(shape.size)]
    elif shape.kind == "cylinder":
        solids = [trimesh.creation.cylinder(shape.size[0], shape.size[1], SIDES)]
    elif shape.kind == "sphere":
        solids = [trimesh.creation.icosphere(3, shape.size[0])]
    elif shape.kind == "capsule":
        solids = [trimesh.creation.capsule(shape.size[1], shape.size[0], (SIDES, SIDES // 2))]
    elif shape.kind == "points":
        low, high = merged(cubes(shape), shape.size[0])
        solids = [trimesh.creation.box(bounds=(a, b)) for a, b in zip(low, high, strict=True)]
    else:
        solids = [_enclosed(shape)]
    for solid in solids:
        solid.apply_transform(shape.X_OS)
    return solids


def _enclosed(shape: Shape) -> trimesh.Trimesh:
    import trimesh  # noqa: PLC0415 - takes a moment, and grasps are often given

    mesh = mesh_geometry(shape)
    solid = trimesh.Trimesh(*vertices_and_faces(mesh))
    if not (solid.is_watertight and solid.is_winding_consistent):
        return cast(trimesh.Trimesh, solid.convex_hull)
    if solid.volume < 0:
        solid.invert()
    return solid
