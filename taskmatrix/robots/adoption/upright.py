"""Which axis is up: in the mesh files, and in the root of a URDF."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .anatomy.limbs import find_limbs
from .anatomy.reading import read_tree
from .anatomy.tree import Tree

_LYING = 1.5  # of its height is how wide what lies on its side is


def read_standing(urdf: Path) -> Tree:
    """Read a URDF with its meshes turned as they fit its joints, and standing on its legs.

    Raises:
        RobotError: It cannot be read; see :func:`~taskmatrix.robots.adoption.anatomy.reading.read_tree`.
    """
    return _standing(_upright(urdf))


def _upright(urdf: Path) -> Tree:
    """The tree; where its meshes are Collada, turned by a quarter if they then fit its joints much better."""
    tree = read_tree(urdf)
    collada = [mesh for mesh in tree.description.root.iter("mesh") if mesh.get("filename", "").lower().endswith(".dae")]
    if not collada:
        return tree
    turned = read_tree(urdf, "y")
    return turned if _misfit(turned) < 0.7 * _misfit(tree) else tree


def _standing(tree: Tree) -> Tree:
    """The tree, with y up where it lies on its side so: then it has legs and arms, and as it is it has no legs."""
    low, high = tree.extent
    if high[1] - low[1] < _LYING * (high[2] - low[2]) or find_limbs(tree).of("leg"):
        return tree
    turned = read_tree(tree.description.path, tree.mesh_up, up="y")
    anatomy = find_limbs(turned)
    return turned if len(anatomy.of("leg")) > 1 and anatomy.of("arm") else tree


def _misfit(tree: Tree) -> float:
    """[m] How far the joints are from the boxes around the bodies that they join, in the mean."""
    gaps = []
    for joint in tree.joints.values():
        points = tree.points(joint.parent)
        if len(points):
            outside = np.maximum(points.min(axis=0) - joint.origin, joint.origin - points.max(axis=0))
            gaps.append(float(np.linalg.norm(np.maximum(outside, 0.0))))
    return float(np.mean(gaps)) if gaps else 0.0
