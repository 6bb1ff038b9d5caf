"""Meshes as files that every peer can read: OBJ with the scale baked in, as they are or as their convex hulls."""

from __future__ import annotations

import zlib
from pathlib import Path

import coal
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from .rows import Array

Triangles = NDArray[np.int64]


def converted(source: Path, scale: Array, hull: bool, folder: Path) -> Path:
    """The OBJ file of a mesh, written unless it is there.

    Args:
        source: A file that Assimp reads.
        scale: (3,) Factors.
        hull: Whether to write the convex hull.
        folder: Where to write.
    """
    key = zlib.crc32(f"{source.name}{source.stat().st_size}{source.parent}{scale.tolist()}".encode())
    out = folder / ("hull" if hull else "exact") / f"{key:08x}_{source.stem}.obj"
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        vertices, triangles = loaded(source, scale)
        if hull:
            vertices, triangles = convex_hull(vertices)
            write_stl(Path(f"{out}.convex.stl"), vertices, triangles)  # the name under which MPlib looks for a hull
        write_obj(out, vertices, triangles)
    return out


def loaded(source: Path, scale: Array) -> tuple[Array, Triangles]:
    """[m] Vertices (n, 3) and triangles (k, 3) of a file."""
    mesh = coal.MeshLoader().load(str(source), scale)
    triangles = [mesh.tri_indices(i) for i in range(mesh.num_tris)]
    return np.array(mesh.vertices()), np.array([[t[0], t[1], t[2]] for t in triangles], dtype=np.int64)


def convex_hull(vertices: Array) -> tuple[Array, Triangles]:
    """[m] Vertices (n, 3) and triangles (k, 3) of the hull, all looking outward."""
    hull = ConvexHull(vertices)
    used = np.unique(hull.simplices)
    triangles: Triangles = np.searchsorted(used, hull.simplices).astype(np.int64)
    corners = vertices[hull.simplices]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, hull.equations[:, :3]) < 0
    triangles[inward] = triangles[inward, ::-1]
    return vertices[used], triangles


def write_obj(path: Path, vertices: Array, triangles: Triangles) -> None:
    """Write a mesh as text."""
    lines = ["v {:.9g} {:.9g} {:.9g}".format(*vertex) for vertex in vertices]
    lines += ["f {} {} {}".format(*(triangle + 1)) for triangle in triangles]
    path.write_text("\n".join(lines) + "\n")


def write_stl(path: Path, vertices: Array, triangles: Triangles) -> None:
    """Write a mesh as binary STL."""
    facets = np.zeros(len(triangles), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    corners = vertices[triangles]
    facets["normal"] = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facets["corners"] = corners
    path.write_bytes(bytes(80) + np.uint32(len(facets)).tobytes() + facets.tobytes())
