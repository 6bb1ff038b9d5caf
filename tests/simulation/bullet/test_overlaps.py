from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.robots import Robot
from taskmatrix.simulation.bullet.body import Body
from taskmatrix.simulation.bullet.engine import Engine
from taskmatrix.simulation.bullet.mass import simulated_model
from taskmatrix.simulation.bullet.overlaps import overlaps
from taskmatrix.simulation.bullet.presets import Physics

from .scenes import robot

pytestmark = pytest.mark.pictures


def loaded(engine: Engine, found: Robot, monkeypatch: pytest.MonkeyPatch) -> Body:
    """The body with all reviewed pairs."""
    monkeypatch.setattr("taskmatrix.simulation.bullet.body.overlaps", lambda *_: set())
    return Body(engine, found, simulated_model(found), found.posture(found.stance), Physics(), {})


def test_links_whose_pieces_alone_meet_are_found(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """iCub's head and torso, and hips and torso; hardly any other, and always the same."""
    found = robot("icub")
    body = loaded(engine, found, monkeypatch)
    pairs = overlaps(engine, found, body.id, body.links)
    for first, second in (("torso_yaw", "neck_yaw"), ("l_hip_pitch", "torso_pitch")):
        assert frozenset((body.links[first], body.links[second])) in pairs
    assert len(pairs) < 20
    assert overlaps(engine, found, body.id, body.links) == pairs


@pytest.mark.parametrize("name", ["mannequin", "talos"])
def test_where_pieces_are_what_they_stand_for_there_are_none(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Legs that cross are no such pair, nor the fingers of one hand."""
    found = robot(name)
    body = loaded(engine, found, monkeypatch)
    assert overlaps(engine, found, body.id, body.links) == set()


def test_the_body_is_left_where_it_was(engine: Engine) -> None:
    """Whatever was tried, it begins in the configuration that it is given."""
    found = robot("icub")
    q = found.posture(found.stance)
    body = Body(engine, found, simulated_model(found), q, Physics(), {})
    np.testing.assert_allclose(body.active()[0], q)
