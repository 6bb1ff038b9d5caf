"""One control step after another, and every way to end a run."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import py_trees
import pytest
from py_trees.common import Status

from taskmatrix.core import (
    Event,
    Failure,
    FailureKind,
    Machine,
    Outcome,
    Parameter,
    ParameterError,
    State,
    TaskBehavior,
    TaskMatrixError,
    on,
    parallel,
    start,
    timeout,
)
from taskmatrix.core.behavior.executive import Executive
from taskmatrix.testing import Bench

from .components import real
from .samples import Each, Forever, Probe


class Moving(Machine):
    """Two states that do not end, one of which moves an arm."""

    left = State(Probe, chain="left_arm", steps=10_000, final=True)
    right = State(Forever, chain="right_arm")
    transitions = (start(left, right),)


def held(bench: Bench) -> bool:
    """Whether the last command stands still where the one before it was, and no chain has an owner."""
    before = bench.plant.commands[-2].q if len(bench.plant.commands) > 1 else bench.skills.robot.stance
    last = bench.plant.commands[-1]
    free = all(bench.context.arbiter.owner(chain) is None for chain in bench.skills.chains)
    return free and np.array_equal(before, last.q) and not last.v.any() and not last.owners


def kind(outcome: Outcome) -> FailureKind | None:
    return outcome.failure.kind if outcome.failure else None


def test_the_control_step_is_fixed(bench: Bench) -> None:
    """Every step is one event of the plant, one number and one control step of time after the last."""
    outcome = bench.run(Probe(steps=20))
    steps = [event for event in bench.events if event.kind == "step"]
    assert [event.step for event in steps] == list(range(21))
    assert [event.time for event in steps] == pytest.approx(np.arange(21) * 0.01)
    assert (outcome.steps, outcome.overruns) == (20, 0)
    assert outcome.duration == pytest.approx(0.19)


def test_a_step_senses_before_and_acts_after_the_behaviors(bench: Bench) -> None:
    """A behavior sees in a step what it commanded in the one before."""
    seen: list[float] = []

    class Watch(Probe):
        def step(self) -> Failure | bool:
            seen.append(float(self.context.skills.position()[3]))
            return super().step()

    bench.run(Watch(chain="head", steps=4))
    assert seen == pytest.approx([0.0, 0.005, 0.01, 0.015])
    assert bench.context.perception.time() == bench.context.clock.now()


def test_runs_follow_one_another(bench: Bench) -> None:
    """Time and step numbers go on, names start over, and each run begins and ends with its events."""
    bench.run(Probe(steps=3))
    bench.run(Probe(steps=3))
    steps = [event for event in bench.events if event.kind == "step"]
    assert [event.step for event in steps] == list(range(8))
    assert (np.diff([event.time for event in steps]) > 0.009).all()
    ends = [(event.kind, event.source) for event in bench.events if event.kind in ("run", "outcome")]
    assert ends == [("run", "probe"), ("outcome", "probe")] * 2


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (Probe(chain="head", steps=3), None),
        (Probe(chain="head", trouble="step:fail"), FailureKind.TRACKING),
        (Probe(chain="head", trouble="step:raise"), FailureKind.EXCEPTION),
        (Probe(chain="head", steps=99_999), FailureKind.TIMEOUT),
        (Moving(), FailureKind.TIMEOUT),
        (parallel("all", Probe(chain="head", steps=99_999), Forever(chain="left_arm")), FailureKind.TIMEOUT),
    ],
)
def test_every_run_ends_in_a_safe_hold(
    bench: Bench, root: py_trees.behaviour.Behaviour, expected: FailureKind | None
) -> None:
    """However it ends, no chain has an owner, the robot stands still, and the outcome is the last event."""
    outcome = bench.run(root, timeout=0.5)
    assert kind(outcome) is expected
    assert held(bench)
    assert bench.violation() is None
    last = bench.events[-1]
    assert (last.kind, last.data) == ("outcome", {"success": expected is None, "failure": outcome.failure})


def test_a_timeout_ends_the_run_when_it_is_over(bench: Bench) -> None:
    """On the clock of the run, and the failure says how long it was."""
    outcome = bench.run(Forever(), timeout=0.25)
    assert outcome.duration == pytest.approx(0.25)
    assert outcome.failure is not None
    assert outcome.failure.message == "still running after 0.25 s: forever was in the control loop for 0.25 s"


# Ctrl-C


def interrupt_step(bench: Bench) -> py_trees.behaviour.Behaviour:
    return parallel("tree", Forever(chain="left_arm"), Probe(chain="head", trouble="step:interrupt"))


def interrupt_nested(bench: Bench) -> py_trees.behaviour.Behaviour:
    class Nested(Machine):
        moving = State(Moving)
        bad = State(Probe, chain="head", trouble="step:interrupt", final=True)
        transitions = (start(moving, bad),)

    return Nested()


def interrupt_planning(bench: Bench) -> py_trees.behaviour.Behaviour:
    return Probe(chain="head", trouble="plan:interrupt")


def interrupt_cleaning(bench: Bench) -> py_trees.behaviour.Behaviour:
    return Probe(chain="head", trouble="finish:interrupt")


def interrupt_reader(bench: Bench) -> py_trees.behaviour.Behaviour:
    def reader(event: Event) -> None:
        if event.step == 5:
            raise KeyboardInterrupt

    bench.context.events.subscribe(reader)
    return Moving()


def interrupt_sleep(bench: Bench) -> py_trees.behaviour.Behaviour:
    calls: list[float] = []
    sleep = bench.context.clock.sleep_until

    def sleeping(when: float) -> float:
        calls.append(when)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return sleep(when)

    bench.context.clock.sleep_until = sleeping  # type: ignore[method-assign]
    return Moving()


@pytest.mark.parametrize(
    "make",
    [interrupt_step, interrupt_nested, interrupt_planning, interrupt_cleaning, interrupt_reader, interrupt_sleep],
)
def test_ctrl_c_leaves_the_robot_safe(bench: Bench, make: Callable[[Bench], py_trees.behaviour.Behaviour]) -> None:
    """Wherever it strikes: an outcome of kind interrupted, chains free, the plant held, the grammar unbroken."""
    outcome = bench.run(make(bench))
    assert kind(outcome) is FailureKind.INTERRUPTED
    assert held(bench)
    assert bench.violation() is None
    assert bench.events[-1].kind == "outcome"


def test_after_ctrl_c_the_next_run_is_a_run_like_any_other(bench: Bench) -> None:
    """The interrupt is forgotten."""
    bench.run(Probe(trouble="step:interrupt"))
    assert bench.run(Probe()).success


@pytest.mark.parametrize("step", [0, 3])
def test_what_is_interrupted_while_perceiving_commands_nothing_more(bench: Bench, step: int) -> None:
    """No behavior has another turn, in the first step neither; the failure says who it was."""
    behavior = Moving()
    events = bench.context.events

    def perceive() -> None:
        if events.step == step and not events.interrupted:
            events.interrupted, events.interrupted_by = True, "stopped by a viewer"

    bench.executive._perceive = perceive
    outcome = bench.run(behavior)
    assert kind(outcome) is FailureKind.INTERRUPTED
    assert str(outcome.failure.message if outcome.failure else "").startswith("stopped by a viewer; the robot holds")
    assert (outcome.steps, events.step) == (step, step + 1)
    assert held(bench)
    outcome = bench.run(Probe(trouble="step:interrupt"))
    assert "Ctrl-C" in (outcome.failure.message if outcome.failure else "")


# what raises


def test_a_behavior_that_raises_does_not_take_others_down(bench: Bench) -> None:
    """In a py_trees Parallel the other one goes on until the tree ends, and the tree's failure has the cause."""
    calm = Probe(chain="left_arm", steps=4, name="calm")
    wild = Probe(chain="head", trouble="step:raise", name="wild")
    tree = parallel("both", calm, py_trees.decorators.FailureIsSuccess("tolerated", wild))
    outcome = bench.run(tree)
    assert outcome.success
    assert calm.status is Status.SUCCESS
    assert bench.plant.sense().q[5] == pytest.approx(0.415)

    outcome = bench.run(parallel("strict", Forever(chain="left_arm"), Probe(trouble="step:raise", name="wild")))
    assert kind(outcome) is FailureKind.EXCEPTION
    assert outcome.failure is not None
    assert "trouble in step" in outcome.failure.explain()
    assert bench.messages("forever")[-2:] == ["force-quit", "task-complete"]
    assert held(bench)


