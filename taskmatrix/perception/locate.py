"""Where an object is that was not seen before: many places to begin a fit with, and the best of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import scipy

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import Symmetry

from .fit import FACING, Fit, ImageSegment, fit
from .surface import Surface

TURNS = 12
"""Rotations about the vertical to begin with."""
FEW = 50
"""Points of a first, quick fit."""
QUICK = 5
"""Its iterations."""
LONG = 20
"""Iterations of the others."""
REFINED = 3
"""How many of the quick ones are gone on with."""
GOOD = 0.004
"""[m] A cost above this makes it look further: the object may lie on another side."""


def locate(surface: Surface, symmetry: Symmetry, segment: ImageSegment, before: Array | None = None) -> Fit:
    """Find an object from what is seen of it.

    It is tried upright, as in its own frame, turned all around, and as it was before; then on its other sides.

    Args:
        surface: The object's.
        symmetry: The rotations that nobody can see.
        segment: What is seen; at least three points.
        before: (4, 4) Where it was seen last, if it was.
    """
    remembered = [] if before is None else [before[:3, :3]]
    best = _best(surface, symmetry, segment, [*remembered, *_upright(symmetry)])
    if best.cost > GOOD and symmetry.kind != "sphere":
        best = min(best, _best(surface, symmetry, segment, _fallen(symmetry)), key=lambda found: found.cost)
    return best


def _best(surface: Surface, symmetry: Symmetry, segment: ImageSegment, rotations: Iterable[Array]) -> Fit:
    quick = ImageSegment(segment.image, segment.label, segment.points[:: max(1, len(segment.points) // FEW)])
    found = [fit(surface, symmetry, quick, _placed(surface, segment, R), QUICK) for R in rotations]
    found.sort(key=lambda each: each.cost)
    refined = [fit(surface, symmetry, segment, each.X_WO, LONG) for each in found[:REFINED]]
    return min(refined, key=lambda each: each.cost)


def _placed(surface: Surface, segment: ImageSegment, R: Array) -> Array:
    """(4, 4) The object turned by R (3, 3), with the side that faces the camera where the points are."""
    X, middle = np.eye(4), segment.points.mean(axis=0)
    line = segment.image.X_WC[:3, 3] - middle
    facing = surface.normals @ (R.T @ line) > FACING * np.linalg.norm(line)
    X[:3, :3] = R
    X[:3, 3] = middle - R @ (surface.points[facing].mean(axis=0) if facing.any() else surface.centre)
    return X


def _upright(symmetry: Symmetry) -> list[Array]:
    """(3, 3) each: standing as in its own frame, turned about the vertical as far as that can be seen."""
    alike = symmetry.kind == "sphere" or (symmetry.kind == "axis" and abs(symmetry.axis[2]) > 0.999)
    return _turns(1 if alike else TURNS)


def _fallen(symmetry: Symmetry) -> list[Array]:
    """(3, 3) each: on its other sides."""
    down = [[90, 0], [0, 90]] if symmetry.kind == "axis" else [[90, 0], [-90, 0], [180, 0], [0, 90], [0, -90]]
    sides = scipy.spatial.transform.Rotation.from_euler("xy", down, degrees=True).as_matrix()
    return [turn @ side for side in sides for turn in _turns(TURNS)]


def _turns(count: int) -> list[Array]:
    angles = np.arange(count) * 2 * np.pi / count
    return list(scipy.spatial.transform.Rotation.from_rotvec(np.outer(angles, [0, 0, 1])).as_matrix())
