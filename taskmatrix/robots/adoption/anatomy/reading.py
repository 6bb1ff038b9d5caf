"""From a URDF file to a tree of rigid bodies; links that are only drawn collide as they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.world.objects import Array
from taskmatrix.geometry.solids import add_pairs

from ...loading.adapter_parts import active_joints
from ...loading.bodies import Body, unsolid_links
from ...loading.building import build_bodies, build_model, make_solid, unreadable_mesh
from ...loading.mimics import likely_leaders
from ...loading.urdf import Description, read_urdf, read_xml
from .misdrawn import misdrawn_links
from .stand_ins import stand_ins
from .tree import ROOT, Joint, Tree

_FINE = 5000  # triangles of a collision mesh that was made to be looked at
_MOST_POINTS = 600  # of one collision body that are looked at
_COVERED = 0.01  # [m] by which what is drawn may stand out of what is solid on the same body
_AROUND = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)])


def read_tree(urdf: Path, mesh_up: str = "z", hulls: bool = False, as_drawn: Iterable[str] = (), up: str = "z") -> Tree:
    """Read a URDF and its collision meshes.

    Args:
        urdf: The file.
        mesh_up: Axis that is up in its mesh files, ``z`` or ``y``.
        hulls: Whether to take the convex hulls of its collision meshes; those of fine ones are taken anyhow.
        as_drawn: Links that collide as they are drawn, besides those that have no collision body.
        up: Axis of its root that is up, ``z`` or ``y``.

    Raises:
        RobotError: It cannot be read, no link has a collision body, or nothing in it moves.
    """
    loader = coal.CachedMeshLoader(coal.NODE_TYPE.BV_OBBRSS)
    leaders = likely_leaders(read_xml(urdf, "a URDF"))
    description = read_urdf(urdf, mesh_up, leaders=leaders, up=up)
    bodies = tuple(stand_ins(description))
    misdrawn = dict(misdrawn_links(description.root))
    bare = tuple(_readable(description, unsolid_links(description.root), loader))
    wished = tuple(_readable(description, dict.fromkeys((*misdrawn, *as_drawn)), loader))
    tree = _read(urdf, mesh_up, hulls, (*bare, *wished), leaders, up, bodies, loader)
    needed = tuple(link for link in bare if not _is_covered(tree.clouds[tree.body_of(link)], link, bare))
    tree = tree if needed == bare else _read(urdf, mesh_up, hulls, (*needed, *wished), leaders, up, bodies, loader)
    return replace(tree, misdrawn=tuple(line for link, line in misdrawn.items() if link in wished))


def _readable(description: Description, links: Iterable[str], loader: coal.MeshLoader) -> Iterator[str]:
    """Those of some links whose drawn meshes can be read."""
    wanted = set(links)
    for link in description.root.iter("link"):
        if link.get("name") in wanted:
            files = [Path(mesh.get("filename", "")) for mesh in link.iterfind("visual/geometry/mesh")]
            if not any(unreadable_mesh(file, loader) for file in files):
                yield link.get("name", "")


def _is_covered(clouds: Mapping[str, Array], link: str, bare: Sequence[str]) -> bool:
    """Whether what is drawn of a link is within the boxes around what is solid on the same body."""
    for other, points in clouds.items():
        low, high = points.min(axis=0) - _COVERED, points.max(axis=0) + _COVERED
        if other not in bare and np.all((clouds[link] > low) & (clouds[link] < high)):
            return True
    return False


def _read(
    urdf: Path,
    mesh_up: str,
    hulls: bool,
    as_drawn: Sequence[str],
    leaders: Mapping[str, str],
    up: str,
    bodies: Sequence[Body],
    loader: coal.MeshLoader,
) -> Tree:
    description = read_urdf(urdf, mesh_up, None, as_drawn, leaders, up, bodies)
    xml = description.on_base(0.0, 0.0, (1.0, 1.0))
    model = build_model(description, xml)
    if model.njoints <= ROOT + 1:
        raise RobotError(f"{urdf}: no joint moves, so there is nothing to control")
    collision = build_bodies(description, model, xml, pin.GeometryType.COLLISION, loader)
    if not len(collision.geometryObjects):
        raise RobotError(
            f"{urdf}: no link has a <collision> body or is drawn, so there is nothing to stand on the floor and "
            "nothing to check; give the links collision bodies, simple ones will do"
        )
    clouds: dict[int, dict[str, Array]] = {}
    for body in collision.geometryObjects:
        link = model.frames[body.parentFrame].name
        points = _points(body.geometry) @ body.placement.rotation.T + body.placement.translation
        of_body = clouds.setdefault(int(body.parentJoint), {})
        of_body[link] = np.vstack([of_body[link], points]) if link in of_body else points
        fine = isinstance(body.geometry, coal.BVHModelBase) and body.geometry.num_tris > _FINE
        hulls = hulls or (fine and link not in as_drawn)
    add_pairs(model, collision, set())
    meshes = pin.GeometryModel(collision) if hulls or as_drawn else None
    make_solid(description, model, collision, hulls)
    names, S, c = active_joints(model, description)
    joints = dict(_joints(model, description, c))
    return Tree(description, model, collision, names, S, c, joints, mesh_up, meshes, hulls, clouds, leaders)


def _joints(model: pin.Model, description: Description, offset: Array) -> Iterator[tuple[int, Joint]]:
    data = model.createData()
    pin.framesForwardKinematics(model, data, offset)
    for element in description.root.iter("joint"):
        name = element.get("name", "")
        if not model.existJointName(name):
            continue
        id = int(model.getJointId(name))
        tag = element.find("axis")
        axis = np.array([float(v) for v in tag.get("xyz", "1 0 0").split()] if tag is not None else [1.0, 0.0, 0.0])
        i = model.joints[id].idx_q
        ends = (element.find("parent"), element.find("child"))
        links = [end.get("link", "") if end is not None else "" for end in ends]
        yield (
            id,
            Joint(
                id,
                int(model.parents[id]),
                name,
                (links[0], links[1]),
                element.get("type") == "prismatic",
                name in description.mimic,
                data.oMi[id].translation.copy(),
                data.oMi[id].rotation @ axis / np.linalg.norm(axis),
                float(model.lowerPositionLimit[i]),
                float(model.upperPositionLimit[i]),
            ),
        )


def _points(shape: object) -> Array:
    """(k, 3) [m] Points on the surface of a shape, with all that stick out farthest."""
    if isinstance(shape, coal.BVHModelBase):
        return _fewer(np.asarray(shape.vertices(), dtype=float).reshape(-1, 3))
    if isinstance(shape, coal.ConvexBase):
        return np.array([shape.point(i) for i in range(shape.num_points)], dtype=float).reshape(-1, 3)
    if isinstance(shape, coal.Box):
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return np.asarray(signs * np.asarray(shape.halfSide), dtype=float)
    if isinstance(shape, coal.Sphere):
        ring = _AROUND * shape.radius
        flat = np.zeros((len(ring), 1))
        return np.vstack(
            [np.hstack([ring, flat]), np.hstack([flat, ring]), np.hstack([ring[:, :1], flat, ring[:, 1:]])]
        )
    if isinstance(shape, coal.Cylinder | coal.Capsule):
        ring = _AROUND * shape.radius
        ends = [np.hstack([ring, np.full((len(ring), 1), s * shape.halfLength)]) for s in (-1.0, 0.0, 1.0)]
        tip = shape.halfLength + (shape.radius if isinstance(shape, coal.Capsule) else 0.0)
        return np.vstack([*ends, [[0.0, 0.0, -tip], [0.0, 0.0, tip]]])
    return np.zeros((1, 3))


def _fewer(points: Array) -> Array:
    """Some hundred of many points: evenly chosen ones, and the outermost in many directions."""
    if len(points) <= _MOST_POINTS:
        return points
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(_MOST_POINTS // 2, 3))
    outermost = np.argmax(points @ directions.T, axis=0)
    evenly = np.linspace(0, len(points) - 1, _MOST_POINTS // 2).astype(int)
    some: Array = points[np.unique(np.concatenate([outermost, evenly]))]
    return some