class Bomb(py_trees.behaviour.Behaviour):
    """A plain py_trees leaf that raises, which py_trees lets out."""

    def update(self) -> Status:
        raise RuntimeError("boom")


def test_a_plain_leaf_that_raises_ends_the_run_safely(bench: Bench) -> None:
    """It is no task behavior, so nobody catches it before the executive; the trace is in the failure."""
    outcome = bench.run(parallel("tree", Probe(chain="head", steps=99), Bomb("bomb")))
    assert kind(outcome) is FailureKind.EXCEPTION
    assert outcome.failure is not None
    assert outcome.failure.message.startswith("RuntimeError: boom, at tests/core/test_executive.py:")
    assert "boom" in outcome.failure.trace
    assert held(bench)
    assert bench.violation() is None


def test_a_sensor_that_fails_ends_the_run_safely(bench: Bench) -> None:
    """Once is enough: the behaviors end, and the robot holds."""
    count = 0

    def perceive() -> None:
        nonlocal count
        count += 1
        if count == 4:
            raise OSError("camera unplugged")

    def motion(command: object) -> None:
        bench.plant.apply(command, 0.01)  # type: ignore[arg-type]

    executive = Executive(bench.context, bench.plant, perceive, bench.skills.sense, motion)
    outcome = executive.run(Moving())
    assert outcome.failure is not None
    assert "camera unplugged" in outcome.failure.message
    assert held(bench)


