"""The truth about collisions does not depend on what was asked before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from problems.flatten import flatten
from problems.models import Checker, load
from problems.robots import SUBJECTS
from problems.rows import Array
from problems.tree import box


def test_answers_agree_with_the_distance(arm: str, tmp_path: Path) -> None:
    """Near contact, and whatever was asked before, a state collides where coal's distance is not above zero."""
    urdf = str(flatten(SUBJECTS[arm].path, tmp_path / "small.urdf", "exact"))
    model, geometry = load(
        urdf, False, (("fore", "stand"), ("stand", "upper")), [box("block", (0.3, 0.3, 0.3), (0.5, 0, 0.4))]
    )
    checker, random = Checker(model, geometry), np.random.default_rng(0)
    near: list[Array] = []
    while len(near) < 60:
        free, hit = random.uniform(model.lowerPositionLimit, model.upperPositionLimit, (2, 3))
        if not checker.hits(free) and checker.hits(hit):
            while np.linalg.norm(hit - free) > 1e-4:
                middle = 0.5 * (free + hit)
                free, hit = (free, middle) if checker.hits(middle) else (middle, hit)
            near += [free, hit]
    for k in random.permutation(len(near)):
        pin.computeDistances(model, checker.data, geometry, checker.geometry_data, near[k])
        apart = min(result.min_distance for result in checker.geometry_data.distanceResults)
        if abs(apart) > 1e-6:
            assert checker.hits(near[k]) == (apart < 0)
            assert checker.depth(near[k]) == pytest.approx(max(0.0, -apart), abs=1e-6)
