"""What bad filters get: the run ends with the robot held, and says which filter it was."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.behaviors import FollowCommands
from taskmatrix.core import Command, EventStream, ParameterError, TaskMatrixError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot import filter_monitor
from taskmatrix.core.robot.arbiter import Filter
from taskmatrix.core.robot.filter_monitor import FilterMonitor
from taskmatrix.core.robot.joint_commands import JointFeedback, JointTarget
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench


def after_ten(act: Filter) -> Filter:
    """A filter that is good for ten control steps."""
    count = [0]

    def slow_start(command: Command, q: Array) -> Command:
        count[0] += 1
        return act(command, q) if count[0] > 10 else command

    return slow_start


def raises(command: Command, q: Array) -> Command:
    raise ValueError("no idea")


def blocks(command: Command, q: Array) -> Command:
    end = time.monotonic() + 5.0
    while time.monotonic() < end:
        pass
    return command


def is_not_finite(command: Command, q: Array) -> Command:
    return replace(command, q=np.where(np.arange(len(q)) == 3, np.nan, command.q))


def is_too_short(command: Command, q: Array) -> Command:
    return replace(command, v=command.v[:2])


def forgets(command: Command, q: Array) -> Command:
    return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (raises, "raised ValueError: no idea, at"),
        (blocks, "does not come back within 0.1 s, at"),
        (is_not_finite, "returned nan for the q of head_0"),
        (is_too_short, "whose v is of shape (2,), not (19,)"),
        (forgets, "returned None, which is no Command"),
    ],
)
def test_a_bad_filter_ends_the_run_and_is_named(monkeypatch: pytest.MonkeyPatch, act: Filter, words: str) -> None:
    """The plant gets a hold in that very step, and nothing else after it; the next run begins with the filter again."""
    monkeypatch.setattr(filter_monitor, "BLOCKS", 0.1)
    bench = Bench(filters=[after_ten(act)])
    outcome = bench.run(FollowCommands(lambda feedback: JointTarget(velocities={feedback.joints[0]: 0.5})))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.FILTER
    assert outcome.failure.where == "filter slow_start"
    assert words in outcome.failure.message
    q = np.array([command.q for command in bench.plant.commands])
    assert len(q) == 12
    assert q[9, 3] > 0.0
    assert_allclose(q[9:] - q[9], 0.0)
    assert not bench.run(FollowCommands(lambda feedback: None, duration=1.0)).success


def test_a_filter_that_moves_backwards_for_ever_is_ended() -> None:
    """After half a minute in which a joint moved against what was commanded; slowing down is no such thing."""

    def back(command: Command, q: Array) -> Command:
        return replace(command, q=q - 0.01 * (command.q - q))

    def slow(command: Command, q: Array) -> Command:
        return replace(command, q=q + 0.001 * (command.q - q))

    def agent(feedback: JointFeedback) -> JointTarget:
        return JointTarget(velocities={feedback.joints[0]: 0.02})

    outcome = Bench(dt=0.1, filters=[back]).run(FollowCommands(agent, duration=40.0), timeout=60.0)
    assert outcome.failure is not None
    assert outcome.failure.message == "has moved head_0 by itself for 30 s, and does not end"
    assert outcome.duration == pytest.approx(30.1, abs=0.25)
    assert Bench(dt=0.1, filters=[slow]).run(FollowCommands(agent, duration=40.0), timeout=60.0).success


def as_it_is(command: Command, q: Array) -> Command:
    return command


class Scale:
    """Makes a filter for each session."""

    def __init__(self) -> None:
        self.made: list[tuple[SkillSet, float]] = []

    def bind(self, skills: SkillSet, dt: float, events: EventStream) -> Filter:
        self.made.append((skills, dt))
        return as_it_is


def test_a_filter_is_bound_to_each_session() -> None:
    """With its skills and control step."""
    scale = Scale()
    benches = [Bench(filters=[scale]), Bench(filters=[scale], dt=0.02)]
    assert [dt for _, dt in scale.made] == [0.01, 0.02]
    assert all(made is bench.skills for (made, _), bench in zip(scale.made, benches, strict=True))


class Forgetful:
    """Binds to nothing."""

    def bind(self, skills: SkillSet, dt: float, events: EventStream) -> Filter:
        return None  # type: ignore[return-value]


def test_what_is_no_filter_is_refused_before_anything_moves() -> None:
    """A class, a number, and what makes none."""
    for wrong in (Scale, 3):
        with pytest.raises(ParameterError, match="a filter is an instance"):
            FilterMonitor(wrong)  # type: ignore[arg-type]
    with pytest.raises(TaskMatrixError, match="bind\\(\\) of filter Forgetful returned None"):
        Bench(filters=[Forgetful()])
