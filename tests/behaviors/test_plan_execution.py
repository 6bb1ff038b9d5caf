"""Time along a plan."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors.common.pace import BRAKING
from taskmatrix.behaviors.common.tolerances import HAND_ARRIVED, HAND_BEHIND, HAND_HELD_OFF, SETTLING_TIME
from taskmatrix.behaviors.manipulation.plan_execution import STANDING_TIME, PlanExecution
from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.world.geometry import pose
from taskmatrix.testing.line_trajectory import LineTrajectory

DT, DURATION, SPEED = 0.01, 2.0, 0.5


def execution(acceleration: float = 10.0) -> PlanExecution:
    """Of a plan that moves one joint by 1 rad in two seconds."""
    line = LineTrajectory(np.array([1]), np.zeros(1), np.array([SPEED * DURATION]), DURATION)
    return PlanExecution(Plan(line, None, 1.5, False, {}), np.full(3, acceleration), np.eye(4), DT)


def run(run: PlanExecution, seconds: float, brake: bool = False) -> list[float]:
    """The rate after each step."""
    rates = []
    for _ in range(round(seconds / DT)):
        run.advance(brake)
        rates.append(run.rate)
    return rates


def test_undisturbed_it_runs_with_the_clock() -> None:
    """To the last stretch, the end, and the end of the time for corrections."""
    plan = execution()
    run(plan, 1.0)
    assert plan.time == pytest.approx(1.0)
    assert not plan.is_approaching
    run(plan, 0.6)
    assert plan.is_approaching
    assert not plan.is_over
    run(plan, 0.5)
    assert plan.is_over
    assert not plan.is_late
    run(plan, SETTLING_TIME)
    assert plan.is_late


@pytest.mark.parametrize("acceleration", [10.0, 0.8])
def test_it_brakes_and_goes_on_as_gently_as_the_joints_can(acceleration: float) -> None:
    """The rate falls to nothing and comes back; neither changes a joint's speed faster than its limit."""
    plan = execution(acceleration)
    run(plan, 0.5)
    rates = [1.0, *run(plan, 2.0, brake=True), *run(plan, 2.0)]
    assert min(rates) == 0.0
    assert rates[-1] == 1.0
    changes = np.abs(np.diff(rates)) / DT
    assert changes.max() <= min(1.0 / BRAKING, acceleration / SPEED) + 1e-9


def test_a_hand_is_behind_only_as_long_as_it_is() -> None:
    """Once back on its path it has all the time again."""
    plan = execution()
    for distance, angle in ((2.0 * HAND_BEHIND[0], 0.0), (0.0, 2.0 * HAND_BEHIND[1])):
        for _ in range(10):
            assert plan.is_behind(distance, angle)
        assert plan.behind_for == pytest.approx(10 * DT)
        assert not plan.is_behind(0.9 * HAND_BEHIND[0], 0.9 * HAND_BEHIND[1])
        assert plan.behind_for == 0.0


def test_a_hand_has_arrived_when_it_is_near_and_stays() -> None:
    """One that still moves has not, until there is no time left."""
    plan, far = execution(), pose((0.01, 0.0, 0.0))
    assert plan.has_arrived(HAND_ARRIVED[0], HAND_ARRIVED[1], far, at_rest=True)
    assert not plan.has_arrived(1.01 * HAND_ARRIVED[0], 0.0, far, at_rest=True)
    assert not plan.has_arrived(0.0, 1.01 * HAND_ARRIVED[1], far, at_rest=True)
    assert not plan.has_arrived(0.0, 0.0, far, at_rest=False)
    run(plan, DURATION + SETTLING_TIME + 2 * DT)
    assert plan.has_arrived(0.0, 0.0, far, at_rest=False)


def test_a_hand_that_stands_still_for_long_may_be_less_near() -> None:
    """Something bears on it; one that creeps on is still coming."""
    for creep, arrives in ((0.0, True), (0.001, False)):
        plan = execution()
        hands = (pose((creep * number, 0.0, 0.0)) for number in range(2 * round(STANDING_TIME / DT)))
        answers = [plan.has_arrived(*HAND_HELD_OFF, hand, at_rest=True) for hand in hands]
        assert answers[-1] is arrives
        assert not any(answers[: round(STANDING_TIME / DT) - 1])
