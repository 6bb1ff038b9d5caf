"""Smooth closed meshes for robot bodies: lofted shells, ellipsoids, drums; all convex or nearly so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Mesh:
    """A closed triangle mesh, faces counter-clockwise from outside."""

    vertices: Array
    """(k, 3) [m]"""
    faces: NDArray[np.int64]
    """(m, 3) indices of vertices"""

    def moved(self, xyz: Sequence[float] = (0.0, 0.0, 0.0), rpy: Sequence[float] = (0.0, 0.0, 0.0)) -> Mesh:
        """The mesh turned by roll, pitch, yaw [rad] and then shifted [m]."""
        R = Rotation.from_euler("xyz", rpy).as_matrix()
        return Mesh(self.vertices @ R.T + np.asarray(xyz), self.faces)

    def mirrored(self) -> Mesh:
        """The mirror image in the plane y = 0."""
        return Mesh(self.vertices * np.array([1.0, -1.0, 1.0]), self.faces[:, ::-1])


def loft(
    sections: Sequence[Sequence[float]], sides: int = 20, rings: int = 8, cap: tuple[float, float] = (0.5, 0.5)
) -> Mesh:
    """A shell through superelliptic sections, smooth between them, with rounded ends.

    Args:
        sections: Rows of (z, half width in x, half width in y, centre x, centre y, exponent), z rising;
            exponent 2 is an ellipse, 4 a rounded rectangle. The last three may be left out (0, 0, 2).
        sides: Corners of a section.
        rings: Sections between the ends.
        cap: Height of the rounded ends (bottom, top) in smaller half widths of the end's section; they lie
            inside the range of z.
    """
    rows = np.array([[*row, *(0.0, 0.0, 2.0)[len(row) - 3 :]] if len(row) < 6 else row for row in sections], float)
    low, high = rows[0, 0], rows[-1, 0]
    curve = PchipInterpolator(rows[:, 0], rows[:, 1:]) if len(rows) > 2 else None
    steps: list[tuple[float, float]] = []  # height, scale of the section
    bottom, top = cap[0] * rows[0, 1:3].min(), cap[1] * rows[-1, 1:3].min()
    quarter = np.linspace(0.0, np.pi / 2, 5)[1:-1]
    steps += [(low + bottom * (1 - np.sin(t)), float(np.cos(t))) for t in quarter[::-1]]
    steps += [(float(z), 1.0) for z in np.linspace(low + bottom, high - top, rings)]
    steps += [(high - top * (1 - np.sin(t)), float(np.cos(t))) for t in quarter]
    angle = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    c, s = np.cos(angle), np.sin(angle)
    loops = []
    for z, scale in steps:
        a, b, x, y, p = curve(z) if curve else _linear(rows, z)
        e = 2.0 / p
        loops.append(
            np.column_stack(
                [
                    x + scale * a * np.sign(c) * np.abs(c) ** e,
                    y + scale * b * np.sign(s) * np.abs(s) ** e,
                    np.full(sides, z),
                ]
            )
        )
    ends = [[*rows[0, 3:5], low], [*rows[-1, 3:5], high]]
    return _skin(loops, ends)


def _linear(rows: Array, z: float) -> list[float]:
    return [float(np.interp(z, rows[:, 0], rows[:, k])) for k in range(1, 6)]


def _skin(loops: Sequence[Array], ends: Sequence[Sequence[float]]) -> Mesh:
    """Join loops of equal size into a closed mesh with two pole vertices."""
    n, m = len(loops[0]), len(loops)
    i = np.arange(n)
    j = (i + 1) % n
    faces = []
    for k in range(m - 1):
        a, b, c, d = k * n + i, k * n + j, (k + 1) * n + j, (k + 1) * n + i
        faces += [np.column_stack([a, b, c]), np.column_stack([a, c, d])]
    faces += [
        np.column_stack([np.full(n, m * n), j, i]),
        np.column_stack([np.full(n, m * n + 1), (m - 1) * n + i, (m - 1) * n + j]),
    ]
    return Mesh(np.vstack([*loops, np.array(ends, float)]), np.vstack(faces))


def ellipsoid(radii: Sequence[float], sides: int = 20, rings: int = 9) -> Mesh:
    """An ellipsoid at the origin."""
    t = np.linspace(-np.pi / 2, np.pi / 2, rings + 2)[1:-1]
    angle = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    loops = [
        np.column_stack(
            [
                radii[0] * np.cos(v) * np.cos(angle),
                radii[1] * np.cos(v) * np.sin(angle),
                np.full(sides, radii[2] * np.sin(v)),
            ]
        )
        for v in t
    ]
    return _skin(loops, [[0, 0, -radii[2]], [0, 0, radii[2]]])


def ball(radius: float, sides: int = 18, rings: int = 9) -> Mesh:
    """A sphere at the origin."""
    return ellipsoid((radius, radius, radius), sides, rings)


def limb(top: float, bottom: float, length: float, belly: float = 0.0, start: float = 0.0) -> Mesh:
    """A rounded limb along -z from ``start`` below the origin.

    Args:
        top: [m] Radius at the upper end.
        bottom: [m] Radius at the lower end.
        length: [m] Over all.
        belly: [m] Added to the radius at 40 % of the length.
        start: [m] Distance of the upper end below the origin.
    """
    middle = top + 0.4 * (bottom - top) + belly
    rows = [
        (-start - length, bottom, bottom),
        (-start - 0.4 * length, middle, middle),
        (-start, top, top),
    ]
    return loft(rows, cap=(0.8, 0.8))


def block(size: Sequence[float], exponent: float = 4.0, cap: float = 0.35, sides: int = 24) -> Mesh:
    """A box with rounded edges at the origin; full extents."""
    x, y, z = (0.5 * v for v in size)
    return loft([(-z, x, y, 0, 0, exponent), (z, x, y, 0, 0, exponent)], sides, 2, (cap, cap))


def drum(radius: float, length: float, axis: str = "z", bevel: float = 0.2, sides: int = 24) -> Mesh:
    """A short cylinder with rounded edges at the origin."""
    height = bevel * min(radius, 0.5 * length) / radius
    mesh = loft([(-0.5 * length, radius, radius), (0.5 * length, radius, radius)], sides, 2, (height, height))
    turn = {"x": (0.0, np.pi / 2, 0.0), "y": (np.pi / 2, 0.0, 0.0), "z": (0.0, 0.0, 0.0)}[axis]
    return mesh.moved(rpy=turn)


def hull(meshes: Sequence[Mesh], directions: int = 160) -> Mesh:
    """The convex hull of meshes, from the vertices that are farthest in evenly spread directions."""
    points = np.vstack([mesh.vertices for mesh in meshes])
    k = np.arange(directions) + 0.5
    z, turn = 1 - 2 * k / directions, np.pi * (1 + 5**0.5) * k
    r = np.sqrt(1 - z**2)
    far = np.unique((points @ np.vstack([r * np.cos(turn), r * np.sin(turn), z])).argmax(axis=0))
    axes = np.unique((points @ np.hstack([np.eye(3), -np.eye(3)])).argmax(axis=0))
    chosen = points[np.unique(np.concatenate([far, axes]))]
    shape = ConvexHull(np.round(chosen, 5))
    used = np.unique(shape.simplices)
    renumber = np.full(len(chosen), -1)
    renumber[used] = np.arange(len(used))
    faces = renumber[shape.simplices]
    vertices = np.round(chosen, 5)[used]
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - vertices.mean(axis=0)) < 0
    faces[inward] = faces[inward][:, ::-1]
    return Mesh(vertices, faces)


def solid(meshes: Sequence[Mesh], mass: float) -> tuple[Array, Array]:
    """Centre of mass (3,) [m] and inertia about it (3, 3) [kg m^2] of closed meshes with one density.

    From the signed tetrahedra between each triangle and the origin; meshes that overlap count twice there.
    """
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for mesh in meshes:
        a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
        v = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
        s = a + b + c
        volume += v.sum()
        first += (v[:, None] * s).sum(axis=0) / 4.0
        for p in (a, b, c, s):
            second += np.einsum("i,ij,ik->jk", v, p, p) / 20.0
    center = first / volume
    second = (second / volume - np.outer(center, center)) * mass
    return center, np.trace(second) * np.eye(3) - second


def write_obj(path: Path, meshes: Sequence[Mesh], smooth: bool) -> None:
    """Write meshes as one OBJ file, with vertex normals when it is to look smooth."""
    lines = []
    offset = 1
    for mesh in meshes:
        lines += [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in mesh.vertices]
        if smooth:
            a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
            normals = np.zeros_like(mesh.vertices)
            face = np.cross(b - a, c - a)
            for i in range(3):
                np.add.at(normals, mesh.faces[:, i], face)
            normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-15
            lines += [f"vn {x:.3f} {y:.3f} {z:.3f}" for x, y, z in normals]
        for i, j, k in mesh.faces + offset:
            lines.append(f"f {i}//{i} {j}//{j} {k}//{k}" if smooth else f"f {i} {j} {k}")
        offset += len(mesh.vertices)
    text = "\n".join(lines).replace("-0.00000", "0.00000").replace("-0.000 ", "0.000 ")
    path.write_text(text + "\n", encoding="utf-8")
