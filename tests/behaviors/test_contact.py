"""What behaviors do where things give: fingers that need time, objects that are pushed, and slip in the hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from taskmatrix.behaviors import Grasp, Position, Reach
from taskmatrix.behaviors.manipulation.grasp import HOLD_TIMEOUT
from taskmatrix.conditions import Graspable, RestingOn
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench, box_percept

CUP = box_percept("cup", (0.6, 0.1, 1.0))
TABLE = box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")


def touching(bench: Bench) -> None:
    """All fingers feel something from now on."""
    state = HandState(np.zeros(3), np.zeros(3), {"finger": True})
    bench.plant.feel = lambda: dict.fromkeys(("left", "right"), state)  # type: ignore[method-assign]


def nudged(*xyz: float) -> Array:
    """The cup's pose, moved by [m]."""
    X: Array = pose(xyz) @ CUP.X_WO
    return X


def test_fingers_are_waited_for() -> None:
    """The plant reports that it holds the cup a second after it was told to."""
    bench = Bench([CUP])
    assert bench.run(Reach(object="cup")).success
    asked: list[float] = []
    attach, apply, clock = bench.plant.attach, bench.plant.apply, bench.context.clock
    bench.plant.attach = lambda *what: asked.append(clock.now())  # type: ignore[method-assign]

    def late(command: object, dt: float) -> None:
        apply(command, dt)  # type: ignore[arg-type]
        if asked and clock.now() > asked[0] + 1.0:
            attach("left", "cup")

    bench.plant.apply = late  # type: ignore[method-assign]
    outcome = bench.run(Grasp(object="cup"))
    assert outcome.success, outcome
    assert len(asked) == 1
    assert outcome.duration > 2.0


@pytest.mark.parametrize(("pushed", "takes"), [(0.0, 1.15), (0.3, 1.45), (np.inf, 1.0 + HOLD_TIMEOUT)])
def test_an_object_is_grasped_when_it_is_at_rest_in_the_hand(pushed: float, takes: float) -> None:
    """Fingers that press push it on for a while; one that never rests is held all the same."""
    bench = Bench([CUP])
    assert bench.run(Reach(object="cup")).success
    began, clock = bench.context.clock.now() + 1.0, bench.context.clock

    def feel() -> dict[str, HandState]:
        slip = 0.1 * min(max(clock.now() - began, 0.0), pushed)
        state = HandState(np.array([0.0, 0.0, 5.0]), np.zeros(3), {"finger": True}, slip)
        return dict.fromkeys(("left", "right"), state)

    bench.plant.feel = feel  # type: ignore[method-assign]
    outcome = bench.run(Grasp(object="cup"))
    assert outcome.success, outcome
    assert outcome.duration == pytest.approx(takes, abs=0.05)


def test_what_fingers_do_not_hold_in_the_end_is_lost() -> None:
    """After two seconds; and the hand is told to let go."""
    bench, told = Bench([CUP]), list[str]()
    assert bench.run(Reach(object="cup")).success
    bench.plant.attach = lambda *what: told.append("attach")  # type: ignore[method-assign]
    bench.plant.detach = lambda *what: told.append("detach")  # type: ignore[method-assign]
    outcome = bench.run(Grasp(object="cup"))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.LOST_OBJECT
    assert outcome.failure.message == "the left hand has closed, and does not hold 'cup'"
    assert outcome.duration == pytest.approx(1.0 + HOLD_TIMEOUT, abs=0.1)
    assert told == ["attach", "detach"]


@pytest.mark.parametrize(("off", "feels", "graspable"), [
    (0.003, False, True),
    (0.010, False, False),
    (0.010, True, True),
    (0.030, True, False),
])  # fmt: skip
def test_slack_is_for_hands_that_feel_something(off: float, feels: bool, graspable: bool) -> None:
    """Who touches nothing has pushed nothing."""
    bench = Bench([CUP])
    assert bench.run(Reach(object="cup")).success
    bench.plant.set_pose("cup", nudged(0.0, 0.0, off))
    bench.context.perception.update(bench.plant.observe(), 0.0)
    if feels:
        touching(bench)
    assert bool(Graspable("cup", "left", 0.02).evaluate(bench.context)) is graspable


