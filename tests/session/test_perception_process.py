"""What perceives in a session."""

from __future__ import annotations

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.session.perception_process import NoPerception, OmniscientProcess
from taskmatrix.testing import Bench, box_percept


def test_who_sees_all_knows_all_without_an_image_and_who_is_blind_learns_nothing() -> None:
    """Of the plant's truth."""
    plant = Bench([box_percept("cup", (1.0, 0.0, 0.5))]).plant
    models = PerceptualModel(), PerceptualModel()
    for perception_process in (OmniscientProcess(plant, models[0], SimulatedClock()), NoPerception()):
        perception_process()
        assert perception_process.image is None
        perception_process.close()
    assert [list(model.percepts) for model in models] == [["cup"], []]
