"""Collision checking: a whole robot among boxes or voxels, and the configurations and edges to ask for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from .flatten import flatten
from .models import Checker, load, lowest, standing, write_srdf
from .robots import SUBJECTS
from .rows import SAMPLES, Array, Body, Box, SceneRow, random_source
from .tree import Tree, box

ROBOTS = ("talos", "g1", "icub", "pr2")
MESHES = ("exact", "hull")
WORLDS = ("boxes", "voxels")
CELL = 0.03
"""[m] Edge of a voxel."""
STATES = 200
FREE_EDGES, OTHER_EDGES = 40, 20


def scene_rows(robot: str, folder: Path, pairs: tuple[tuple[str, str], ...]) -> list[SceneRow]:
    """Rows of a robot: its meshes exact and as convex hulls, in both worlds, all with the same configurations.

    Args:
        robot: Its name.
        folder: Where its files are written.
        pairs: Pairs of links that are tested.
    """
    subject = SUBJECTS[robot]
    stance = dict(subject.stance)
    exact, hull = (flatten(subject.path, folder / f"{robot}_{meshes}.urdf", meshes) for meshes in MESHES)
    model, _ = load(str(hull), True, pairs)
    body = replace(Tree(hull).body(hull, tuple(model.names)[1:], (subject.tip,)), pairs=pairs)
    body = replace(body, srdf=str(write_srdf(folder / f"{robot}.srdf", robot, body)))
    random = random_source("col", robot)
    floor = lowest(str(hull), {})
    boxes = _boxes(random, floor, subject.table)
    voxels = _voxels(random, floor)
    worlds: dict[str, tuple[tuple[Box, ...], Array]] = {
        "boxes": (boxes, np.zeros((0, 3))),
        "voxels": (boxes[:1], voxels),
    }
    checkers = [Checker(*load(str(hull), True, pairs, *world, CELL)) for world in worlds.values()]
    configurations = random.uniform(body.lower, body.upper, (STATES, len(body.joints)))
    free = _free_states(random, body, standing(model, stance), checkers)
    good, other = _edges(random, body, free, checkers)
    edges = np.array(good[:FREE_EDGES] + other[:OTHER_EDGES])
    files = {"exact": exact, "hull": hull}
    return [
        SceneRow(
            f"{robot} {meshes} {name}",
            replace(body, urdf=str(urdf)),
            meshes == "hull",
            *world,
            CELL,
            configurations,
            free,
            edges,
            min(len(good), FREE_EDGES),
        )
        for meshes, urdf in files.items()
        for name, world in worlds.items()
    ]


def _boxes(random: np.random.Generator, floor: float, height: float) -> tuple[Box, ...]:
    """A table in front of the robot and 20 boxes in the air around it."""
    boxes = [box("table", (0.8, 1.4, 0.05), (0.85, 0, floor + height))]
    for i in range(20):
        bearing, distance = random.uniform(-np.pi, np.pi), random.uniform(0.55, 1.5)
        size = random.uniform(0.05, 0.25, 3)
        centre = distance * np.cos(bearing), distance * np.sin(bearing), floor + random.uniform(0.2, 1.5)
        boxes.append(box(f"box{i}", size, centre, random.uniform(-3, 3)))
    return tuple(boxes)


def _voxels(random: np.random.Generator, floor: float, count: int = 5000) -> Array:
    """(count, 3) [m] Centres of cells on the surfaces of boxes around the robot, as a depth camera would see them."""
    cells: set[tuple[int, ...]] = set()
    while len(cells) < count:
        size, bearing, distance = random.uniform(0.1, 0.5, 3), random.uniform(-np.pi, np.pi), random.uniform(0.6, 1.6)
        centre = distance * np.cos(bearing), distance * np.sin(bearing), floor + random.uniform(0.1, 1.5)
        points, faces = random.uniform(-0.5, 0.5, (600, 3)), random.integers(0, 3, 600)
        rows = np.arange(len(points))
        points[rows, faces] = 0.5 * np.sign(points[rows, faces])
        cells |= set(map(tuple, np.floor((points * size + np.array(centre)) / CELL).astype(int).tolist()))
    chosen = random.permutation(len(cells))[:count]
    return (np.array(sorted(cells))[chosen] + 0.5) * CELL


def _free_states(random: np.random.Generator, body: Body, centre: Array, checkers: list[Checker]) -> Array:
    """(200, n) Configurations around the stance that are free in all worlds; closer to it while few are."""
    found: list[Array] = []
    spread = 0.5
    for _ in range(60000):
        if len(found) == STATES:
            break
        offset = spread * random.uniform(-0.5, 0.5, len(centre)) * (body.upper - body.lower)
        q = np.clip(centre + offset, body.lower, body.upper)
        if any(checker.hits(q) for checker in checkers):
            spread = max(0.06, 0.995 * spread)
        else:
            found.append(q)
    return np.array(found)


def _edges(
    random: np.random.Generator, body: Body, free: Array, checkers: list[Checker]
) -> tuple[list[tuple[Array, Array]], list[tuple[Array, Array]]]:
    """Edges from free states, and whether they are free all along."""
    good: list[tuple[Array, Array]] = []
    other: list[tuple[Array, Array]] = []
    for _ in range(4000):
        a = free[random.integers(len(free))]
        b = np.clip(a + random.uniform(-0.35, 0.35, len(a)), body.lower, body.upper)
        blocked = any(checker.hits(a + t * (b - a)) for t in np.linspace(0, 1, SAMPLES) for checker in checkers)
        (other if blocked else good).append((a, b))
        if len(good) >= FREE_EDGES and len(other) >= OTHER_EDGES:
            break
    return good, other