def test_what_a_finger_has_pushed_may_touch_none_for_a_moment() -> None:
    """Its hand is still at its grasp."""
    bench = Bench([CUP])
    assert bench.run(Reach(object="cup")).success
    bench.plant.set_pose("cup", nudged(0.0, 0.0, 0.010))
    bench.context.perception.update(bench.plant.observe(), 0.0)
    assert not Graspable("cup", "left", 0.02).evaluate(bench.context)
    assert Graspable("cup", "left", 0.02, touched=True).evaluate(bench.context)


class Pushing(Reach):
    """Its approach begins after a second."""

    def planned(self, plan: Plan) -> None:
        super().planned(replace(plan, approach=1.0))


@pytest.mark.parametrize("feels", [True, False])
def test_what_the_hand_pushes_on_its_last_stretch_is_not_fetched_anew(feels: bool) -> None:
    """What moves although nothing touches it has been moved by somebody else."""
    bench = Bench([CUP], [(3.0, "cup", nudged(0.006, 0.0, 0.0))])
    if feels:
        touching(bench)
    assert bench.run(Pushing(object="cup")).success
    assert ("replan" in {event.kind for event in bench.events}) is not feels


@pytest.mark.parametrize(("off", "arrives"), [(0.003, True), (0.006, False)])
def test_a_hand_that_is_kept_off_a_little_has_arrived(off: float, arrives: bool) -> None:
    """It stands still, three millimetres low; six are too many."""
    bench = Bench([CUP])
    apply = bench.plant.apply

    def sags(command: object, dt: float) -> None:
        apply(command, dt)  # type: ignore[arg-type]
        bench.plant._state.q[7] -= off  # of what was commanded

    bench.plant.apply = sags  # type: ignore[method-assign]
    outcome = bench.run(Reach(object="cup"))
    assert outcome.success is arrives
    if outcome.failure is not None:
        assert outcome.failure.kind is FailureKind.TRACKING


def test_a_joint_that_does_not_follow_is_named() -> None:
    """The hand is far from its path, and nothing that is planned anew would help."""
    bench = Bench([CUP])
    apply = bench.plant.apply

    def sticks(command: object, dt: float) -> None:
        before = bench.plant._state.q[8]
        apply(command, dt)  # type: ignore[arg-type]
        bench.plant._state.q[8] = before

    bench.plant.apply = sticks  # type: ignore[method-assign]
    outcome = bench.run(Reach(object="cup"))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TRACKING
    assert outcome.failure.facts["joint"] == bench.skills.joint_name(8)
    assert f"from its path: {bench.skills.joint_name(8)} does not follow" in str(outcome)


class Slipping(Position):
    """The cup moves in the hand on the way."""

    slip: Array = pose((0.008, -0.006, 0.0), (0.0, 0.0, 0.1))

    def step(self) -> Failure | bool:
        held = self.context.skills._plant._held  # type: ignore[attr-defined]
        if 1.995 < self.elapsed < 2.005:
            id, X_HO = held["left"]
            held["left"] = id, X_HO @ self.slip
        return super().step()


@pytest.mark.parametrize("goal", [{"x": 0.5, "y": 0.2, "z": 1.2, "yaw": 0.3}, {"on": "table"}])
def test_what_slips_in_the_hand_comes_to_its_place_all_the_same(goal: dict[str, Any]) -> None:
    """Within the tolerance of any other hand motion; and no plan is made anew for it."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0)), TABLE])
    bench.plant.attach("left", "cup")
    outcome = bench.run(Slipping(object="cup", **goal))
    assert outcome.success, outcome
    assert "replan" not in {event.kind for event in bench.events}
    X_WO = bench.context.perception.pose("cup")
    if "on" in goal:
        assert RestingOn("cup", "table").evaluate(bench.context)
    else:
        np.testing.assert_allclose(X_WO[:3, 3], [0.5, 0.2, 1.2], atol=2e-3)
        assert np.arctan2(X_WO[1, 0], X_WO[0, 0]) == pytest.approx(0.3, abs=0.02)
    q = np.array([command.q for command in bench.plant.commands])
    assert np.max(np.abs(np.diff(q, axis=0)) / bench.skills.robot.velocity / 0.01) <= 1.0 + 1e-6
