"""How near the parts of a limb are to the rest of the body."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.skills.collision.body_segments import BodySegments
from taskmatrix.skills.collision.collision import CollisionChecker

from .setting import random_configuration, robot_of

WITHIN, STEP = 0.15, 1e-6


@pytest.mark.parametrize("name", ["mannequin", "nao"])
def test_the_nearest_pair_of_each_part_changes_as_it_says(name: str) -> None:
    """By central differences, where the nearest points do not jump; no more pairs than the chain has parts."""
    robot = robot_of(name)
    checker, segments, random, compared = CollisionChecker(robot), BodySegments(robot), np.random.default_rng(4), 0
    arm = robot.indices("left_arm")
    for _ in range(20):
        q = random_configuration(robot, random)
        distances, gradients = segments.distances(checker, "left_arm", q, WITHIN)
        assert len(distances) <= len(arm) - 2
        assert (distances < WITHIN).all()
        for joint in arm:
            ends = [
                segments.distances(checker, "left_arm", q + s * STEP * np.eye(robot.n)[joint], WITHIN)[0]
                for s in (1, -1)
            ]
            if len(ends[0]) == len(ends[1]) == len(distances):
                smooth = (np.abs(ends[0] + ends[1] - 2 * distances) < 1e-9) & (distances > 1e-3)
                change = (ends[0] - ends[1]) / (2 * STEP)
                np.testing.assert_allclose(gradients[smooth, joint], change[smooth], atol=5e-3)
                compared += int(smooth.sum())
    assert compared > 20


def test_a_limb_that_is_far_has_no_pairs_and_one_that_is_none_is_named() -> None:
    """With the chains that there are."""
    robot = robot_of("mannequin")
    checker, segments = CollisionChecker(robot), BodySegments(robot)
    distances, gradients = segments.distances(checker, "left_arm", robot.posture(robot.stance), 1e-6)
    assert distances.shape == (0,)
    assert gradients.shape == (0, robot.n)
    with pytest.raises(NotFoundError, match="did you mean 'left_arm'"):
        segments.distances(checker, "left_amr", robot.posture(robot.stance), WITHIN)
