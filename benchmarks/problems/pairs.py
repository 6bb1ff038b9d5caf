"""Pairs of links that are worth testing, found by sampling as MoveIt's setup does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin

from .models import links_of, load, standing
from .rows import random_source

SAMPLES = 2000
ALWAYS = 0.95


def pairs_to_test(robot: str, urdf: Path, stance: dict[str, float]) -> list[tuple[str, str]]:
    """Pairs of links to test: not neighbours, and those that collide neither at rest, nor nearly always, nor never.

    Args:
        robot: Names the random configurations.
        urdf: The flattened robot with convex hulls, all joints moving.
        stance: [rad] How it rests.
    """
    model, geometry = load(str(urdf), True, None)
    data, geometry_data = model.createData(), geometry.createData()

    def hits(q: np.ndarray) -> np.ndarray:
        pin.computeCollisions(model, data, geometry, geometry_data, q, False)
        return np.array([result.isCollision() for result in geometry_data.collisionResults])

    random = random_source("pairs", robot)
    resting = hits(standing(model, stance))
    lower, upper = model.lowerPositionLimit, model.upperPositionLimit
    counts = np.sum([hits(random.uniform(lower, upper)) for _ in range(SAMPLES)], axis=0)
    links, found = links_of(model, geometry), set()
    for k, pair in enumerate(geometry.collisionPairs):
        first, second = (geometry.geometryObjects[i].parentJoint for i in (pair.first, pair.second))
        neighbours = model.parents[first] == second or model.parents[second] == first
        if not neighbours and not resting[k] and 0 < counts[k] <= ALWAYS * SAMPLES:
            found.add(tuple(sorted((links[pair.first], links[pair.second]))))
    return sorted((first, second) for first, second in found)
