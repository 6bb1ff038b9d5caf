"""The forward player in physics."""

from __future__ import annotations

import pytest

from taskmatrix import simulate
from taskmatrix.core.world.geometry import pose
from taskmatrix.session.session import PHYSICS_STEP
from taskmatrix.simulation.judges import Record, scores
from taskmatrix.soccer import ForwardPlayer


@pytest.mark.pictures
@pytest.mark.slow
def test_nao_finds_the_ball_and_scores() -> None:
    """By the plant's ground truth; what it says of itself agrees."""
    with simulate("nao", "soccer", start=(1.5, 0.2, 2.0), sim="bullet", physics="fast") as session:
        session.plant.set_pose("ball", pose((2.2, -0.2, session.world.poses["ball"][2, 3])))
        record = Record(session.robot, session.world.objects, PHYSICS_STEP, session.plant.truth())
        session.events.subscribe(record)
        outcome = session.run(ForwardPlayer())
    assert outcome.success
    assert [score.goal for score in scores(record.steps, record.objects, "ball")] == ["yellow_goal"]
