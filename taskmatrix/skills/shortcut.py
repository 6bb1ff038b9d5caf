"""Removing detours from a path."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from taskmatrix.core.objects import Array


def shortcut(
    path: Array,
    displacement: Array,
    edge_is_free: Callable[[Array, Array], bool],
    random: np.random.Generator,
    attempts: int,
) -> Array:
    """Replace pieces of a polyline by straight lines where they are free (Geraerts and Overmars 2007).

    Args:
        path: (m, k) Waypoints.
        displacement: (k,) [m/rad] Metric of its length.
        edge_is_free: Whether the line between two configurations is free.
        random: Source of the places to cut.
        attempts: Bound of the work: one check each, and one for every waypoint that is left in the end.

    Returns:
        (m', k) A path that is no longer, with the same ends.
    """
    path = _without_repetitions(path)
    if len(path) > 2 and edge_is_free(path[0], path[-1]):
        return path[[0, -1]]
    for _ in range(attempts):
        if len(path) < 3:
            break
        lengths = np.linalg.norm(np.diff(path, axis=0) * displacement, axis=1)
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        first, second = np.sort(random.uniform(0.0, along[-1], 2))
        i, p = _at(path, along, first)
        j, r = _at(path, along, second)
        if i == j:
            continue
        saved = second - first - float(np.linalg.norm((r - p) * displacement))
        if saved > 1e-3 and edge_is_free(p, r):
            path = _without_repetitions(np.vstack([path[: i + 1], p, r, path[j + 1 :]]))
    return _pruned(path, edge_is_free)


def _pruned(path: Array, edge_is_free: Callable[[Array, Array], bool]) -> Array:
    """The path without the waypoints that can be skipped: many close to one another make a motion slow."""
    if len(path) < 3:
        return path
    kept = [path[0]]
    for point, following in pairwise(path[1:]):
        if not edge_is_free(kept[-1], following):
            kept.append(point)
    return np.array([*kept, path[-1]])


def _at(path: Array, along: Array, length: float) -> tuple[int, Array]:
    """Number of the piece, and the point, at a length along the path."""
    i = int(np.clip(np.searchsorted(along, length, side="right") - 1, 0, len(path) - 2))
    piece = along[i + 1] - along[i]
    fraction = (length - along[i]) / piece if piece > 0 else 0.0
    point: Array = path[i] + (path[i + 1] - path[i]) * fraction
    return i, point


def _without_repetitions(path: Array) -> Array:
    keep = np.concatenate([[True], np.abs(np.diff(path, axis=0)).max(axis=1) > 1e-9])
    kept: Array = path[keep].copy()
    kept[-1] = path[-1]
    return kept
