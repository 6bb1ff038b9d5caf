"""Following a plan that is made anew, with a behavior of nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from taskmatrix.behaviors.common.replanning import REPLAN_TIMEOUT, REPLANS, Replanning
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.phase import Phase
from taskmatrix.core.robot.plans import Contact, Job, Plan
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import ObjectModel, Shape, ShapeKind
from taskmatrix.core.world.perception import Percept
from taskmatrix.testing import Bench, box_percept
from taskmatrix.testing.line_trajectory import FakeJob
from taskmatrix.testing.scripted_perception import Change

JOINTS = (12, 13, 14)
GOAL = np.array([0.3, -0.4, 1.3])
BOX = box_percept("box", (2.0, 0.0, 0.1))
NO_WAY = Failure(FailureKind.PLANNER_EXHAUSTED, "planner", "no way was found", {"searches": 3})
CONTACT = Contact("elbow", "lamp", -0.001)


class Go(Replanning):
    """Takes the right arm to a place; so long [s] after it began to follow its k-th plan something stops it."""

    stops: tuple[float, ...] = ()

    def required_chains(self) -> Sequence[str]:
        return ["right_arm"]

    def plan(self) -> Job | Failure | None:
        self._plans = 0
        return super().plan()

    def submit(self) -> Job | Failure:
        goal = dict(zip(JOINTS, GOAL.tolist(), strict=True))
        return self.context.skills.plan_to_configuration(goal, 2.0, int(self.random.integers(2**31)), 0.5)

    def planned(self, plan: Plan) -> None:
        self._plan, self._time = plan, 0.0
        self._due = [*self.stops, *[np.inf] * 9][self._plans]
        self._plans += 1

    def step(self) -> Failure | bool:
        replanning = self.replanning()
        if replanning is not None:
            return replanning
        if self._time >= self._plan.trajectory.duration:
            return True
        self._time += self.context.dt
        if self._time >= self._due:
            cause = Failure(FailureKind.COLLISION, "arbiter", "in the way", {"pair": CONTACT.pair})
            return self.replan(self.fail(FailureKind.COLLISION, "stopped", cause))
        self.command(self._plan.trajectory.indices, *self._plan.trajectory.sample(self._time))
        return False


def stopped(*stops: float) -> Go:
    """One that is stopped."""
    behavior = Go()
    behavior.stops = stops
    return behavior


ALWAYS = (0.1,) * 9


def times(bench: Bench, kind: str) -> list[float]:
    """[s] When such events came."""
    return [event.time for event in bench.events if event.kind == kind]


def failing_after_the_first_plan(bench: Bench, failures: int) -> None:
    """The planner finds one way and then, so often, none."""
    way = bench.skills.straight(dict(zip(JOINTS, GOAL, strict=True)), 2.0)
    bench.skills.plans.append(Plan(way, None, way.duration, stretched=False, work={}))
    bench.skills.plans.extend([NO_WAY] * failures)


def test_a_way_that_nothing_stops_is_planned_once() -> None:
    """Nothing is made anew without a reason."""
    bench = Bench()
    assert bench.run(Go()).success
    assert (len(times(bench, "plan")), times(bench, "replan")) == (1, [])


def test_a_stop_is_told_with_its_reason_and_planned_from_there() -> None:
    """The new plan begins where the first was left, and ends at the goal."""
    bench = Bench()
    begins: list[float] = []  # from the goal

    class Noting(Go):
        def planned(self, plan: Plan) -> None:
            super().planned(plan)
            begins.append(float(np.linalg.norm(plan.trajectory.sample(0.0)[0] - GOAL)))

    behavior = Noting()
    behavior.stops = (1.0,)
    assert bench.run(behavior).success
    (cause,) = [event.data["cause"] for event in bench.events if event.kind == "replan"]
    assert isinstance(cause, Failure)
    assert cause.root.facts["pair"] == CONTACT.pair
    assert begins[0] > begins[1] > 0.01
    assert len(set(bench.skills.seeds)) == 2
    np.testing.assert_allclose(bench.plant.sense().q[list(JOINTS)], GOAL, atol=1e-9)


def test_while_it_plans_anew_the_robot_stands() -> None:
    """From the stop to the plan no joint moves."""
    bench = Bench()
    arm: list[tuple[float, float]] = []

    def read(event: Event) -> None:
        arm.append((event.time, float(bench.plant.sense().q[JOINTS[0]])))

    bench.context.events.subscribe(read)
    assert bench.run(stopped(1.0)).success
    (stop,), plan = times(bench, "replan"), times(bench, "plan")[1]
    assert plan - stop == pytest.approx(0.5, abs=0.02)
    assert np.ptp([position for time, position in arm if stop < time < plan]) < 1e-12


def test_it_plans_anew_a_few_times_and_then_tells_the_reason() -> None:
    """Stopped each time: the last reason, and how often."""
    bench = Bench()
    failure = bench.run(stopped(*ALWAYS)).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.message == f"stopped, also after planning anew {REPLANS} times"
    assert failure.root.facts["pair"] == CONTACT.pair
    assert len(times(bench, "replan")) == REPLANS


def test_a_run_has_its_own_count() -> None:
    """What was planned anew in the run before does not count."""
    bench, behavior = Bench(), stopped(*ALWAYS)
    for run in range(1, 3):
        assert bench.run(behavior).failure is not None
        assert len(times(bench, "replan")) == run * REPLANS


def test_where_there_is_no_way_it_waits_and_then_tells_both_reasons() -> None:
    """What stopped it, what the planner says, and the facts of both."""
    bench = Bench([BOX])
    failing_after_the_first_plan(bench, 1)
    failure = bench.run(stopped(*ALWAYS)).failure
    assert failure is not None
    assert failure.kind is FailureKind.PLANNER_EXHAUSTED
    assert failure.message == "stopped, and planning anew failed"
    assert failure.facts["pair"] == CONTACT.pair
    assert failure.cause is NO_WAY
    (stop,) = times(bench, "replan")
    assert bench.context.clock.now() - stop == pytest.approx(0.5 + REPLAN_TIMEOUT, abs=0.05)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param((3.0, "box", None), id="removed"),
        pytest.param((3.0, "box", pose((2.1, 0.0, 0.1))), id="moved"),
        pytest.param((3.0, "box", pose((2.0, 0.0, 0.1), (0.0, 0.0, 0.2))), id="turned"),
    ],
)
def test_where_the_world_changes_while_it_waits_it_plans_once_more(change: Change) -> None:
    """What was in the way may have gone."""
    bench = Bench([BOX], [change])
    failing_after_the_first_plan(bench, 1)
    assert bench.run(stopped(0.1)).success
    first, second = times(bench, "replan")
    assert first < 1.0
    assert 3.0 <= second < 3.05


def test_a_change_as_of_a_sensor_is_none() -> None:
    """Less than a millimetre."""
    bench = Bench([BOX], [(3.0, "box", BOX.X_WO @ pose((0.0005, 0.0, 0.0)))])
    failing_after_the_first_plan(bench, 1)
    assert bench.run(stopped(*ALWAYS)).failure is not None
    assert len(times(bench, "replan")) == 1


def test_a_world_that_goes_on_changing_does_not_make_it_wait_forever() -> None:
    """Every change costs one of the plans, and they do not follow at once; the last that fails is told at once."""
    bench = Bench([BOX], [(0.1 * k, "box", pose((2.0 + 0.01 * k, 0.0, 0.1))) for k in range(1, 200)])
    failing_after_the_first_plan(bench, REPLANS)
    failure = bench.run(stopped(*ALWAYS)).failure
    assert failure is not None
    assert failure.cause is NO_WAY
    assert len(times(bench, "replan")) == REPLANS
    assert REPLANS - 1 < bench.context.clock.now() < REPLANS * 1.5 + 1.0


STALE = Failure(FailureKind.COLLISION, "planner", "the world changed while planning")


def test_a_new_plan_that_the_world_outran_is_made_again() -> None:
    """Nothing is waited for: from now on it may be fine."""
    bench = Bench()
    bench.skills.stale.extend([None, STALE])
    assert bench.run(stopped(0.1)).success
    first, second = times(bench, "replan")
    assert second - first == pytest.approx(0.5, abs=0.03)


def test_a_world_that_outruns_every_plan_is_given_up() -> None:
    """The reason is the planner's."""
    bench = Bench()
    bench.skills.stale.extend([None, *[STALE] * REPLANS])
    failure = bench.run(stopped(0.1)).failure
    assert failure is not None
    assert failure.message == f"the world changed again, also after planning anew {REPLANS} times"
    assert failure.root is STALE


