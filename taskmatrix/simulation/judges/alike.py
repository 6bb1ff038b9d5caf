"""Grasps that are alike: of a can, those from any side; nobody can tell them apart, so judges do not."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.objects import Array
from taskmatrix.core.symmetry import Symmetry


def nearest_alike(symmetry: Symmetry, X_OG: Array, X_OH: Array) -> Array:
    """Of the poses that are like a grasp's, the one whose orientation is nearest to that of a hand.

    Args:
        symmetry: The rotations that leave the object as it is.
        X_OG: (4, 4) The grasp in the object's frame.
        X_OH: (4, 4) The hand's grasp frame in the object's frame.

    Returns:
        (4, 4) The grasp, turned by one of the rotations.
    """
    if symmetry.kind == "none":
        return X_OG
    R = X_OH[:3, :3] @ X_OG[:3, :3].T  # what would turn it all the way
    if symmetry.kind == "axis":
        x, y, z = symmetry.axis
        K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        sine, along = -float(np.trace(K @ R)), float(symmetry.axis @ R @ symmetry.axis)
        angle = np.arctan2(sine, float(np.trace(R)) - along)
        R = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K
    X = np.eye(4)
    X[:3, :3] = R @ X_OG[:3, :3]
    X[:3, 3] = symmetry.centre + R @ (X_OG[:3, 3] - symmetry.centre)
    return X
