"""What Reach and Position have in common: following a plan, and planning anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Fixate, Reach
from taskmatrix.behaviors.common.replanning import REPLANS
from taskmatrix.behaviors.manipulation.subject import REST_TIMEOUT
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.perception import Percept
from taskmatrix.testing import Bench, box_percept

from .truth import Truth

CUP = box_percept("cup", (0.6, 0.1, 1.0))
ELSEWHERE = pose((0.5, 0.3, 0.9))


def replans(events: Sequence[Event]) -> list[str]:
    """Why it planned anew, in order."""
    causes = [event.data["cause"] for event in events if event.kind == "replan"]
    return [cause.explain() for cause in causes if isinstance(cause, Failure)]


def distance_to_grasp(bench: Bench, hand: str) -> float:
    """[m] Of a hand from the cup's grasp."""
    X_WG = bench.context.perception.pose("cup") @ CUP.model.grasps[0].X_OH
    return float(np.linalg.norm((X_WG - bench.skills.forward_kinematics(hand))[:3, 3]))


def test_an_object_that_moved_is_reached_where_it_is_now() -> None:
    """One replan, which says what moved; the output is of the last plan."""
    bench, reach = Bench([CUP], [(1.5, "cup", ELSEWHERE)]), Reach(object="cup")
    assert bench.run(reach).success
    assert replans(bench.events) == ["reach: 'cup' moved."]
    assert reach.hand is not None
    assert distance_to_grasp(bench, reach.hand) < 0.002


def spinning(shape: Shape, rate: float = 3.0, until: float = np.inf) -> tuple[Bench, list[float]]:
    """Something that turns in place on its z, tilted, from 1 s on, with some [rad/s]; and when it does."""
    model = ObjectModel("thing", "object", (shape,), CUP.model.grasps, movable=True)
    bench, turns = Bench([Percept(model, CUP.X_WO)]), list[float]()

    def spin(event: Event) -> None:
        if event.kind == "step" and 1.0 <= event.time < until:
            turns.append(event.time)
            X_WO = CUP.X_WO @ pose(rpy=(0.0, 0.0, rate * (event.time - 1.0)))
            bench.plant.put(Percept(model, X_WO, np.array([0.0, 0.0, 0.0, 0.0, 0.0, rate])))
        elif event.kind == "step" and turns and event.time >= until:
            bench.plant.put(Percept(model, bench.context.perception.pose("thing")))

    bench.context.events.subscribe(spin)
    return bench, turns


def test_what_can_be_seen_to_spin_is_waited_for() -> None:
    """A box that turns on the spot is not at rest, although it goes nowhere."""
    bench, _ = spinning(Shape("box", (0.06, 0.06, 0.06), pose()), until=4.0)
    assert bench.run(Reach(object="thing"), timeout=60.0).success
    assert [event.time for event in bench.events if event.kind == "replan"] == [pytest.approx(4.0, abs=0.1)]


def test_what_rolls_when_the_way_is_blocked_is_waited_for_before_it_plans_anew() -> None:
    """A plan would not do any more when it is made."""
    bench, rolls = Bench([CUP]), False

    def roll(event: Event) -> None:
        nonlocal rolls
        rolls = rolls or event.kind == "blocked"
        if event.kind == "step" and rolls and event.time < 5.0:
            X_WO = bench.context.perception.pose("cup") @ pose((2e-4, 0.0, 0.0))
            bench.plant.put(Percept(CUP.model, X_WO, np.array([0.02, 0.0, 0.0, 0.0, 0.0, 0.0])))
        elif event.kind == "step":
            bench.plant.put(Percept(CUP.model, bench.context.perception.pose("cup")))

    def contact(q: Array) -> Contact | None:
        return Contact("hand", "lamp", -0.001) if q[5] > 0.5 and not rolls else None

    bench.context.events.subscribe(roll)
    bench.skills.contact = contact
    assert bench.run(Reach(object="cup", using="left"), timeout=60.0).success
    (cause,) = replans(bench.events)
    assert cause.startswith("reach: the way is blocked")


def test_it_brakes_within_the_limits() -> None:
    """No command jumps when it stops for the object."""
    bench = Bench([CUP], [(1.5, "cup", ELSEWHERE)])
    assert bench.run(Reach(object="cup")).success
    q = np.array([command.q for command in bench.plant.commands])
    assert np.max(np.abs(np.diff(q, axis=0)) / bench.skills.robot.velocity / 0.01) <= 1.0 + 1e-6


def test_an_object_that_is_removed_is_lost() -> None:
    """While it moves, and while it plans anew."""
    for script in ([(2.0, "cup", None)], [(1.5, "cup", ELSEWHERE), (2.1, "cup", None)]):
        failure = Bench([CUP], script).run(Reach(object="cup")).failure
        assert failure is not None
        assert failure.kind is FailureKind.LOST_OBJECT
        assert failure.message == "'cup' is no longer known"
        assert failure.facts["object"] == "cup"


def test_it_waits_until_what_moved_is_at_rest() -> None:
    """And gives up after a while."""
    velocity = np.array([0.1, 0, 0, 0, 0, 0])
    slow = Percept(CUP.model, CUP.X_WO, velocity)
    bench = Bench([slow], [(1.0, "cup", ELSEWHERE)])
    failure = bench.run(Reach(object="cup"), timeout=60.0).failure
    assert failure is not None
    assert failure.kind is FailureKind.LOST_OBJECT
    assert failure.message == "'cup' does not come to rest"
    waited = failure.facts["waited"]
    assert isinstance(waited, float)
    assert waited == pytest.approx(REST_TIMEOUT, abs=0.1)
    assert replans(bench.events) == []


