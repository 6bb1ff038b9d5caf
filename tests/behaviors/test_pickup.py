from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup, Reach
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import Record, judge_of

from .judged import Run

CASES = [("asimo", "soda_can"), ("mannequin", "vacuum"), ("bandit", "tennis_ball"), ("talos", "vacuum")]


@pytest.mark.parametrize(("robot", "object"), CASES)
def test_the_judge_finds_the_object_picked_up(robot: str, object: str) -> None:
    """The same program on four robots, judged from ground truth."""
    with simulate(robot, seed=1) as session:
        record = Record(session.robot, session.world.objects, session.context.dt, session.plant.truth())
        session.events.subscribe(record)
        outcome = session.run(Pickup(object=object))
        assert outcome.success, outcome
        judgement = judge_of("pickup")(record, {"object": object})
        assert judgement.success, judgement.reason


def test_a_hand_that_opens_little_wider_than_the_object_gets_round_it() -> None:
    """By 6 mm on each side: less than the planner keeps elsewhere, but no contact."""
    run = Run("nao", "apartment", 5)
    run.judged(Pickup(object="detergent"))


@pytest.mark.parametrize("world", ["cottage"])
def test_a_robot_on_two_wheels_never_slips_sideways(world: str) -> None:
    """From the first step to the last it turns and rolls, by the plant's record."""
    recorded: list[Array] = []
    with simulate("bandit", world, seed=1) as session:
        session.events.subscribe(
            lambda event: recorded.append(np.array(event.data["q"])[:3]) if event.kind == "step" else None
        )
        assert session.run(Pickup(object="soda_can")).success
    base = np.array(recorded)
    steps, yaw = np.diff(base, axis=0), (base[1:, 2] + base[:-1, 2]) / 2
    assert np.abs(np.cos(yaw) * steps[:, 0] + np.sin(yaw) * steps[:, 1]).sum() > 0.5
    assert np.abs(steps[:, 2]).sum() > 0.4
    assert np.abs(-np.sin(yaw) * steps[:, 0] + np.cos(yaw) * steps[:, 1]).max() < 1e-9


@pytest.mark.usefixtures("usual_control_step")
def test_fixate_runs_while_reach_is_still_planning() -> None:
    """Planning does not stop the world: the head turns during the simulated planning time, and misses no step."""
    with simulate("mannequin", seed=1) as session:
        events: list[Event] = []
        session.events.subscribe(events.append)
        assert session.run(Pickup(object="vacuum")).success

        def time_of(source: str, message: str) -> float:
            return next(e.time for e in events if e.source == source and e.data.get("message") == message)

        planning_ends = time_of("pickup/reach", "planning-ended")
        assert planning_ends == pytest.approx(0.5)
        assert time_of("pickup/fixate", "controlloop-started") == pytest.approx(0.01)
        goals = [e for e in events if e.source == "pickup/fixate" and str(e.data.get("message")).startswith("goal-")]
        assert len([e for e in goals if e.time < planning_ends]) == 49
        steps = [e.step for e in goals]
        assert steps == list(range(steps[0], steps[0] + len(steps)))
        head = session.skills.joints("head")
        heads = [cast(Array, e.data["q"])[head] for e in events if e.kind == "step" and e.time < 0.5]
        assert any((heads[0] != head).any() for head in heads)


@pytest.mark.parametrize("robot", ["nao"])
def test_a_hand_that_is_there_already_waits_for_the_eyes(robot: str) -> None:
    """After a reach there is little left to do for the arm, and a long way to turn for the head."""
    run = Run(robot)
    run.prepare(Reach(object="vacuum"))
    run.judged(Pickup(object="vacuum"))
    assert run.started("pickup") == ["reach", "fixate", "look", "grasp", "lift"]


def test_eyes_that_cannot_turn_that_far_keep_no_hand_waiting_for_long() -> None:
    """A head that is stuck: the gaze is optional, and the hand waits for as long as it takes to see that."""
    run = Run("mannequin")
    run.prepare(Reach(object="vacuum"))
    session = run.session
    session.context.arbiter.claim("somebody", ["head"])
    outcome = session.run(Pickup(object="vacuum"))
    assert outcome.success, outcome
    assert outcome.duration < 4.0


@pytest.mark.parametrize("robot", ["mannequin"])
def test_what_the_fingers_did_not_hold_is_reached_for_once_more(robot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hand is there and closed; it opens, and closes again."""
    run = Run(robot)
    missed: list[str] = []
    attach = run.session.plant.attach

    def attach_later(hand: str, object: str) -> None:
        if missed:
            attach(hand, object)
        missed.append(hand)

    monkeypatch.setattr(run.session.plant, "attach", attach_later)
    run.judged(Pickup(object="vacuum"))
    started = [name for name in run.started("pickup") if name in ("reach", "grasp", "lift")]
    assert started == ["reach", "grasp", "reach", "grasp", "lift"]
