"""Which pairs of bodies can come near each other at all, wherever some joints are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..collision.kernel import Kernel
from ..collision.scene import BALL, CENTRE, FRAME, HALF, PRISMATIC, REVOLUTE, SWEPT

NEARLY = 1e-4  # [m] that rounding may be off by


def within_reach(kernel: Kernel, q: Array, lower: Array, upper: Array) -> NDArray[np.bool_]:
    """(p,) Pairs whose bodies are not certainly further apart than the largest margin.

    A body that turns about some joint is taken to be anywhere in a ball around the place where that joint is, one that
    only slides in a box.

    Args:
        kernel: Robot and world.
        q: (nq,) [rad, m] Positions within the range.
        lower: (nq,) [rad, m] What each joint may come to at least.
        upper: (nq,)
    """
    scene, (low, high), X = kernel.scene, kernel.boxes(), kernel.frames(q)
    turned, origins = _origins(kernel, X, q, lower, upper)
    bodies = np.flatnonzero(kernel.joints)
    joints, frames, sizes = kernel.joints[bodies], scene.bodies[bodies, FRAME], scene.sizes[bodies].astype(float)
    R, offset = X[frames, :9].reshape(-1, 3, 3), X[frames, 9:] - X[joints, 9:]  # of columns
    middle = offset + np.einsum("bki,bk->bi", R, sizes[:, CENTRE:BALL])
    half = np.einsum("bki,bk->bi", np.abs(R), sizes[:, HALF:SWEPT])
    far = np.linalg.norm(sizes[:, CENTRE:BALL], axis=1) + sizes[:, BALL] + np.linalg.norm(offset, axis=1)
    anywhere = turned[joints]
    middle[anywhere], half[anywhere] = 0.0, far[anywhere, None]
    low[bodies], high[bodies] = origins[joints, 0] + middle - half, origins[joints, 1] + middle + half
    apart = float(scene.surroundings.widest[0]) + NEARLY
    near, surroundings = np.zeros(len(scene.pairs), dtype=bool), scene.surroundings
    first, second = scene.pairs[surroundings.other].T
    near[surroundings.other] = _meet(low[first], high[first] + apart, low[second], high[second] + apart)
    moving, still = surroundings.moving, surroundings.still
    if len(moving):
        around = low[moving].min(axis=0), high[moving].max(axis=0) + apart
        columns = np.flatnonzero(_meet(*around, low[still], high[still] + apart))
        pairs, some, moving = surroundings.pairs[:, columns], still[columns], moving[:, None]
        meet = _meet(low[moving], high[moving] + apart, low[some], high[some] + apart)
        near[pairs[meet & (pairs >= 0)]] = True
    return near


def _origins(kernel: Kernel, X: Array, q: Array, lower: Array, upper: Array) -> tuple[NDArray[np.bool_], Array]:
    """(j,) Which joints' bodies turn, and (j, 2, 3) [m] corners of a box in which each joint's frame is."""
    scene, count = kernel.scene, kernel.model.njoints
    least, most, here = (kernel.frame_values(values)[:count] for values in (lower, upper, q))
    parents, slides = scene.parent[:count], scene.kind[:count] == PRISMATIC
    turns = (scene.kind[:count] == REVOLUTE) & (most > least)
    far = np.linalg.norm(scene.placement[:count, 9:], axis=1) + slides * np.maximum(np.abs(least), np.abs(most))
    around = far[:, None, None] * np.array([[-1.0], [1.0]])
    ways = (np.array([least - here, most - here]) * slides).T[:, :, None] * X[:count, None, 6:9]
    along = (X[:count, 9:] - X[parents, 9:])[:, None] + np.stack([ways.min(axis=1), ways.max(axis=1)], axis=1)
    turned, origins = np.zeros(count, dtype=bool), np.zeros((count, 2, 3))
    for joint, parent in enumerate(parents[1:].tolist(), 1):
        turned[joint] = turned[parent] or turns[joint]
        origins[joint] = origins[parent] + (around if turned[parent] else along)[joint]
    return turned, origins


def _meet(low: Array, high: Array, other_low: Array, other_high: Array) -> NDArray[np.bool_]:
    """Which boxes with corners (..., 3) touch which others."""
    meet: NDArray[np.bool_] = np.logical_and.reduce(
        [(low[..., k] <= other_high[..., k]) & (other_low[..., k] <= high[..., k]) for k in range(3)]
    )
    return meet
