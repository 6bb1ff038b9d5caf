"""Collision bodies: convex meshes become convex shapes (same surface, faster checks), and how low a body reaches."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.geometry import cubes, mesh_geometry, vertices_and_faces
from taskmatrix.core.world.objects import Array, Shape

THINNEST = 1e-6  # [m] that is no flat mesh
LARGEST = 20_000  # triangles of a mesh that is looked at for whether it is convex


def solid(shape: Shape) -> coal.CollisionGeometry:
    """The exact geometry of a shape; a convex mesh as a solid, others as triangles, points as an octree."""
    makers = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    if shape.kind == "mesh":
        mesh = mesh_geometry(shape)
        return (_solid(mesh) if is_convex(mesh) else None) or mesh
    if shape.kind == "points":
        return coal.makeOctree(cubes(shape), shape.size[0])
    return makers[shape.kind](*shape.size)


def make_convex_solid(
    geometry: pin.GeometryModel, hulls: bool = False, always: Container[str] = (), never: Container[str] = ()
) -> None:
    """Replace each mesh that is convex by the same mesh as a solid; with ``hulls`` every mesh by its convex hull.

    Of bodies whose name is in ``always`` the hull is taken in any case, of those in ``never`` it is not.

    A triangle mesh is a hollow surface for coal; a convex one may as well be a solid with the same surface, for
    which contact is found inside too, and many times faster. A hull is never smaller than its mesh: what is free of
    contact with it is free.
    """
    done: dict[tuple[int, bool], Any] = {}
    for body in geometry.geometryObjects:
        mesh = body.geometry
        if not isinstance(mesh, coal.BVHModelBase):
            continue
        hulled = (hulls or body.name in always) and body.name not in never
        key = hash(mesh.vertices().tobytes()), hulled
        if key not in done:
            done[key] = _solid(mesh) if hulled or is_convex(mesh) else None
        if done[key] is not None:
            body.geometry = done[key]


def _solid(mesh: Any) -> Any:
    """The hull of a mesh; None where it is too thin for one."""
    try:
        solid = convex_hull(mesh)
    except RuntimeError:  # Qhull finds no volume
        return None
    return solid


def convex_hull(mesh: Any) -> Any:
    """The convex hull of a coal mesh, with its box.

    Where hundreds of its corners lie around one point, of which coal cannot keep the neighbours, its corners are moved
    by less than a nanometre.

    Raises:
        RuntimeError: It has no volume.
    """
    corners = np.asarray(mesh.vertices())
    normal = np.linalg.svd(corners - corners.mean(axis=0), full_matrices=False)[2][-1]
    if np.ptp(corners @ normal) < THINNEST:  # for which coal crashes
        raise RuntimeError("a flat mesh has no volume")
    try:
        mesh.buildConvexHull(True, "Qt")
    except RuntimeError as error:
        if "neighbors" not in str(error):
            raise
        mesh.buildConvexHull(True, "QJ")
    mesh.convex.computeLocalAABB()
    return mesh.convex


def is_convex(mesh: Any, tolerance: float = 1e-4) -> bool:
    """Whether a mesh is convex: no vertex stands out of the plane of any triangle by more than ``tolerance`` [m].

    A flat mesh is not: it has no inside. One of more than :data:`LARGEST` triangles is taken for one that is not,
    as long as that would take to tell.
    """
    if mesh.num_tris > LARGEST:
        return False
    points, faces = vertices_and_faces(mesh)
    a, b, c = (points[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    areas = np.linalg.norm(normals, axis=1)
    normals = normals[areas > 1e-12] / areas[areas > 1e-12, None]
    heights = points @ normals.T - np.einsum("ij,ij->i", normals, a[areas > 1e-12])
    return bool((heights.max() < tolerance) != (heights.min() > -tolerance))


def lowest_point(shape: Any, X_WG: pin.SE3) -> float:
    """Height [m] of the lowest point of a shape placed at ``X_WG``."""
    down = -X_WG.rotation[2]  # the world's downward direction in the shape's frame
    z = float(X_WG.translation[2])
    if isinstance(shape, coal.BVHModelBase):
        return z - float((np.asarray(shape.vertices()) @ down).max())
    if isinstance(shape, coal.ConvexBase):
        return z - float((_points(shape) @ down).max())
    if isinstance(shape, coal.Box):
        return z - float(np.abs(down) @ np.asarray(shape.halfSide))
    if isinstance(shape, coal.Sphere):
        return z - float(shape.radius)
    if isinstance(shape, coal.Capsule):
        return z - float(shape.radius + shape.halfLength * abs(down[2]))
    if isinstance(shape, coal.Cylinder):
        return z - float(shape.halfLength * abs(down[2]) + shape.radius * np.hypot(down[0], down[1]))
    raise TypeError(f"a {type(shape).__name__} cannot stand on the floor: use a mesh, box, sphere, capsule or cylinder")


def _points(shape: Any) -> Array:
    return np.array([shape.point(i) for i in range(shape.num_points)]).reshape(-1, 3)


def corners_of(shape: Any) -> Array:
    """(k, 3) [m] Corners of a shape in its own frame; what is round has those of the faces that it would be cut to."""
    if isinstance(shape, coal.BVHModelBase):
        return np.asarray(shape.vertices()).reshape(-1, 3)
    if isinstance(shape, coal.ConvexBase):
        return _points(shape)
    shape.computeLocalAABB()
    half, signs = np.asarray(shape.aabb_local.max_), np.indices((3, 3, 3)).reshape(3, -1).T - 1.0
    if isinstance(shape, coal.Sphere):
        signs = signs[np.abs(signs).sum(axis=1) > 0]
        half = np.full(3, float(shape.radius))
        signs /= np.linalg.norm(signs, axis=1, keepdims=True)
    else:
        signs = signs[np.abs(signs).sum(axis=1) == 3]
    corners: Array = half * signs
    return corners


def highest_point(shape: Any, X_WG: pin.SE3) -> float:
    """Height [m] of the highest point of a shape placed at ``X_WG``."""
    over = pin.SE3(np.diag([1.0, -1.0, -1.0]), np.zeros(3))
    return -lowest_point(shape, over * X_WG)


def add_pairs(model: pin.Model, geometry: pin.GeometryModel, excluded: set[frozenset[str]]) -> None:
    """Check all pairs of bodies that move differently, less the pairs of links in ``excluded``."""
    bodies = geometry.geometryObjects
    links = [model.frames[body.parentFrame].name for body in bodies]
    for i in range(len(bodies)):
        for j in range(i + 1, len(bodies)):
            if bodies[i].parentJoint != bodies[j].parentJoint and frozenset((links[i], links[j])) not in excluded:
                geometry.addCollisionPair(pin.CollisionPair(i, j))


def checking_data(geometry: pin.GeometryModel) -> pin.GeometryData:
    """Data for collision checks that miss no contact and do not depend on what was asked before.

    Without contact points, coal 3.0 overlooks about one deep contact of convex shapes in a thousand, when its
    iterations end at a distance that rounding leaves above zero; a margin of a micrometre finds them all. Iterations
    that begin where the last ones ended overlook shallow ones, of some ten micrometres, now and then.
    """
    data = geometry.createData()
    for request in data.collisionRequests:
        request.security_margin = 1e-6  # [m]
        request.enable_contact = True
        request.gjk_initial_guess = coal.GJKInitialGuess.DefaultGuess
    return data
