"""What becomes of who commands the robot into something, and of who comes too near to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.behaviors import FollowCommands
from taskmatrix.core import Contact, ParameterError
from taskmatrix.core.robot.joint_commands import JointFeedback, JointTarget
from taskmatrix.core.robot.reflex import Reflex
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench

TILT, PAN = 4, 3
WALL = 0.5  # of the tilt, in radians as if they were metres


class Wall:
    """Something at a position of the tilt, which may be moved."""

    def __init__(self, at: float = WALL) -> None:
        self.at = at

    def __call__(self, q: Array) -> Sequence[Contact]:
        return [Contact("head", "wall", self.at - float(q[TILT]))]


class Agent:
    """Sends the targets of a script when the last one is done or refused."""

    def __init__(self, *targets: JointTarget) -> None:
        self.targets = list(targets)
        self.told: list[JointFeedback] = []

    def __call__(self, feedback: JointFeedback) -> JointTarget | None:
        before = self.told[-1].refused if self.told else None
        self.told.append(feedback)
        if feedback.moving or (feedback.refused is not None and before is None):
            return None
        return self.targets.pop(0) if self.targets and len(self.told) % 100 == 1 else None


def name(bench: Bench, joint: int) -> str:
    return bench.skills.joint_name(joint)


def run(bench: Bench, agent: Agent, seconds: float) -> Array:
    """(steps, n) What went out."""
    outcome = bench.run(FollowCommands(agent, chains="head", duration=seconds))
    assert outcome.success, outcome
    return np.array([command.q for command in bench.plant.commands])


def test_a_command_into_something_leads_back_to_the_last_safe_pose() -> None:
    """Where it rested last; nobody comes nearer than the margin, and all limits hold; then the next is followed."""
    bench = Bench(filters=[Reflex(0.01)])
    bench.skills.near = Wall()
    tilt, pan = name(bench, TILT), name(bench, PAN)
    agent = Agent(JointTarget({tilt: 0.2}), JointTarget({tilt: 0.9, pan: 0.3}), JointTarget({pan: -0.2}))
    q = run(bench, agent, 3.0)
    assert 0.45 < q[:, TILT].max() <= WALL - 0.01
    assert_allclose(q[-1, [PAN, TILT]], [-0.2, 0.2], atol=1e-9)
    assert np.abs(np.diff(q, axis=0)).max() <= 0.01 + 1e-9
    assert np.abs(np.diff(q[:, [PAN, TILT]], n=2, axis=0)).max() <= 10.0 * 0.01**2 + 1e-9
    told = [event.data["did"] for event in bench.events if event.kind == "reflex"]
    assert told == ["veto", "back"]
    refused = [each.refused for each in agent.told if each.refused is not None]
    assert refused
    assert refused[0].facts["pair"] == ("head", "wall")
    assert agent.told[-1].refused is None


def test_without_it_the_guard_lets_one_come_to_the_contact_itself() -> None:
    """What is compared with: plain stopping."""
    bench = Bench()
    wall = Wall()
    bench.skills.contact = lambda q: next((each for each in wall(q) if each.distance <= 0.0), None)
    q = run(bench, Agent(JointTarget({name(bench, TILT): 0.9})), 1.5)
    assert WALL - 0.01 < q[-1, TILT] < WALL


def test_a_transaction_that_is_under_way_begins_where_it_was_told() -> None:
    """A target on the way replaces the one before, and is where a veto leads back to."""
    bench = Bench(filters=[Reflex(0.01)])
    bench.skills.near = Wall()
    tilt = name(bench, TILT)
    sent = list[float]()

    def agent(feedback: JointFeedback) -> JointTarget | None:
        if len(sent) < 2 and feedback.q[1] >= 0.25 * len(sent):
            sent.append(float(feedback.q[1]))
            return JointTarget({tilt: 0.4 if len(sent) == 1 else 0.9})
        return None

    bench.run(FollowCommands(agent, chains="head", duration=3.0))
    assert 0.2 < sent[1] < 0.3
    assert bench.plant.commands[-1].q[TILT] == pytest.approx(sent[1], abs=0.011)


def test_it_goes_on_back_from_what_comes_too_near_by_itself() -> None:
    """To the last safe pose that is safe now."""
    bench = Bench(filters=[Reflex(0.01)])
    wall = bench.skills.near = Wall()
    tilt = name(bench, TILT)
    run(bench, Agent(JointTarget({tilt: 0.2}), JointTarget({tilt: 0.4})), 2.0)
    wall.at = 0.405
    q = run(bench, Agent(), 1.0)
    assert_allclose(q[-1, TILT], 0.2, atol=1e-9)
    assert np.diff(q[-99:, TILT]).max() <= 0.0


def test_what_appears_in_a_robot_that_moves_is_not_gone_into_deeper() -> None:
    """It stops at once, where it brakes before other things, and goes back out."""
    bench = Bench(filters=[Reflex(0.01)])
    wall = bench.skills.near = Wall(2.0)
    sent = list[float]()

    def agent(feedback: JointFeedback) -> JointTarget | None:
        if not sent:
            sent.append(0.0)
            return JointTarget({name(bench, TILT): 0.9})
        if len(sent) == 1 and feedback.q[1] > 0.2:
            sent.append(float(feedback.q[1]))
            wall.at = sent[1] - 0.05
        return None

    bench.run(FollowCommands(agent, chains="head", duration=3.0))
    q = np.array([command.q[TILT] for command in bench.plant.commands])
    assert q.max() == pytest.approx(sent[1], abs=1e-9)
    assert_allclose(q[-1], 0.0, atol=1e-9)


def test_what_is_too_near_already_may_leave_and_not_come_nearer() -> None:
    """Not even to the safe pose on the other side of it."""
    bench = Bench(filters=[Reflex(0.01)])
    bench.skills.near = Wall(0.005)
    tilt = name(bench, TILT)
    q = run(bench, Agent(JointTarget({tilt: 0.1}), JointTarget({tilt: -0.3})), 2.5)
    assert q[:, TILT].max() <= 0.001
    assert_allclose(q[-1, TILT], -0.3, atol=1e-9)


def test_a_way_back_that_is_closed_ends_where_it_is() -> None:
    """After 2 s; nothing comes nearer meanwhile."""
    bench = Bench(filters=[Reflex(0.01)])
    wall = Wall()

    def near(q: Array) -> Sequence[Contact]:
        behind = [Contact("head", "door", float(q[TILT]) - 0.3)] if bench.events and closed(bench) else []
        return [*wall(q), *behind]

    bench.skills.near = near
    q = run(bench, Agent(JointTarget({name(bench, TILT): 0.9})), 5.0)
    told = [event.data["did"] for event in bench.events if event.kind == "reflex"]
    assert told == ["veto", "stuck"]
    assert q[100:, TILT].min() > 0.3


def closed(bench: Bench) -> bool:
    """Whether there was a veto."""
    return any(event.kind == "reflex" for event in bench.events)


def test_a_margin_is_a_length() -> None:
    """Nothing else."""
    for wrong in (0.0, -1.0, True, "wide", np.inf):
        with pytest.raises(ParameterError, match="margin"):
            Reflex(wrong)  # type: ignore[arg-type]
