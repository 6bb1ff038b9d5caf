"""What is true of every pair of bodies: coal on the meshes as they are, at random and near contact, in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from .models import Checker, load_scene
from .rows import Array, SceneRow, random_source
from .truth import near_contact

PARTS = {"random": 2000, "near": 200}
"""States of a part, which is judged and kept in one go, by kind."""


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


def parts(row: SceneRow, kind: str, count: int, folder: Path) -> Iterator[Part]:
    """States of a kind, ``random`` or ``near``, in parts; what was judged before is read, the rest is judged now.

    Args:
        row: Robot and world.
        kind: Uniform within the limits, or within about 2 mm of contact.
        count: How many; rounded up to whole parts.
        folder: Where parts are kept.
    """
    size, referee = PARTS[kind], None
    for number in range(-(-count // size)):
        path = folder / "contacts" / row.name.replace(" ", "-") / f"{kind}-{number:04d}.npz"
        if not path.exists():
            referee = referee or Referee(*load_scene(row))
            source = random_source("contacts", row.name, kind, number)
            _keep(path, _judged(row, kind, size, source, referee))
        with np.load(path) as kept:
            yield Part(kept["states"], kept["contacts"])


def _judged(row: SceneRow, kind: str, size: int, source: np.random.Generator, referee: Referee) -> Part:
    states = (
        source.uniform(row.body.lower, row.body.upper, (size, len(row.body.joints)))
        if kind == "random"
        else near_contact(row, size, source)
    )
    contacts = [(state, pair) for state, q in enumerate(states) for pair in referee.touching(q)]
    return Part(states, np.array(contacts, dtype=np.int64).reshape(-1, 2))


def _keep(path: Path, part: Part) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, states=part.states, contacts=part.contacts)
    unfinished.replace(path)
