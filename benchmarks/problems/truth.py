"""What is true about collisions: coal on the meshes, pair by pair, at random and near contact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count as endless
from itertools import pairwise
from pathlib import Path

import numpy as np

from .models import Checker, load_problem, load_scene
from .rows import Array, PlanningRow, Problem, SceneRow, random_source

FINE = 0.02
"""[rad] Between the states at which a path is judged."""
SPREAD = 0.1
"""[rad] or [m] How far an edge that passes near contact goes to each side, at most, in each joint."""
REACHED = 1e-4
"""[rad] or [m] From where a path must begin and end."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Configurations and whether they collide."""

    states: Array
    """(k, n) The first of them uniform within the limits, the others near contact."""
    near: int
    """How many are near contact."""
    hits: Array
    """(k,) Whether they collide."""


def judged(row: SceneRow, random: int, near: int, folder: Path | None = None) -> Judged:
    """Configurations with the truth about them, kept in a folder if one is given."""
    path = None if folder is None else folder / f"{row.name.replace(' ', '-')}-{random}-{near}.npz"
    if path is not None and path.exists():
        with np.load(path) as kept:
            return Judged(kept["states"], near, kept["hits"])
    source = random_source("judged", row.name)
    checker = Checker(*load_scene(row), broadphase=False)
    uniform = source.uniform(row.body.lower, row.body.upper, (random, len(row.body.joints)))
    states = np.concatenate([uniform, near_contact(row, near, source)])
    hits = np.array([checker.hits(q) for q in states], dtype=bool)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, states=states, hits=hits)
    return Judged(states, near, hits)


@dataclass(frozen=True, eq=False)
class JudgedEdges:
    """Edges that pass near contact, free at both ends, and what is true about them."""

    edges: Array
    """(k, 2, n) Their ends."""
    depths: Array
    """(k,) [m] How deep the deepest overlap on each is; zero without any, of 256 states on it."""


def judged_edges(row: SceneRow, count: int, folder: Path | None = None) -> JudgedEdges:
    """Edges with the truth about them, kept in a folder if one is given."""
    path = None if folder is None else folder / f"{row.name.replace(' ', '-')}-edges-{count}.npz"
    if path is not None and path.exists():
        with np.load(path) as kept:
            return JudgedEdges(kept["edges"], kept["depths"])
    source, checker = random_source("judged edges", row.name), Checker(*load_scene(row))
    middles = (near_contact(row, 1, source)[0] for _ in endless())
    edges = edges_past(middles, checker, (row.body.lower, row.body.upper), count, source)
    depths = np.array([deepest(checker, *edge) for edge in edges])
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, edges=edges, depths=depths)
    return JudgedEdges(edges, depths)


def edges_past(
    middles: Iterator[Array], checker: Checker, limits: tuple[Array, Array], count: int, source: np.random.Generator
) -> Array:
    """(count, 2, n) Edges through configurations (n,) near contact, within limits, that are free at both ends."""
    edges: list[Array] = []
    while len(edges) < count:
        middle = next(middles)
        step = source.uniform(-SPREAD, SPREAD, len(middle))
        edge = np.clip([middle - step, middle + step], *limits)
        if not any(checker.hits(q) for q in edge):
            edges.append(edge)
    return np.array(edges).reshape(count, 2, len(limits[0]))


def deepest(checker: Checker, a: Array, b: Array) -> float:
    """[m] How deep bodies overlap at 256 states between two configurations (n,); zero where none do."""
    hits = [q for t in np.linspace(0.0, 1.0, 256) if checker.hits(q := a + t * (b - a))]
    measured = hits[:: max(1, len(hits) // 12)]  # a distance takes long where bodies overlap
    return max((checker.depth(q) for q in measured), default=0.0)


def near_contact(row: SceneRow, count: int, source: np.random.Generator) -> Array:
    """(count, n) Just beside the boundary between free and not: bisected to 1e-4, then moved by up to 2e-3 a joint."""
    checker, found = Checker(*load_scene(row)), np.zeros((count, len(row.body.joints)))
    for k in range(count):
        free = row.free[source.integers(len(row.free))]
        while checker.hits(free):
            free = row.free[source.integers(len(row.free))]
        hit = source.uniform(row.body.lower, row.body.upper)
        while not checker.hits(hit):
            hit = source.uniform(row.body.lower, row.body.upper)
        while np.linalg.norm(hit - free) > 1e-4:
            middle = 0.5 * (free + hit)
            free, hit = (free, middle) if checker.hits(middle) else (middle, hit)
        q = free + source.uniform(-2e-3, 2e-3, len(free))
        found[k] = np.clip(q, row.body.lower, row.body.upper)
    return found


class PathJudge:
    """Judges paths of one problem, on the meshes as they are or on the convex hulls that planners were given."""

    def __init__(self, row: PlanningRow, problem: Problem, hull: bool = False) -> None:
        self._problem, self._checker = problem, Checker(*load_problem(row, problem.boxes, hull))
        self._limits = row.body.lower, row.body.upper

    def wrong(self, path: Array) -> str:
        """What is wrong with a path (k, n); empty if nothing is."""
        for name, q, end in (("start", path[0], self._problem.start), ("goal", path[-1], self._problem.goal)):
            if not np.allclose(q, end, rtol=0.0, atol=REACHED):
                return f"does not {'begin at the' if name == 'start' else 'end at the'} {name}"
        if np.any(path < self._limits[0] - 1e-6) or np.any(path > self._limits[1] + 1e-6):
            return "leaves the limits"
        if any(self._checker.edge_hits(a, b, step=FINE) for a, b in pairwise(path)):
            return "collides"
        return ""
