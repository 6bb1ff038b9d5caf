from __future__ import annotations

import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Postural
from taskmatrix.conditions import InPosture
from taskmatrix.core.failure import FailureKind


@pytest.mark.parametrize("robot", ["asimo", "mannequin", "bandit", "talos"])
def test_the_posture_is_taken(robot: str) -> None:
    """Every robot gets ready to reach, by its own data."""
    with simulate(robot, seed=1) as session:
        outcome = session.run(Postural(posture="ready"))
        assert outcome.success, outcome
        assert InPosture("ready").evaluate(session.context)


@pytest.mark.parametrize("robot", ["asimo", "mannequin", "bandit", "talos"])
def test_with_the_limb_taken_the_posture_is_mirrored(robot: str) -> None:
    """A wave with the right arm becomes one with the left when the right is taken."""
    with simulate(robot, seed=1) as session:
        right = session.skills.posture("wave_ready_right")
        left = session.skills.mirrored(right)
        assert left is not None
        session.context.arbiter.claim("somebody", ["right_arm"])
        outcome = session.run(Postural(posture="wave_ready_right"))
        assert outcome.success, outcome
        q = session.plant.sense().q
        assert all(abs(q[joint] - position) < 1e-3 for joint, position in left.items())


def test_with_both_limbs_taken_it_says_who_has_them() -> None:
    """Nothing is moved."""
    with simulate("mannequin", seed=1) as session:
        session.context.arbiter.claim("somebody", ["right_arm", "left_arm"])
        failure = session.run(Postural(posture="wave_ready_right")).failure
        assert failure is not None
        assert failure.kind is FailureKind.CHAIN_BUSY
        assert "somebody" in failure.explain()


def test_an_unknown_posture_is_named_with_the_nearest() -> None:
    """The robot's postures are listed."""
    with simulate("mannequin", seed=1) as session:
        failure = session.run(Postural(posture="redy")).failure
        assert failure is not None
        assert "did you mean 'ready'?" in failure.message
