"""Shorter paths: corners cut off in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..collision.scene import BLOCKS, Scene, Work
from ..ik.search import uniform
from ..ik.serial import copy
from ..jit.compiled import compiled, inlined
from .differential_drive import way
from .space import ASK, BLOCKED, FREE, Space, gap, look

LEAST_SAVED = 1e-3  # [m] by a cut
ATTEMPT, FAILURES, CHECKS, AT, LAST = range(5)  # columns of ``now``


@compiled
def shorten(
    scene: Scene,
    work: Work,
    space: Space,
    path: Array,
    seed: int,
    attempts: int,
    patience: int,
    now: NDArray[np.int64],
) -> tuple[Array, Array]:
    """Replace pieces of a free path (m, k) by straight lines where these are free (Geraerts and Overmars 2007).

    The first attempt is the whole path. Of the others, every second one straightens a single joint, so that joints do
    not move which need not. A base that only turns and rolls gets the way that it can go in place of the straight line.

    Args:
        scene: Robot and world.
        work: Memory for it.
        space: Where the path is.
        path: Waypoints.
        seed: Of the places to cut.
        attempts: To make at most.
        patience: Attempts in a row that may save nothing before it is enough.
        now: (5,) Where it stands: attempts made and failed in a row, checks, and the lines in doubt.

    Returns:
        A path (m', k) that is no longer and has the same ends. And a path that would be shorter, if the exact shapes
        were apart on its lines from number ``now[AT]`` up to ``now[LAST]``; where these are the same it is done.
    """
    k = path.shape[1]
    cut = path
    now[AT] = now[LAST] = 0
    while now[ATTEMPT] < attempts and now[FAILURES] < patience and len(path) > 2 and now[AT] == now[LAST]:
        along = lengths(space, path)
        attempt = now[ATTEMPT]
        a, b = uniform(seed, 3 * attempt) * along[-1], uniform(seed, 3 * attempt + 1) * along[-1]
        joint = int(uniform(seed, 3 * attempt + 2) * k) if attempt % 2 else -1
        if attempt == 0:
            a, b = 0.0, along[-1]
        now[ATTEMPT] += 1
        now[FAILURES] += 1
        for base_joint in space.base:
            joint = -1 if joint == base_joint else joint
        if len(space.base) > 0 and joint < 0:
            cut, first, last = rerouted(space, path, along, min(a, b), max(a, b))
        else:
            cut, first, last = straightened(path, along, min(a, b), max(a, b), joint)
        if lengths(space, cut)[-1] > along[-1] - LEAST_SAVED:
            continue
        verdict = BLOCKED
        for n in range(first, last):
            verdict = look(scene, work, space, cut[n], cut[n + 1])
            now[CHECKS] += work.counts[BLOCKS]
            if verdict == ASK:
                now[AT], now[LAST] = n, last
            if verdict != FREE:
                break
        if verdict == FREE:
            path = cut
            now[FAILURES] = 0
    return path, cut


@compiled
def straightened(path: Array, along: Array, a: float, b: float, joint: int) -> tuple[Array, int, int]:
    """The path (m, k) with a joint, or all, straight from one length [m] to another, and where that begins and ends."""
    m, k = path.shape
    i, j = between(along, a, b)
    inner = j - i if joint >= 0 else 0
    cut = np.empty((m - (j - i) + inner + 2, k))
    for n in range(i + 1):
        copy(path[n], cut[n])
    first = i + 1
    last = first + inner + 1
    put_point(path, along, i, a, cut[first])
    put_point(path, along, j, b, cut[last])
    for n in range(first + 1, last):
        copy(path[n - 1], cut[n])
        share = (along[n - 1] - a) / (b - a)
        cut[n, joint] = cut[first, joint] + share * (cut[last, joint] - cut[first, joint])
    for n in range(j + 1, m):
        copy(path[n], cut[last + n - j])
    return cut, first, last


@compiled
def rerouted(space: Space, path: Array, along: Array, a: float, b: float) -> tuple[Array, int, int]:
    """The path (m, k) with a way that a rolling base can go from one length [m] to another, and where it is."""
    i, j = between(along, a, b)
    m, k = path.shape
    ends = np.empty((2, k))
    put_point(path, along, i, a, ends[0])
    put_point(path, along, j, b, ends[1])
    corners = way(space, ends[0], ends[1])
    if len(corners) < 2:
        return path, 0, 0
    first, last = i + 1, i + len(corners)
    cut = np.empty((m - (j - i) + len(corners), k))
    for n in range(len(cut)):
        if n < first:
            copy(path[n], cut[n])
        elif n <= last:
            copy(corners[n - first], cut[n])
        else:
            copy(path[n - last + j], cut[n])
    return cut, first, last


@inlined
def between(along: Array, a: float, b: float) -> tuple[int, int]:
    """The pieces of a path in which two lengths [m] are, of its lengths (m,)."""
    i = 0
    while i < len(along) - 2 and along[i + 1] <= a:
        i += 1
    j = i
    while j < len(along) - 2 and along[j + 1] < b:
        j += 1
    return i, j


@inlined
def put_point(path: Array, along: Array, piece: int, length: float, point: Array) -> None:
    """The point of a piece at a length [m] along the path into ``point`` (k,)."""
    whole = along[piece + 1] - along[piece]
    share = (length - along[piece]) / whole if whole > 0 else 0.0
    for k in range(len(point)):
        point[k] = path[piece, k] + share * (path[piece + 1, k] - path[piece, k])


@compiled
def lengths(space: Space, path: Array) -> Array:
    """(m,) [m] Along the path (m, k), from its beginning."""
    along = np.zeros(len(path))
    for n in range(1, len(path)):
        along[n] = along[n - 1] + gap(space, path[n - 1], path[n])
    return along
