"""What adapters give back, and what several of them need. Numpy and the standard library only."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from problems.rows import SAMPLES, Array, Box, ChainRow

now = time.process_time if os.environ.get("BENCHMARK_CLOCK") == "processor" else time.perf_counter
"""[s] What peers are measured by: the wall, or the processor's time where others use the machine as well."""
POSITION, ANGLE = 9e-5, 9e-4
"""[m] and [rad] Within which peers end; a little closer than the 1e-4 and 1e-3 that the judge demands."""
STEP = 0.05
"""[rad] Between the states of an edge that a planner tests."""
RANGE = 1.0
"""[rad] Longest extension of a tree."""

Solve: TypeAlias = Callable[[Array, float, np.random.Generator], Array | None]
"""Inverse kinematics: target (4, 4), deadline [s] by :func:`now` and random source to (n,) or None."""
Attempt: TypeAlias = Callable[[Array, float], Array | None]
"""From a configuration (n,) until a deadline, to a solution or None."""


class UnsuitedError(Exception):
    """The peer cannot do what the row asks for."""


class Collision:
    """A peer that tells whether a configuration collides."""

    batched = False
    """Whether many configurations are one call."""

    def hits(self, q: Array) -> bool:
        """Whether the robot collides at ``q`` (n,)."""
        raise NotImplementedError

    def edge_hits(self, a: Array, b: Array) -> bool:
        """Whether it collides between two configurations; 64 states in order unless the peer knows better."""
        return any(self.hits(a + t * (b - a)) for t in np.linspace(0.0, 1.0, SAMPLES))

    def all_hit(self, Q: Array) -> Array:
        """(k,) For each of ``Q`` (k, n), whether the robot collides."""
        return np.array([self.hits(q) for q in Q])


@dataclass(frozen=True, eq=False)
class Plan:
    """What a planner found."""

    seconds: float
    """[s] Until the first solution, or until it gave up."""
    path: Array | None = None
    """(k, n) The first solution."""
    cut: Array | None = None
    """(k, n) The same after shortcutting."""
    cutting: float = 0.0
    """[s] Spent on shortcutting."""


Planner: TypeAlias = Callable[[float], Plan]
"""Plans within a limit [s]."""


def restarting(row: ChainRow, aim: Callable[[Array], Attempt]) -> Solve:
    """Tries from the middle of the limits, then from random configurations, until the deadline."""

    def solve(target: Array, deadline: float, random: np.random.Generator) -> Array | None:
        attempt, q = aim(target), row.start
        while True:
            found = attempt(q, deadline)
            if found is not None or now() > deadline:
                return found
            q = random.uniform(row.body.lower, row.body.upper)

    return solve


def small(error: Array) -> bool:
    """Whether an error (6,), position before orientation, is small enough."""
    return bool(np.linalg.norm(error[:3]) < POSITION and np.linalg.norm(error[3:]) < ANGLE)


def close(X: Array, Y: Array) -> bool:
    """Whether two poses (4, 4) are close enough."""
    R = X[:3, :3].T @ Y[:3, :3]
    sine = 0.5 * np.linalg.norm((R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]))
    near = np.linalg.norm(X[:3, 3] - Y[:3, 3]) < POSITION
    return bool(near and np.arctan2(sine, 0.5 * (np.trace(R) - 1.0)) < ANGLE)


def box_mesh(boxes: Iterable[Box]) -> tuple[Array, Array]:
    """[m] Vertices (8 k, 3) and triangles (12 k, 3) of boxes, for peers without boxes."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], dtype=np.int32)
    poses = [(np.array(box.size), box.pose) for box in boxes]
    vertices = [corners * size @ X[:3, :3].T + X[:3, 3] for size, X in poses]
    return np.vstack(vertices), np.vstack([faces + 8 * k for k in range(len(poses))])


def shortcut(path: Array, free: Callable[[Array], bool], tries: int = 200) -> Array:
    """A path (k, n) with detours left out between its own corners, for peers that cannot."""
    random, corners = np.random.default_rng(0), list(path)
    for _ in range(tries):
        if len(corners) < 3:
            break
        i, k = sorted(random.choice(len(corners), 2, replace=False))
        a, b = corners[i], corners[k]
        samples = max(2, int(np.ceil(np.linalg.norm(b - a) / STEP)))
        if k - i > 1 and all(free(a + t * (b - a)) for t in np.linspace(0.0, 1.0, samples)):
            corners[i + 1 : k] = []
    return np.array(corners)