def test_it_plans_anew_a_few_times_and_no_more() -> None:
    """An object that somebody moves each time: the failure says how often."""
    script = [(1.2 + 1.5 * k, "cup", pose((0.6, 0.1 + 0.05 * (k % 2), 1.05))) for k in range(10)]
    bench = Bench([CUP], script)
    failure = bench.run(Reach(object="cup", duration=3.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.LOST_OBJECT
    assert failure.message == f"'cup' moved, also after planning anew {REPLANS} times"
    assert len(replans(bench.events)) == REPLANS


def blocking(bench: Bench, calls: int) -> None:
    """Something is in the way as soon as the left hand has moved, for so many checks."""
    left, start = [calls], bench.skills.position()[5:8].copy()
    contact = Contact("elbow", "lamp", -0.001)

    def touches(q: np.ndarray) -> Contact | None:
        if left[0] > 0 and np.linalg.norm(q[5:8] - start) > 0.05:
            left[0] -= 1
            return contact
        return None

    bench.skills.contact = touches


def test_a_blocked_way_is_planned_anew_and_the_event_names_the_pair() -> None:
    """The cause of the replan is the collision."""
    bench = Bench([CUP])
    blocking(bench, 1)
    assert bench.run(Reach(object="cup")).success
    told = replans(bench.events)
    assert len(told) == 1
    assert "the way is blocked" in told[0]
    assert "elbow" in told[0]
    assert "lamp" in told[0]


def test_a_way_that_stays_blocked_ends_with_the_pair() -> None:
    """After a few plans."""
    bench = Bench([CUP])
    blocking(bench, 10**6)
    failure = bench.run(Reach(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert f"also after planning anew {REPLANS} times" in failure.message
    assert failure.root.facts["pair"] == ("elbow", "lamp")


def test_where_planning_anew_fails_both_reasons_are_told() -> None:
    """What made it stop, and what the planner says."""
    bench = Bench([CUP], [(1.5, "cup", ELSEWHERE)])

    class Once(Reach):
        def announce(self, goal: object) -> None:
            super().announce(goal)  # type: ignore[arg-type]
            bench.skills.plans.append(Failure(FailureKind.IK_EXHAUSTED, "planner", "too far away"))

    failure = bench.run(Once(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.IK_EXHAUSTED
    assert failure.message == "'cup' moved, and planning anew failed"
    assert failure.root.message == "too far away"


def test_every_plan_has_its_own_seed() -> None:
    """Asked the same again, a planner would find the same; the run as a whole stays reproducible."""

    def seeds() -> list[int]:
        bench = Bench([CUP], [(1.5, "cup", ELSEWHERE)], seed=4)
        assert bench.run(Reach(object="cup")).success
        return bench.skills.seeds

    first = seeds()
    assert len(set(first)) == 2
    assert first == seeds()


@pytest.mark.usefixtures("usual_control_step")
@pytest.mark.parametrize("robot", ["asimo"])
def test_a_robot_reaches_an_object_that_moves_meanwhile(robot: str) -> None:
    """The vacuum slides 20 cm along the table while the arm is on its way."""
    with simulate(robot, seed=1) as session:
        events: list[Event] = []
        session.events.subscribe(events.append)
        X_WO = session.world.poses["vacuum"].copy()
        X_WO[:2, 3] += 0.12 * (session.world.poses["table"][:2, 3] - X_WO[:2, 3])

        class Meddled(Reach):
            def step(self) -> Failure | bool:
                if 1.5 < self.elapsed < 1.515:
                    session.plant.set_pose("vacuum", X_WO)
                return super().step()

        reach = Meddled(object="vacuum")
        outcome = session.run(reach)
        assert outcome.success, outcome
        assert len(replans(events)) == 1
        assert "'vacuum' moved" in replans(events)[0]
        grasp = next(g for g in session.world.objects["vacuum"].grasps if g.name == reach.grasp)
        X_WH = session.skills.forward_kinematics(str(reach.hand))
        np.testing.assert_allclose((X_WO @ grasp.X_OH)[:3, 3], X_WH[:3, 3], atol=0.002)


@pytest.mark.usefixtures("usual_control_step")
@pytest.mark.parametrize("back", [True, False])
def test_stopping_and_going_on_keep_the_acceleration_limits(back: bool) -> None:
    """The object moves and comes back before the robot stands, or is gone: then it brakes in the next run."""
    with simulate("mannequin", seed=1) as session:
        X_WO = session.world.poses["vacuum"]
        truth = Truth(session)
        steps = 0

        def disturb(event: Event) -> None:
            nonlocal steps
            steps += event.kind == "step"
            if event.kind == "step" and steps == 250 and back:
                session.plant.set_pose("vacuum", pose((0.05, 0.0, 0.0)) @ X_WO)
            elif event.kind == "step" and steps == 250:
                session.plant.remove("vacuum")
            elif event.kind == "step" and steps == 276 and back:
                session.plant.set_pose("vacuum", X_WO)

        session.events.subscribe(disturb)
        assert session.run(Reach(object="vacuum")).success is back
        session.run(Fixate(target="table"))
        truth.assert_limits_held()
