"""Fetching what was never seen: nothing is known but what a camera sees."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Fetch
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.simulation.judges import Record, judge_of
from taskmatrix.simulation.simulated_plant import Omniscient
from taskmatrix.testing import Bench


def test_what_is_not_found_is_not_picked_up() -> None:
    """The failure says that it was not seen."""
    outcome = Bench().run(Fetch(object="cup", search_time=2.0))
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.UNKNOWN_OBJECT
    assert "was not seen in 2 s" in outcome.failure.explain()


@pytest.mark.slow
@pytest.mark.pictures
def test_a_can_is_found_and_picked_up_on_the_map_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the truth is handed over: what is known has been in an image before, and furniture is never known."""
    monkeypatch.setattr(Omniscient, "__call__", None)
    seen, written = set[str](), list[set[str]]()
    update = PerceptualModel.update

    def watch(model: PerceptualModel, *given: object) -> None:
        update(model, *given)  # type: ignore[arg-type]
        written.append(set(model.percepts) - seen)

    with simulate("bandit", seed=2, perception="map") as session:
        record = Record(session.robot, session.world.objects, session.context.dt, session.plant.truth())
        session.events.subscribe(record)
        session.perception_process.subscribe(  # type: ignore[attr-defined]
            lambda image: seen.update(image.names[k] for k in np.unique(image.labels) if k >= 0)
        )
        assert not session.context.perception.percepts
        monkeypatch.setattr(PerceptualModel, "update", watch)
        outcome = session.run(Fetch(object="soda_can"), timeout=240.0)
        assert outcome.success, outcome
        judgement = judge_of("pickup")(record, {"object": "soda_can"})
        assert judgement.success, judgement.reason
        assert written
        assert not any(written)
        assert not {"table", "stool", "broom_stand"} & set(session.context.perception.percepts)
