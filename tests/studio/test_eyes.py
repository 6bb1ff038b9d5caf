"""What perceives in a session."""

from __future__ import annotations

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.session.eyes import AllSeeing, Blind
from taskmatrix.testing import Bench, thing


def test_who_sees_all_knows_all_without_an_image_and_who_is_blind_learns_nothing() -> None:
    """Of the plant's truth."""
    plant = Bench([thing("cup", (1.0, 0.0, 0.5))]).plant
    models = PerceptualModel(), PerceptualModel()
    for eyes in (AllSeeing(plant, models[0], SimulatedClock()), Blind()):
        eyes()
        assert eyes.image is None
        eyes.close()
    assert [list(model.percepts) for model in models] == [["cup"], []]