# real time


class Stuck(py_trees.behaviour.Behaviour):
    """A plain py_trees leaf that cannot be stopped."""

    def update(self) -> Status:
        return Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID:
            raise RuntimeError("does not stop")


def test_a_leaf_that_cannot_be_stopped_does_not_keep_the_others_from_it(bench: Bench) -> None:
    """The run ends with an outcome, and everything else has stopped."""
    probe = Probe(chain="head", steps=99)
    told: list[str] = []
    bench.context.events.subscribe(lambda event: told.append(event.kind))
    outcome = bench.run(parallel("tree", Stuck("one"), probe, Stuck("two")), timeout=0.1)
    assert kind(outcome) is FailureKind.TIMEOUT
    assert not probe.running
    assert told[-1] == "outcome"
    assert held(bench)
    assert bench.run(parallel("tree", Stuck("one"), Probe(chain="head", steps=2)), timeout=0.1).failure is not None


@pytest.mark.parametrize("broken", ["sense", "apply", "perceive", "announce"])
def test_what_goes_on_raising_ends_the_run_with_an_outcome(bench: Bench, broken: str) -> None:
    """Also while the run is ended; and its reader of events leaves with it."""

    def fail(*_: object) -> None:
        raise OSError(f"{broken} is unplugged")

    def motion(command: object) -> None:
        bench.plant.apply(command, 0.01)  # type: ignore[arg-type]

    if broken == "sense":
        bench.plant.sense = fail  # type: ignore[assignment,method-assign]
    ways = {"perceive": lambda: None, "motion": motion, "announce": None}
    ways |= {"perceive": fail} if broken == "perceive" else {"motion": fail} if broken == "apply" else {}
    ways |= {"announce": fail} if broken == "announce" else {}
    executive = Executive(bench.context, bench.plant, sense=bench.skills.sense, **ways)  # type: ignore[arg-type]
    readers = len(bench.context.events._readers)
    outcome = executive.run(Moving())
    assert kind(outcome) is FailureKind.EXCEPTION
    assert outcome.failure is not None
    assert outcome.failure.message.startswith(f"OSError: {broken} is unplugged, at tests/core/test_exec")
    assert len(bench.context.events._readers) == readers


def test_a_late_step_is_counted_and_told(bench: Bench) -> None:
    """The steps after it catch up with the clock; nothing is skipped."""
    clock = real(bench)
    told: list[Event] = []
    bench.context.events.subscribe(told.append)
    count = 0

    def dawdle(behavior: TaskBehavior) -> bool:
        nonlocal count
        count += 1
        clock.time += 0.016 if count == 3 else 0.001
        return count == 10

    outcome = bench.run(Each(dawdle))
    late = [event for event in told if event.kind == "overrun"]
    assert outcome.overruns == len(late) == 1
    assert late[0].data["late"] == pytest.approx(0.006)
    assert outcome.steps == 10
    assert outcome.duration == pytest.approx(0.091)


def test_a_step_that_is_very_late_is_not_caught_up_on_for_long(bench: Bench) -> None:
    """A quarter of a second at most; from then on steps come at their rate again."""
    clock, times = real(bench), []

    def dawdle(behavior: TaskBehavior) -> bool:
        times.append(clock.time)
        clock.time += 10.0 if len(times) == 3 else 0.001
        return len(times) == 100

    outcome = bench.run(Each(dawdle))
    assert times[3] - times[2] == pytest.approx(10.0)
    assert outcome.duration == pytest.approx(10.0 - 0.25 + 0.01 * 99 - 0.02 + 0.011, abs=0.02)
    assert times[-1] - times[-2] == pytest.approx(0.01)


