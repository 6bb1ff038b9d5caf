from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Comply, Postural
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.simulation.judges import judge_of
from taskmatrix.simulation.physics import PhysicsPlant

from ..worlds import sparse
from .judged import Run


@pytest.mark.pictures
@pytest.mark.parametrize(("robot", "stiffness", "least", "most"), [("talos", 40.0, 0.02, 0.2)])
def test_an_arm_gives_way_to_a_push_and_the_next_behavior_goes_on(
    robot: str, stiffness: float, least: float, most: float
) -> None:
    """As far as its stiffness lets it; the judge agrees; the arm is held where it is, and moves on from there."""
    run = Run(robot, sparse(robot, "table"), sim="mujoco")
    session = run.session
    hand = session.robot.hands["right"]
    assert isinstance(session.plant, PhysicsPlant)
    session.plant.push_link(hand.touch[0], np.array([8.0, 0.0, 4.0]), 0.5)
    comply = Comply(chain="right_arm", duration=2.0, stiffness=stiffness)
    facts = run.judged(comply)
    assert comply.pushed is not None
    assert least < comply.pushed < most
    assert comply.pushed == pytest.approx(facts["pushed"], abs=0.01)
    run.judged(Postural(posture="ready"))
    session.close()


def test_a_plant_that_cannot_give_way_is_refused_before_anything_moves() -> None:
    """With what it takes."""
    with simulate("nao", seed=1) as session:
        before = session.plant.sense().q.copy()
        failure = session.run(Comply(chain="left_arm")).failure
        assert failure is not None
        assert failure.kind is FailureKind.NOT_ABLE
        assert failure.message == ("it takes a plant that drives 'left_arm' with a stiffness; this one drives so: none")
        np.testing.assert_array_equal(session.plant.sense().q, before)


def test_the_judge_sees_what_else_moved() -> None:
    """A posture of both arms, said to be that of one."""
    run = Run("nao")
    run.prepare(Postural(posture="ready"))
    judge = judge_of("comply")
    assert "which is none of left_arm" in judge(run.record, {"chain": "left_arm", "duration": None}).reason
    assert judge(run.record, {"chain": "tail"}).reason == "the robot has no chain 'tail'"
