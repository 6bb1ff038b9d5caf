"""Points of what is drawn of a body, where what collides of it is too plain to tell its shape."""

from __future__ import annotations

from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.files import MOST_DATA, check_size
from taskmatrix.core.world.objects import Array

from ..anatomy.tree import Tree

_MOST = 2000  # points of a mesh that are looked at


def drawn_points(tree: Tree, body: int) -> Array:
    """(k, 3) [m] Points of the meshes and boxes that are drawn of a body, in the root's frame, at zero."""
    found = [np.zeros((0, 3))]
    links = {link: tree.pose(link) for link in tree.links(body)}
    for link in tree.description.root.iter("link"):
        if (X := links.get(link.get("name", ""))) is None:
            continue
        for visual in link.findall("visual"):
            origin = visual.find("origin")
            xyz, rpy = (
                np.array(("0 0 0" if origin is None else origin.get(key, "0 0 0")).split(), dtype=float)
                for key in ("xyz", "rpy")
            )
            (shape,) = visual.findall("geometry/*")
            if shape.tag == "box":
                half = 0.5 * np.array(shape.get("size", "").split(), dtype=float)
                points = half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            elif shape.tag == "mesh":
                points = _corners(Path(shape.get("filename", "")), shape.get("scale", "1 1 1"))
            else:
                continue
            points = points @ pin.rpy.rpyToMatrix(rpy).T + xyz
            found.append(points @ X[:3, :3].T + X[:3, 3])
    return np.vstack(found)


def _corners(mesh: Path, scale: str) -> Array:
    """(k, 3) [m] Some corners of a mesh; none if it cannot be read."""
    try:
        check_size(mesh, MOST_DATA, RobotError)
        solid = coal.MeshLoader().load(str(mesh), np.array(scale.split(), dtype=float))
    except (RobotError, OSError, ValueError, RuntimeError):
        return np.zeros((0, 3))
    corners = np.asarray(solid.vertices(), dtype=float).reshape(-1, 3)
    some: Array = corners[:: max(1, len(corners) // _MOST)]
    return some
