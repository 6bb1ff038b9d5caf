"""Following trajectories step by step."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Contact
from taskmatrix.testing import Bench, LineTrajectory

HEAD = np.array([3, 4], dtype=np.intp)


class There(TaskBehavior):
    """Turn the head to the left, then up."""

    def required_chains(self) -> list[str]:
        return ["head"]

    def step(self) -> Failure | bool:
        left, up = np.array([0.3, 0.0]), np.array([0.3, 0.4])
        return self.follow(LineTrajectory(HEAD, np.zeros(2), left, 0.5), LineTrajectory(HEAD, left, up, 1.0))


def test_trajectories_are_followed_one_after_the_other() -> None:
    """To the end of the last, with no step lost between them."""
    bench = Bench()
    outcome = bench.run(There())
    assert outcome.success
    assert outcome.duration == pytest.approx(1.5, abs=0.011)
    path = np.array([command.q[3:5] for command in bench.plant.commands])
    np.testing.assert_allclose(path[49], [0.3, 0.0], atol=1e-9)
    np.testing.assert_allclose(path[99], [0.3, 0.2], atol=1e-9)
    np.testing.assert_allclose(path[-1], [0.3, 0.4])


def test_what_is_held_back_is_a_collision_with_its_cause() -> None:
    """The guard lets no step out that touches something."""
    bench = Bench()
    bench.skills.contact = lambda q: Contact("head", "shelf", -0.01) if q[4] > 0.2 else None
    failure = bench.run(There()).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.root.facts["pair"] == ("head", "shelf")
