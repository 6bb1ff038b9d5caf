"""How near bodies are, and how joints change that."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.skills.collision.collision import CollisionChecker

from .setting import random_configuration, robot_of

WITHIN, STEP = 0.03, 1e-6  # [m]; [m, rad] of central differences


@pytest.mark.parametrize("name", ["mannequin", "talos"])
def test_distances_change_as_they_say(name: str) -> None:
    """Gradients are those of central differences, where the nearest points do not jump."""
    robot = robot_of(name)
    checker, random, compared = CollisionChecker(robot), np.random.default_rng(1), 0
    for _ in range(4):
        q = random_configuration(robot, random)
        distances, gradients = checker.nearer_than(q, WITHIN)
        assert gradients.shape == (len(distances), robot.n)
        assert (distances <= WITHIN + 1e-9).all()
        for joint in random.choice(robot.n, 6, replace=False):
            ahead, behind = (q + side * STEP * np.eye(robot.n)[joint] for side in (1, -1))
            after, before = (checker.nearer_than(at, WITHIN)[0] for at in (ahead, behind))
            if len(after) == len(before) == len(distances):
                change = (after - before) / (2 * STEP)
                smooth = np.abs(after + before - 2 * distances) < 1e-9
                good = np.isclose(change, gradients[:, joint], atol=5e-3) | ~smooth | (distances < 1e-3)
                assert good.all()
                compared += int((smooth & (distances >= 1e-3)).sum())
    assert compared > 10


def test_contacts_are_among_what_is_near() -> None:
    """Whatever is in contact has a distance of nothing or less."""
    robot = robot_of("talos")
    checker, random = CollisionChecker(robot), np.random.default_rng(2)
    for _ in range(5):
        q = random_configuration(robot, random)
        contact = checker.contact(q)
        distances, _ = checker.nearer_than(q, WITHIN)
        if contact is not None:
            assert distances.min() <= contact.distance + 1e-6


def test_nothing_is_near_nothing() -> None:
    """Arrays without rows."""
    robot = robot_of("mannequin")
    checker, random = CollisionChecker(robot), np.random.default_rng(3)
    q = next(q for q in (random_configuration(robot, random) for _ in range(1000)) if checker.is_free(q))
    distances, gradients = checker.nearer_than(q, 1e-9)
    assert distances.shape == (0,)
    assert gradients.shape == (0, robot.n)
