from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.robots import Robot
from taskmatrix.simulation.bullet.body import Body
from taskmatrix.simulation.bullet.engine import Engine
from taskmatrix.simulation.physics.mass import simulated_model
from taskmatrix.simulation.physics.presets import Physics
from taskmatrix.simulation.physics.self_contacts import overlaps

from .scenes import robot

pytestmark = pytest.mark.pictures


def loaded(engine: Engine, found: Robot, monkeypatch: pytest.MonkeyPatch) -> Body:
    """The body with all reviewed pairs."""
    monkeypatch.setattr("taskmatrix.simulation.physics.self_contacts.overlaps", lambda *_: set())
    return Body(engine, found, simulated_model(found), found.posture(found.stance), Physics(), {})


def test_links_whose_pieces_alone_meet_are_found(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """iCub's head and torso, and hips and torso; hardly any other, and always the same."""
    found = robot("icub")
    body = loaded(engine, found, monkeypatch)
    pairs, joint = overlaps(found, body.depths), found.model.getJointId
    for first, second in (("torso_yaw", "neck_yaw"), ("l_hip_pitch", "torso_pitch")):
        assert frozenset((joint(first), joint(second))) in pairs
    assert len(pairs) < 20
    assert overlaps(found, body.depths) == pairs


@pytest.mark.parametrize("name", ["mannequin", "talos"])
def test_where_pieces_are_what_they_stand_for_there_are_none(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Legs that cross are no such pair, nor the fingers of one hand."""
    found = robot(name)
    body = loaded(engine, found, monkeypatch)
    assert overlaps(found, body.depths) == set()


def test_the_body_is_left_where_it_was(engine: Engine) -> None:
    """Whatever was tried, it begins in the configuration that it is given."""
    found = robot("icub")
    q = found.posture(found.stance)
    body = Body(engine, found, simulated_model(found), q, Physics(), {})
    np.testing.assert_allclose(body.active()[0], q)
