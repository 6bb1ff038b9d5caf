"""Giving something to a person, in physics; judged."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import HandOver, Pickup
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import judge_of
from taskmatrix.simulation.physics import PhysicsPlant

from ..worlds import sparse
from .judged import Run

GRAVITY = 9.81  # [m/s^2]


class Taker:
    """Pulls at an object from a second after the beginning, with 6 N at most, and keeps it.

    Args:
        run: Of the robot that holds it.
        object: Its id.
    """

    def __init__(self, run: Run, object: str) -> None:
        assert isinstance(run.session.plant, PhysicsPlant)
        self._session, self._plant, self._object = run.session, run.session.plant, object
        self._mass = run.session.world.objects[object].mass or 0.0
        self._begin, self._last = run.session.context.clock.now(), self._at()
        ahead = self._last - np.array([*run.session.skills.position()[:2], self._last[2]])
        self._goal = self._last + 0.25 * ahead / np.linalg.norm(ahead)
        run.session.events.subscribe(self._pull)

    def _pull(self, event: Event) -> None:
        time = event.time - self._begin - 1.0
        if event.kind != "step" or time < 0.0:
            return
        p, dt = self._at(), self._session.context.dt
        force = 80.0 * (self._goal - p)
        force *= min(1.0, min(6.0, 6.0 * time) / max(float(np.linalg.norm(force)), 1e-9))
        force -= 6.0 * (p - self._last) / dt
        self._last = p
        if self._object not in self._plant.held().values():
            force[2] += self._mass * GRAVITY
        self._plant.push_object(self._object, force, dt)

    def _at(self) -> Array:
        poses = self._plant.truth()["poses"]
        assert isinstance(poses, dict)
        p: Array = poses[self._object][:3, 3].copy()
        return p


def test_what_a_person_pulls_at_is_let_go() -> None:
    """And not before; where nobody pulls, the hand keeps it."""
    run = Run("nao", sparse("nao", "table", "soda_can"), sim="mujoco")
    run.prepare(Pickup(object="soda_can"))
    failure = run.session.run(HandOver(duration=1.0)).failure
    assert failure is not None
    assert failure.root.kind is FailureKind.NOT_ACHIEVED
    assert failure.root.message == "nobody pulled at 'soda_can' in 1 s"
    assert "soda_can" in run.session.plant.held().values()
    judgement = judge_of("offer")(run.record, {"object": "soda_can", "pull": 3.0})
    assert not judgement.success
    Taker(run, "soda_can")
    facts = run.judged(HandOver())
    assert 3.0 <= float(str(facts["pulled"])) < 7.0
    run.session.close()


def test_a_hand_that_feels_nothing_is_not_able() -> None:
    """In the kinematic simulation nobody pulls."""
    with simulate("mannequin", seed=1) as session:
        session.run(Pickup(object="soda_can"))
        failure = session.run(HandOver()).failure
        assert failure is not None
        assert failure.root.kind is FailureKind.NOT_ABLE
        assert failure.root.message.startswith("the left hand does not feel what it holds")


@pytest.mark.parametrize("pull", [-1.0, 0.0, float("nan")])
def test_what_is_no_pull_is_refused(pull: float) -> None:
    """When the behavior is made."""
    with pytest.raises(ValueError, match="pull"):
        HandOver(pull=pull)
