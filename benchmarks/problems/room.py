"""Configurations with room around the robot: what there is to check is quickly clear."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin

from .models import load_scene, standing
from .robots import SUBJECTS
from .rows import Array, SceneRow, random_source

CLEAR = 0.05
"""[m] Between all bodies, but those of pairs that are always close."""
APART = 0.002
"""[m] Between those."""
STATES = 256
SAMPLES = 200
"""Random configurations that tell which pairs are always close: nearer than :data:`CLEAR` in half of them."""
TRIES = 20000


def open_states(row: SceneRow, folder: Path | None = None) -> Array:
    """(k, n) Up to 256 configurations around the stance with room on all sides, kept in a folder if one is given.

    None in the world of voxels.
    """
    path = None if folder is None else folder / f"{row.name.replace(' ', '-')}-open.npy"
    if path is not None and path.exists():
        return np.asarray(np.load(path))
    source, proximity = random_source("open", row.name), _Nearness(row)
    found: list[Array] = []
    for _ in range(0 if len(row.voxels) else TRIES):
        spread = source.uniform(0.1, 1.0) * source.uniform(-0.5, 0.5, len(proximity.stance))
        q = np.clip(proximity.stance + spread * (row.body.upper - row.body.lower), row.body.lower, row.body.upper)
        if proximity.is_open(q):
            found.append(q)
        if len(found) == STATES:
            break
    states = np.array(found).reshape(-1, len(row.body.joints))
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, states)
    return states


class _Nearness:
    """What is near what, by coal."""

    def __init__(self, row: SceneRow) -> None:
        self._model, self._geometry = load_scene(row)
        self._data, self._geometry_data = self._model.createData(), self._geometry.createData()
        self.stance = standing(self._model, dict(SUBJECTS[row.name.split()[0]].stance))
        pairs = list(range(len(self._geometry.collisionPairs)))
        source, often = random_source("always close", row.name), np.zeros(len(pairs))
        for _ in range(0 if len(row.voxels) else SAMPLES):
            often[self._nearer(source.uniform(row.body.lower, row.body.upper), pairs)] += 1
        self._close = np.flatnonzero(2 * often > SAMPLES).tolist()
        self._others = [pair for pair in pairs if pair not in set(self._close)]
        for pair in self._close:
            self._geometry_data.collisionRequests[pair].security_margin = APART

    def is_open(self, q: Array) -> bool:
        """Whether there is room around the robot."""
        in_the_way = self._nearer(q, self._others, first=True) or self._nearer(q, self._close, first=True)
        for pair in in_the_way:
            if pair in self._others:  # what was in the way is likely to be so again
                self._others.remove(pair)
                self._others.insert(0, pair)
        return not in_the_way

    def _nearer(self, q: Array, pairs: list[int], first: bool = False) -> list[int]:
        """Those of some pairs that are nearer than they should be, or the first of them."""
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)
        found = []
        for pair in pairs:
            request = self._geometry_data.collisionRequests[pair]
            request.security_margin = request.security_margin or CLEAR
            if pin.computeCollision(self._geometry, self._geometry_data, pair):
                found.append(pair)
                if first:
                    break
        return found