def test_the_load_is_what_steps_take_of_the_time(bench: Bench) -> None:
    """In real time; in simulated time there is none."""
    assert bench.run(Each(lambda behavior: behavior.elapsed >= 0.1)).load == 0.0
    clock = real(bench)

    def works(behavior: TaskBehavior) -> bool:
        clock.time += 0.004
        return behavior.elapsed >= 1.0

    assert bench.run(Each(works)).load == pytest.approx(0.4, abs=0.01)


def test_while_the_controller_is_late_the_robot_holds(bench: Bench) -> None:
    """Time and the plant go on, with nothing new; it is told once, and counted."""

    def late(event: Event) -> None:
        if event.kind == "step" and event.step == 4:
            bench.executive.miss(2)
            bench.executive.miss(1)

    bench.context.events.subscribe(late)
    outcome = bench.run(Probe(chain="head", steps=8))
    assert outcome.success
    assert (outcome.steps, outcome.overruns) == (8 + 3, 1)
    (told,) = (event for event in bench.events if event.kind == "overrun")
    assert told.data["late"] == pytest.approx(0.03)
    sent = bench.plant.commands
    assert all(np.array_equal(command.q, sent[4].q) and not command.v.any() for command in sent[5:8])
    assert not np.array_equal(sent[8].q, sent[7].q)
    times = [event.time for event in bench.events if event.kind == "step"]
    assert times == pytest.approx(np.arange(12) * 0.01)


def test_a_controller_that_is_late_in_every_step_gets_its_turn(bench: Bench) -> None:
    """What is missed while it is late counts after its next turn."""
    bench.context.events.subscribe(lambda event: bench.executive.miss(1) if event.kind == "step" else None)
    outcome = bench.run(Probe(chain="head", steps=4))
    assert outcome.success
    assert outcome.overruns == 3


@pytest.mark.parametrize("periods", [0, -1, 1.5, True])
def test_periods_to_miss_are_a_whole_number(bench: Bench, periods: Any) -> None:
    """From 1."""
    with pytest.raises(ParameterError, match="whole number from 1"):
        bench.executive.miss(periods)


# outcomes


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Outcome(True, None, 5.831, 584), "success after 5.83 s"),
        (
            Outcome(False, Failure(FailureKind.TIMEOUT, "reach", "still running"), 1.0, 100),
            "failure after 1.00 s: reach: still running.",
        ),
    ],
)
def test_an_outcome_prints_as_a_sentence(outcome: Outcome, text: str) -> None:
    """For people."""
    assert str(outcome) == text


class Needy(TaskBehavior):
    """Needs a parameter."""

    thing = Parameter(str)


@pytest.mark.parametrize(
    ("root", "complaint"),
    [
        (Needy, "pass an instance, such as Needy(thing=...), not <class"),
        ("pickup", "pass an instance, such as Pickup(object=...), not 'pickup'"),
    ],
)
def test_what_cannot_be_run_is_refused(bench: Bench, root: Any, complaint: str) -> None:
    """With what to write instead."""
    with pytest.raises(TaskMatrixError, match=re.escape(complaint)):
        bench.run(root)


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan"), "5", None, True])
def test_a_timeout_is_a_number_above_zero(bench: Bench, timeout: Any) -> None:
    """Anything else is refused before anything moves."""
    with pytest.raises(ParameterError, match="the timeout has to be a number of seconds above 0"):
        bench.run(Forever(), timeout=timeout)
    assert not bench.plant.commands


def test_a_loop_that_never_ends_names_the_state_and_its_restarts() -> None:
    """At the timeout, which would say nothing else of what went on; and the last failure that led round again."""

    class Inner(Machine):
        tries = State(Probe, trouble="plan:fail")
        ends = State(Probe, final=True)
        transitions = (start(tries), on(tries.failed, start=tries), on(tries.task_successful, start=ends))

    class Outer(Machine):
        inner = State(Inner, final=True)
        transitions = (start(inner),)

    for root in (Outer(), timeout(Outer(), 0.5)):
        bench = Bench()
        failure = bench.run(root, timeout=1.0).failure
        assert failure is not None
        assert failure.kind is FailureKind.TIMEOUT
        restarts = bench.messages().count("outer/inner/tries task-failed-to-start")
        assert restarts > 20
        again = re.search("outer/inner/tries has been started (\\d+) times, the last time after (.*)", failure.message)
        assert again is not None
        assert int(again[1]) - restarts in (0, 1)
        assert again[2] == "outer/inner/tries: trouble in plan"


def test_a_timeout_says_what_was_going_on() -> None:
    """In which phase, and since when."""
    failure = Bench().run(Forever(chain="head"), timeout=0.5).failure
    assert failure is not None
    assert "forever was in the control loop for 0.5" in failure.message
