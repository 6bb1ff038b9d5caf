"""Several tasks at once, on the robot of the fakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core.robot.plans import VIEW, TaskObjective
from taskmatrix.core.robot.policy import JointCommand
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.control.null_space import NullSpace
from taskmatrix.testing import Bench

DT = 0.01
BASE, HEAD, LEFT = [0, 1, 2], [3, 4], [5, 6, 7, 8, 9, 10]


class Runs:
    """Combines commands step by step from the stance on."""

    def __init__(self, *order: str) -> None:
        self.bench = Bench()
        self.skills = self.bench.skills
        self.policy = NullSpace(order).bind(self.skills, DT)
        self.robot = self.skills.robot
        self.last = self.before = self.robot.stance.copy()

    def step(self, *commands: JointCommand) -> Array:
        q, v, _ = self.policy.combine(commands, self.last, self.before)
        assert_allclose(q, self.last + v * DT, atol=1e-6)
        self.before, self.last = self.last, q
        return q

    def command(self, owner: str, joints: list[int], q: Any, *objectives: TaskObjective, v: Any = 0.0) -> JointCommand:
        zero = np.zeros(len(joints))
        return JointCommand(owner, np.array(joints), np.broadcast_to(q, zero.shape) + zero, zero + v, zero, objectives)


def test_what_is_not_shared_goes_out_as_it_is() -> None:
    """To the last bit, however fast."""
    runs = Runs()
    q = runs.policy.combine([runs.command("a", HEAD, 0.3), runs.command("b", LEFT, 0.5)], runs.last, runs.last)[0]
    assert (q[HEAD] == 0.3).all()
    assert (q[LEFT] == 0.5).all()
    assert runs.policy.combine([], runs.last, runs.last)[0].tolist() == runs.last.tolist()


def test_the_base_goes_with_the_first_that_commands_it() -> None:
    """Everything stands on it, and not every base goes where it is pushed."""
    runs = Runs("reach")
    for k in range(100):
        reach = runs.command(
            "reach", [*BASE, *LEFT], [*([0.0] * 3), *runs.robot.stance[LEFT]], TaskObjective("left", 0.2)
        )
        runs.step(runs.command("look", [*BASE, *HEAD], [0.0, 0.0, 0.02 * k, 0.0, 0.0], TaskObjective(VIEW)), reach)
    assert_allclose(runs.last[BASE], 0.0, atol=1e-9)
    assert runs.last[3] > 0.5  # what the base would do for the view the head does


@pytest.mark.parametrize("tolerance", [0.0, 0.05])
def test_nobody_takes_a_joint_further_than_the_tolerance(tolerance: float) -> None:
    """From where the first has it; and when the others are gone it comes back without haste."""
    runs = Runs()
    first = runs.command("reach", LEFT, runs.robot.stance[LEFT], TaskObjective("right", tolerance))
    other = runs.command("wave", LEFT, runs.robot.stance[LEFT] + 1.0)
    for _ in range(100):
        runs.step(first, other)
        assert np.abs(runs.last[LEFT] - first.q).max() <= tolerance + 1e-6
    assert_allclose(runs.last[LEFT], first.q + tolerance, atol=1e-6)
    steps = [runs.step(first)[LEFT] - runs.before[LEFT] for _ in range(100)]
    assert np.abs(np.diff(steps, axis=0)).max() <= 10.0 * DT**2 + 1e-9
    assert np.max(steps) <= 1e-4
    assert_allclose(runs.last[LEFT], first.q)


def test_limits_hold_whatever_is_asked() -> None:
    """Of position, velocity and acceleration."""
    runs, random = Runs(), np.random.default_rng(1)
    for k in range(200):
        if k % 25 == 0:
            q = random.uniform(2.0 * runs.robot.lower, 2.0 * runs.robot.upper)
        moving = runs.last - runs.before
        runs.step(
            runs.command("a", LEFT, q[LEFT]),
            runs.command("b", [*LEFT, *HEAD], q[[*LEFT, *HEAD]], TaskObjective("left")),
        )
        step = runs.last - runs.before
        assert (runs.last >= runs.robot.lower - 1e-9).all()
        assert (runs.last <= runs.robot.upper + 1e-9).all()
        assert np.abs(step).max() <= 1.0 * DT + 1e-9
        assert np.abs(step - moving).max() <= 10.0 * DT**2 + 1e-9


def test_bodies_come_near_each_other_slowly_unless_the_first_brings_them_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who comes second is stopped before a wall; the first had its motion checked when it was planned."""
    row = np.zeros((1, 19))
    row[0, 5] = -1.0

    def wall(q: Array, within: float) -> tuple[Array, Array]:
        return np.array([0.42 - q[5]]), row

    for first, end in (("wave", 0.5), ("hold", 0.42)):
        runs = Runs(first)
        monkeypatch.setattr(runs.skills, "nearer_than", wall)
        for _ in range(300):
            wave = runs.command("wave", [5, 6], [min(0.5, runs.last[5] + 0.002), 0.3], v=[0.2, 0.0])
            runs.step(wave, runs.command("hold", [6], [0.3]))
        if first == "wave":
            assert runs.last[5] > 0.45
        else:
            assert end - 0.01 < runs.last[5] <= end - 0.002


def test_a_view_is_a_direction() -> None:
    """How it turns about itself does not matter, and two that look the same way agree."""
    runs = Runs()
    for _ in range(200):
        turn = runs.command("look", HEAD, [0.4, 0.2], TaskObjective(VIEW))
        runs.step(turn, runs.command("nod", HEAD, [0.0, 0.0]))
    direction = runs.skills.view(runs.last)[:, 0]
    wanted = runs.last.copy()
    wanted[HEAD] = 0.4, 0.2
    assert angle_between(direction, runs.skills.view(wanted)[:, 0]) < 1e-4