def test_a_new_plan_that_will_do_in_a_changed_world_is_checked_once() -> None:
    """And then followed, although the world is still not the one that it was made for."""
    bench = Bench()
    checked: list[Plan] = []

    def recheck(plan: Plan) -> Job:
        checked.append(plan)
        return FakeJob(plan, lambda: True)

    bench.skills.recheck = recheck  # type: ignore[method-assign]
    assert bench.run(stopped(0.1)).success
    assert len(checked) == 2


def test_planning_that_cannot_even_begin_is_in_vain() -> None:
    """A goal that is lost, say."""
    lost = Failure(FailureKind.LOST_OBJECT, "go", "'cup' is no longer known")

    class Losing(Go):
        def submit(self) -> Job | Failure:
            return lost if self.phase is Phase.CONTROL else super().submit()

    behavior = Losing()
    behavior.stops = ALWAYS
    failure = Bench([BOX]).run(behavior).failure
    assert failure is not None
    assert failure.kind is FailureKind.LOST_OBJECT
    assert failure.message == "stopped, and planning anew failed"
    assert failure.root is lost


@pytest.mark.parametrize(("kind", "size", "planned"), [("sphere", (0.1,), 2), ("box", (0.2, 0.2, 0.2), 3)])
def test_what_looks_the_same_as_it_turns_changes_nothing(
    kind: ShapeKind, size: tuple[float, ...], planned: int
) -> None:
    """A ball that spins is no reason to try once more where there is no way; a box is."""
    turning = Percept(ObjectModel("thing", "object", (Shape(kind, size, pose()),)), pose((2.0, 0.0, 0.1)))
    bench = Bench([turning])
    failing_after_the_first_plan(bench, 2)

    def spin(event: Event) -> None:
        if event.kind == "step" and event.time < 2.6:
            bench.plant.set_pose("thing", turning.X_WO @ pose(rpy=(0.0, 0.0, event.time)))

    bench.context.events.subscribe(spin)
    bench.run(stopped(1.0))
    assert len(bench.skills.seeds) == planned
