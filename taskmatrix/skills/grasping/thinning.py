"""A few of many grasps: good ones, and unlike each other."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array

from .surface import Indices

PLACE = 0.04  # [m] between two grasps that counts as much as ...
TURN = 0.5  # [rad] ... this
SAME = 1e-6  # [-] below which they are one
APART = 2.0  # [-] from which on two grasps are unlike enough


def diverse(X_OH: Array, merits: Array, limit: int, first: Indices | None = None, share: float = 0.0) -> Indices:
    """Numbers of grasps, the best first; each next is the one that is best by merit times distance from those before.

    Args:
        X_OH: (m, 4, 4) Their poses.
        merits: (m,) Above zero.
        limit: How many at most.
        first: Numbers of some from which those at the beginning are taken.
        share: [-] How many of the limit these are, as far as there are so many.
    """
    chosen: list[int] = []
    apart, among = np.ones(len(X_OH)), np.zeros(len(X_OH))
    among[slice(None) if first is None else first] = 1.0
    while len(chosen) < limit:
        values = merits * apart
        if first is not None and len(chosen) < share * limit and (values * among).max(initial=0.0) > 0:
            values = values * among
        if values.max(initial=0.0) <= 0:
            break
        best = int(values.argmax())
        chosen.append(best)
        apart = np.minimum(apart, distances(X_OH, X_OH[best]) / APART)
        apart[apart < SAME] = 0.0
    return np.array(chosen, dtype=np.intp)


def distances(X_OH: Array, X: Array) -> Array:
    """(m,) [-] How unlike poses (m, 4, 4) are to one (4, 4)."""
    moved = np.linalg.norm(X_OH[:, :3, 3] - X[:3, 3], axis=1) / PLACE
    cosines = (np.einsum("mij,ij->m", X_OH[:, :3, :3], X[:3, :3]) - 1) / 2
    turned = np.arccos(np.clip(cosines, -1.0, 1.0)) / TURN
    apart: Array = np.hypot(moved, turned)
    return apart
