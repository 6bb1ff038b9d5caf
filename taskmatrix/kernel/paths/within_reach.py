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
    scene, (low, high) = kernel.scene, kernel.boxes()
    least, most, here = (kernel.frame_values(values) for values in (lower, upper, q))
    X = kernel.frames(q)
    turned, origins = np.zeros(kernel.model.njoints, dtype=bool), np.zeros((kernel.model.njoints, 2, 3))
    for joint in range(1, kernel.model.njoints):
        parent, moves = scene.parent[joint], most[joint] > least[joint]
        slides = scene.kind[joint] == PRISMATIC
        turned[joint] = turned[parent] or (scene.kind[joint] == REVOLUTE and moves)
        if turned[parent]:
            far = float(np.linalg.norm(scene.placement[joint, 9:])) + slides * max(abs(least[joint]), abs(most[joint]))
            origins[joint] = origins[parent] + np.array([[-far], [far]])
            continue
        offset = X[joint, 9:] - X[parent, 9:]
        ways = np.outer([least[joint] - here[joint], most[joint] - here[joint]], X[joint, 6:9]) * slides
        origins[joint] = origins[parent] + offset + np.array([ways.min(axis=0), ways.max(axis=0)])
    for body in np.flatnonzero(kernel.joints).tolist():
        joint, frame, sizes = kernel.joints[body], scene.bodies[body, FRAME], scene.sizes[body].astype(float)
        R, offset = X[frame, :9].reshape(3, 3), X[frame, 9:] - X[joint, 9:]  # of columns
        if turned[joint]:
            far = float(np.linalg.norm(sizes[CENTRE:BALL])) + sizes[BALL] + float(np.linalg.norm(offset))
            low[body], high[body] = origins[joint, 0] - far, origins[joint, 1] + far
        else:
            middle, half = offset + sizes[CENTRE:BALL] @ R, sizes[HALF:SWEPT] @ np.abs(R)
            low[body], high[body] = origins[joint, 0] + middle - half, origins[joint, 1] + middle + half
    apart = float(scene.margins[:, 0].max(initial=0.0)) + NEARLY
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


def _meet(low: Array, high: Array, other_low: Array, other_high: Array) -> NDArray[np.bool_]:
    """Which boxes with corners (..., 3) touch which others."""
    meet: NDArray[np.bool_] = np.logical_and.reduce(
        [(low[..., k] <= other_high[..., k]) & (other_low[..., k] <= high[..., k]) for k in range(3)]
    )
    return meet
