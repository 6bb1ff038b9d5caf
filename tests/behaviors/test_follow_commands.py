"""Joints that somebody else commands."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.behaviors import FollowCommands
from taskmatrix.core import ParameterError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.base.wire import encode
from taskmatrix.core.remote.remote_joint_commands import RemoteJointCommands
from taskmatrix.core.robot.joint_commands import JointCommands, JointFeedback, JointTarget
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench, FakeNetwork

PAN, TILT = 3, 4


def commanded(bench: Bench) -> Array:
    """(steps, n)"""
    return np.array([command.q for command in bench.plant.commands])


def once(target: JointTarget) -> JointCommands:
    commands = JointCommands()
    commands.send(target.positions, target.velocities)
    return commands


def test_positions_are_gone_to_within_the_limits() -> None:
    """Of position, velocity and acceleration, and stayed at."""
    bench = Bench()
    commands = once(JointTarget({"head_0": 0.5, "head_1": -7.0}))
    assert bench.run(FollowCommands(commands, chains="head", duration=3.0)).success
    q = commanded(bench)
    assert_allclose(q[-1, [PAN, TILT]], [0.5, -1.0], atol=1e-12)
    assert np.abs(np.diff(q, axis=0)).max() <= 1.0 * 0.01
    assert np.abs(np.diff(q, n=2, axis=0)).max() <= 10.0 * 0.01**2 + 1e-12
    feedback = commands.feedback
    assert feedback is not None
    assert feedback.joints == ("head_0", "head_1")
    assert not feedback.moving
    assert_allclose(feedback.q, [0.5, -1.0], atol=1e-12)


def test_velocities_are_held_for_half_a_second_and_end_before_the_limits() -> None:
    """Nobody has to say stop; who tells them again goes on."""
    bench = Bench()
    bench.run(FollowCommands(once(JointTarget(velocities={"head_0": -0.2})), chains="head", duration=1.0))
    q = commanded(bench)
    assert_allclose(q[-1, PAN], -0.2 * 0.5, atol=0.01)
    assert_allclose(np.diff(q[20:40, PAN]), -0.002)
    bench = Bench()
    again = FollowCommands(lambda feedback: JointTarget(velocities={"head_1": 0.8}), chains="head", duration=3.0)
    assert bench.run(again).success
    assert_allclose(commanded(bench)[-1, TILT], 1.0, atol=1e-6)


def test_it_takes_all_chains_but_base_and_legs_unless_it_is_told() -> None:
    """And what it is told, if there is such a chain."""
    bench, seen = Bench(), list[tuple[str, ...]]()

    def look(feedback: JointFeedback) -> None:
        seen.append(feedback.joints)

    bench.run(FollowCommands(look, duration=0.02))
    assert len(seen[0]) == 16
    outcome = Bench().run(FollowCommands(look, chains="head, tail"))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.NOT_ABLE


def test_a_source_ends_it_with_success() -> None:
    """By StopIteration, or by stop() of a JointCommands."""
    commands = JointCommands()
    commands.stop()
    behavior = FollowCommands(commands)
    assert Bench().run(behavior).success
    assert behavior.outputs == {"vetoes": 0}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (JointTarget({"head_7": 0.1}), "no joint 'head_7'; did you mean 'head_1'?"),
        (0.3, "returned 0.3, which is no JointTarget"),
    ],
)
def test_a_source_that_is_wrong_ends_it(answer: object, words: str) -> None:
    """With the nearest name."""
    outcome = Bench().run(FollowCommands(lambda feedback: answer, chains="head"))  # type: ignore[arg-type,return-value]
    assert outcome.failure is not None
    assert words in outcome.failure.explain()


def test_without_a_source_it_says_what_is_missing() -> None:
    """And what cannot be called is refused at once."""
    outcome = Bench().run(FollowCommands())
    assert outcome.failure is not None
    assert "give it a source, or a name 'at'" in outcome.failure.message
    with pytest.raises(ParameterError, match="source of joint commands"):
        FollowCommands("head_0")  # type: ignore[arg-type]


def test_another_process_commands_and_is_told_what_it_did_wrong() -> None:
    """Garbage and unknown joints are left out; the last feedback arrives."""
    network = FakeNetwork()
    there, bench = network.process(), Bench(transport=network.process())
    behavior = FollowCommands(at="arm", chains="head")
    remote = RemoteJointCommands(there, "arm")
    assert remote.feedback is None
    bench.ticks(behavior, 2)
    for wrong in (b"garbage", encode({"positions": {"head_0": 1.0}}), encode([3])):
        there.publish("arm/joints/in", wrong)
    remote.send({"head_7": 0.2})
    bench.executive.step(behavior)
    feedback = remote.feedback
    assert feedback is not None
    assert feedback.refused is not None
    assert "There are: head_0" in feedback.refused.message
    remote.send({"head_0": 0.2}, {"head_1": 0.1})
    for _ in range(30):
        bench.executive.step(behavior)
    feedback = remote.feedback
    assert feedback is not None
    assert feedback.refused is None
    assert feedback.q[0] > 0.01
    assert feedback.moving
    remote.stop()
    bench.executive.step(behavior)
    assert behavior.outputs == {"vetoes": 0}
    remote.close()
