"""Contacts that nobody planned, felt by the torques of the motors."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Comply, Postural
from taskmatrix.core import ContactReaction, Event, ParameterError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.simulation.physics import PhysicsPlant

from ..worlds import sparse


@pytest.mark.pictures
@pytest.mark.parametrize("kind", ["stop", "limp"])
def test_an_arm_that_is_pushed_on_its_way_reacts_and_tells_what_was_pushed(kind: str) -> None:
    """Nothing is told while nothing is there; then the arm, the direction and the size. Soft arms are left alone.

    An arm that stops does not get to its posture; one that goes limp may be pushed there.
    """
    with simulate("nao", sparse("nao", "table"), seed=0, sim="mujoco") as session:
        session.react_to_contacts(ContactReaction(kind))
        told: list[Event] = []
        session.events.subscribe(lambda event: told.append(event) if event.kind == "contact" else None)
        assert session.run(Postural(posture="ready")).success
        assert told == []
        assert isinstance(session.plant, PhysicsPlant)
        session.plant.push_link(session.robot.hands["left"].frame, np.array([0.0, 0.0, -12.0]), 10.0)
        outcome = session.run(Postural(posture="rest"))
        if kind == "stop":
            assert outcome.failure is not None
            assert outcome.failure.kind is FailureKind.COLLISION
        assert told[0].data["chain"] == "left_arm"
        force = told[-1].data["force"]
        assert isinstance(force, np.ndarray)
        np.testing.assert_allclose(force, [0.0, 0.0, -12.0], atol=5.0)
        before = len(told)
        session.run(Comply(chain="left_arm", duration=0.5))
        assert len(told) <= before + 1


def test_a_plant_that_senses_no_torques_cannot_feel_contacts() -> None:
    """And says so."""
    with simulate("nao", seed=0) as session, pytest.raises(ParameterError, match="of which this plant tells none"):
        session.react_to_contacts()
