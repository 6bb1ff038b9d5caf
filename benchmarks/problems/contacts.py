"""What is true of every pair of bodies: coal on the meshes as they are, at random and near contact, in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count as endless
from pathlib import Path

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from .furnished import Furnished
from .models import Checker
from .rows import Array, random_source
from .truth import deepest, edges_past

PARTS = {"random": 2000, "near": 200}
"""States of a part, which is judged and kept in one go, by kind."""
NEAR = 1e-3
"""[rad] or [m] in all joints together, by which nothing of a robot moves by 2 mm."""


@dataclass(frozen=True, eq=False)
class Part:
    """Configurations and which pairs touch in them."""

    states: Array
    """(k, n)."""
    contacts: NDArray[np.int64]
    """(c, 2) State and pair, of the geometry model's pairs."""


class Referee:
    """Pairs in contact, each asked by itself.

    What comes before coal is only the boxes around the bodies along the axes of the world, in double precision.
    """

    def __init__(self, model: pin.Model, geometry: pin.GeometryModel) -> None:
        self._checker = Checker(model, geometry, broadphase=False)
        boxes = []
        for item in geometry.geometryObjects:
            item.geometry.computeLocalAABB()
            box = item.geometry.aabb_local
            boxes.append((np.asarray(box.min_).ravel(), np.asarray(box.max_).ravel()))
        low, high = np.array([low for low, _ in boxes]), np.array([high for _, high in boxes])
        self._centre, self._half = (low + high) / 2, (high - low) / 2 + 1e-9
        pairs = np.array([(pair.first, pair.second) for pair in geometry.collisionPairs], dtype=np.int64)
        self._first, self._second = pairs.reshape(-1, 2).T

    def touching(self, q: Array) -> list[int]:
        """Numbers of the pairs in contact at a configuration."""
        model, data, checker = self._checker.model, self._checker.geometry_data, self._checker
        pin.updateGeometryPlacements(model, checker.data, checker.geometry, data, q)
        R = np.array([X.rotation for X in data.oMg])
        centre = np.array([X.translation for X in data.oMg]) + np.einsum("kij,kj->ki", R, self._centre)
        half = np.einsum("kij,kj->ki", np.abs(R), self._half)
        a, b = self._first, self._second
        near = np.flatnonzero((np.abs(centre[a] - centre[b]) <= half[a] + half[b]).all(axis=1))
        return [pair for pair in near.tolist() if pin.computeCollision(checker.geometry, data, pair)]


def parts(problem: Furnished, kind: str, count: int, folder: Path) -> Iterator[Part]:
    """States of a kind, ``random`` or ``near``, in parts; what was judged before is read, the rest is judged now.

    Args:
        problem: Robot and world.
        kind: Half of them uniform within the limits and half about the stance, or within 2 mm of contact.
        count: How many; rounded up to whole parts.
        folder: Where parts are kept.
    """
    size, referee = PARTS[kind], None
    for number in range(-(-count // size)):
        path = folder / "contacts" / problem.name.replace(" ", "-") / f"{kind}-{number:04d}.npz"
        if not path.exists():
            referee = referee or Referee(problem.model, problem.geometry)
            source = random_source("contacts", problem.name, kind, number)
            _keep(path, _judged(problem, kind, size, source, referee))
        with np.load(path) as kept:
            yield Part(kept["states"], kept["contacts"])


def _judged(problem: Furnished, kind: str, size: int, source: np.random.Generator, referee: Referee) -> Part:
    if kind == "near":
        states = near_contact(problem, Checker(problem.model, problem.geometry), size, source)
    else:
        uniform = source.uniform(problem.lower, problem.upper, (size // 2, len(problem.lower)))
        states = np.concatenate([uniform, [problem.near_stance(source) for _ in range(size - size // 2)]])
    contacts = [(state, pair) for state, q in enumerate(states) for pair in referee.touching(q)]
    return Part(states, np.array(contacts, dtype=np.int64).reshape(-1, 2))


def near_contact(problem: Furnished, checker: Checker, count: int, source: np.random.Generator) -> Array:
    """(count, n) On either side of the boundary between free and not, bisected until nothing moves by 2 mm."""
    found, sides = np.zeros((count, len(problem.lower))), source.integers(0, 2, count)
    for k in range(count):
        free, hit = _one(problem, checker, source, False), _one(problem, checker, source, True)
        while np.abs(hit - free).sum() > NEAR:
            middle = 0.5 * (free + hit)
            free, hit = (free, middle) if checker.hits(middle) else (middle, hit)
        found[k] = (free, hit)[sides[k]]
    return found


def edges_near_contact(problem: Furnished, count: int, folder: Path) -> tuple[Array, Array]:
    """(count, 2, n) edges past something, free at both ends, and (count,) [m] how deep bodies overlap on each.

    Of 256 states on it; zero where nothing overlaps.
    """
    path = folder / "contacts" / problem.name.replace(" ", "-") / f"edges-{count}.npz"
    if not path.exists():
        source, checker = random_source("edges", problem.name), Checker(problem.model, problem.geometry)
        middles = (near_contact(problem, checker, 1, source)[0] for _ in endless())
        edges = edges_past(middles, checker, (problem.lower, problem.upper), count, source)
        depths = [deepest(checker, *edge) for edge in edges]
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, edges=edges, depths=np.array(depths))
    with np.load(path) as kept:
        return kept["edges"], kept["depths"]


def _one(problem: Furnished, checker: Checker, source: np.random.Generator, hits: bool) -> Array:
    """(n,) A configuration that is in contact, or one that is not."""
    while True:
        q = problem.near_stance(source)
        if checker.hits(q) is hits:
            return q


def _keep(path: Path, part: Part) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, states=part.states, contacts=part.contacts)
    unfinished.replace(path)
