"""Planned motions on which hands yield, and what is rubbed with a force, in physics."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Move, Postural, Reach, Timer, Wipe
from taskmatrix.behaviors.along.rub import HoldOn, Rub
from taskmatrix.behaviors.force.compliant_motion import CompliantMotion
from taskmatrix.behaviors.force.pressing_force import PressingForce
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.physics import PhysicsPlant

from ..worlds import sparse
from .judged import Run

FORCE = np.array([0.0, 2.0, 0.0])  # [N] to the side of a hand that goes up


class Watched(Move):
    """A move that tells where the hand was."""

    def planned(self, plan: object) -> None:
        super().planned(plan)  # type: ignore[arg-type]
        self.places: list[Array] = []

    def step(self) -> object:  # type: ignore[override]
        self.places.append(self.context.skills.forward_kinematics("right")[:3, 3])
        return super().step()


def pushed(stiffness: float | None) -> tuple[float, Session]:
    """[m] How far a hand that goes up is pushed aside, and the session in which it has arrived."""
    session = simulate("nao", sparse("nao", "table"), seed=1, sim="mujoco")
    assert session.run(Postural(posture="ready")).success
    assert isinstance(session.plant, PhysicsPlant)
    session.plant.push_link(session.robot.hands["right"].frame, FORCE, 1.5)
    move = Watched(hand="right", z=0.04, duration=2.0, stiffness=stiffness)
    outcome = session.run(move)
    assert outcome.success, outcome
    return float(np.ptp(np.array(move.places)[:, 1])), session


@pytest.mark.pictures
def test_who_pushes_a_hand_on_its_way_feels_the_spring() -> None:
    """And it arrives when it is left alone, and stays: nothing jumps where springs give way to the plant's control."""
    stiff, session = pushed(None)
    session.close()
    soft, session = pushed(200.0)
    assert stiff < 0.001
    assert soft == pytest.approx(FORCE[1] / 200.0, rel=0.3)
    before = session.skills.forward_kinematics("right")
    assert session.run(Timer(duration=0.3)).success
    np.testing.assert_allclose(session.skills.forward_kinematics("right"), before, atol=5e-4)
    session.close()


@pytest.mark.pictures
def test_an_arm_whose_weight_springs_carry_does_not_sink() -> None:
    """PR2's shoulder holds more than its motor gives."""
    with simulate("pr2", seed=0, sim="mujoco", start=(-0.5, 0.0, 0.0)) as session:
        assert session.run(Postural(posture="ready", duration=0.5)).success
        outcome = session.run(Move(hand="right", z=0.06, duration=1.0, stiffness=1000.0))
        assert outcome.success, outcome


class Carried(CompliantMotion):
    """Commands the base to stay where it is, and no arm."""

    def required_chains(self) -> tuple[str, ...]:
        return "base", *self.context.skills.chains_of_hand("right")

    def compliant_hands(self) -> tuple[str, ...]:
        return ("right",)

    def step(self) -> bool:
        base = self.context.skills.joints("base")
        self.command(base, self.context.arbiter.last[base])
        return self.elapsed > 0.5


@pytest.mark.pictures
def test_a_hand_yields_that_only_the_base_carries() -> None:
    """As a door is opened by walking: what its plan does not move would be as stiff as ever."""
    with simulate("nao", sparse("nao", "table"), seed=1, sim="mujoco") as session:
        assert session.run(Postural(posture="ready")).success
        before = session.skills.forward_kinematics("right")[:3, 3]
        assert isinstance(session.plant, PhysicsPlant)
        session.plant.push_link(session.robot.hands["right"].frame, FORCE, 0.6)
        assert session.run(Carried(stiffness=200.0)).success
        off = session.skills.forward_kinematics("right")[:3, 3] - before
        assert off[1] == pytest.approx(FORCE[1] / 200.0, rel=0.3)


@pytest.mark.pages
def test_a_brush_is_pressed_on_the_table_with_the_force() -> None:
    """Within a newton, in the mean over the patch; and the patch is rubbed, by the judge."""
    run = Run("g1", world="cafe", seed=2, sim="mujoco")
    asked = {"object": "brush", "on": "table", "length": 0.15, "width": 0.0, "duration": 1.0}
    wipe = Wipe(**asked, force=5.0)  # type: ignore[arg-type]
    run.judged(wipe)
    events = [event for event in run.events if "pressed" in event.data]
    assert events[0].data["pressed"] == pytest.approx(5.0, abs=1.0)
    run.session.close()


@pytest.mark.parametrize(
    "behavior",
    [
        Move(hand="right", z=0.02, stiffness=300.0),
        Reach(object="soda_can", stiffness=300.0),
        HoldOn(on="table", stiffness=300.0),
        Rub(on="table", force=5.0),
    ],
)
def test_a_plant_that_knows_positions_only_is_refused(behavior: TaskBehavior) -> None:
    """Before anything moves."""
    with simulate("mannequin", seed=1) as session:
        failure = session.run(behavior).failure
        assert failure is not None
        assert failure.kind is FailureKind.NOT_ABLE
        assert "it takes a plant that drives joints with a stiffness, and this one drives none so" in failure.explain()


def test_a_force_is_corrected_by_what_is_measured() -> None:
    """Where a third is lost on the way, it comes to what was wanted; no more than so often that is commanded."""
    pressing = PressingForce(6.0, 0.02, most=2.0)
    for _ in range(200):
        pressing.measure(pressing.commanded / 1.5)
        pressing.correct()
    assert pressing.measured == pytest.approx(6.0, abs=0.05)
    assert pressing.recent == pytest.approx(6.0, abs=0.05)
    assert pressing.mean < pressing.recent
    for _ in range(200):
        pressing.measure(pressing.commanded / 4.0)
        pressing.correct()
    assert pressing.commanded == 12.0
    assert not pressing.is_lost
    for _ in range(80):
        pressing.measure(0.0)
        pressing.correct()
    assert pressing.is_lost
