"""The three phases of a task behavior, and every way to end."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from py_trees.common import Status

from taskmatrix.core import (
    Condition,
    Failure,
    FailureKind,
    Machine,
    Output,
    Parameter,
    ParameterError,
    Phase,
    Plan,
    TaskBehavior,
    TaskMatrixError,
)
from taskmatrix.testing import Bench, LineTrajectory

from .samples import Finder, Forever, Once, Probe, Told, untyped

REFUSED = ["task-failed-to-start", "task-complete"]


PLANNED = ["planning-started", "planning-ended"]


STARTED = [*PLANNED, "controlloop-started"]


FAILED = ["controlloop-ended", "task-failed", "task-complete"]


SUCCEEDED = ["controlloop-ended", "task-successful", "task-complete"]


def free(bench: Bench) -> bool:
    """Whether no chain has an owner."""
    return all(bench.context.arbiter.owner(chain) is None for chain in bench.skills.chains)


ENDINGS: list[tuple[dict[str, Any], FailureKind | None, list[str]]] = [
    ({}, None, [*STARTED, *SUCCEEDED]),
    ({"planning": True, "steps": 5}, None, [*STARTED, *SUCCEEDED]),
    ({"trouble": "requirements:raise"}, FailureKind.EXCEPTION, REFUSED),
    ({"trouble": "preconditions:raise"}, FailureKind.EXCEPTION, REFUSED),
    ({"trouble": "precondition:fail"}, FailureKind.PRECONDITION, REFUSED),
    ({"trouble": "required_chains:raise"}, FailureKind.EXCEPTION, REFUSED),
    ({"trouble": "required_chains:fail"}, FailureKind.TRACKING, REFUSED),
    ({"chain": "haed"}, FailureKind.EXCEPTION, REFUSED),
    ({"trouble": "plan:raise"}, FailureKind.EXCEPTION, [*PLANNED, *REFUSED]),
    ({"trouble": "plan:fail"}, FailureKind.TRACKING, [*PLANNED, *REFUSED]),
    ({"trouble": "planned:raise", "planning": True}, FailureKind.EXCEPTION, [*PLANNED, *REFUSED]),
    ({"trouble": "planned:fail", "planning": True}, FailureKind.TRACKING, [*PLANNED, *REFUSED]),
    ({"trouble": "inconditions:raise"}, FailureKind.EXCEPTION, [*STARTED, *FAILED]),
    ({"trouble": "incondition:fail"}, FailureKind.INCONDITION, [*STARTED, *FAILED]),
    ({"trouble": "step:raise"}, FailureKind.EXCEPTION, [*STARTED, *FAILED]),
    ({"trouble": "step:fail"}, FailureKind.TRACKING, [*STARTED, *FAILED]),
    ({"trouble": "achieved:raise"}, FailureKind.EXCEPTION, [*STARTED, *FAILED]),
    ({"trouble": "achieved:fail"}, FailureKind.TRACKING, [*STARTED, *FAILED]),
    ({"trouble": "achieved:later"}, None, [*STARTED, *SUCCEEDED]),
    ({"trouble": "finish:raise"}, None, [*STARTED, *SUCCEEDED]),
    ({"trouble": "step:fail,finish:raise"}, FailureKind.TRACKING, [*STARTED, *FAILED]),
    ({"trouble": "plan:fail,finish:raise"}, FailureKind.TRACKING, [*PLANNED, *REFUSED]),
]


@pytest.mark.parametrize(("parameters", "kind", "messages"), ENDINGS, ids=lambda value: str(value)[:60])
def test_every_ending_says_what_it_should(
    bench: Bench, parameters: dict[str, Any], kind: FailureKind | None, messages: list[str]
) -> None:
    """Whatever happens in whatever hook: the messages follow the grammar, the chains are free, the reason is told."""
    probe = Probe(**{"chain": "head", **parameters})
    outcome = bench.run(probe)
    assert bench.messages("probe") == messages
    assert bench.violation() is None
    assert free(bench)
    assert outcome.success == (kind is None)
    assert probe.phase is Phase.DONE
    assert probe.finished == (0 if messages == REFUSED else 1)
    if kind is not None:
        assert outcome.failure is probe.failure
        assert outcome.failure is not None
        assert outcome.failure.kind is kind
        assert outcome.failure.where == "probe"
        assert probe.status is Status.FAILURE


@pytest.mark.parametrize(
    ("hook", "when"),
    [("plan", "while planning"), ("step", "in the control loop"), ("required_chains", "before it started")],
)
def test_an_exception_becomes_a_failure_with_its_trace(bench: Bench, hook: str, when: str) -> None:
    """The failure says what was raised and when, with file and line, and carries the trace."""
    failure = bench.run(Probe(trouble=f"{hook}:raise")).failure
    assert failure is not None
    assert failure.message.startswith(f"ValueError {when}: trouble in {hook}, at tests/core/samples.py:")
    assert failure.facts["file"] == "tests/core/samples.py"
    assert f":{failure.facts['line']}: raise ValueError" in failure.message
    assert "samples.py" in failure.trace


def test_what_is_not_achieved_yet_goes_on(bench: Bench) -> None:
    """The control loop says that it is over, and is asked again."""
    probe = Probe(trouble="achieved:later", steps=2)
    assert bench.run(probe).success
    assert (probe.count, probe.asked) == (5, 4)


def test_an_exception_in_finish_is_told_and_changes_no_verdict(bench: Bench) -> None:
    """The task was done; that the cleaning up went wrong is an event."""
    assert bench.run(Probe(trouble="finish:raise")).success
    (event,) = [event for event in bench.events if event.kind == "failure"]
    failure = event.data["failure"]
    assert isinstance(failure, Failure)
    assert failure.message.startswith("ValueError while cleaning up: trouble in finish, at tests/core/samples.py:")


def test_a_failed_condition_is_quoted_with_its_values(bench: Bench) -> None:
    """The failure of a pre- or incondition says which and why, and has the values as facts."""
    failure = bench.run(Probe(trouble="precondition:fail")).failure
    assert failure is not None
    assert "precondition told(holds=False" in failure.message
    assert failure.message.startswith("it was told so (precondition ")
    assert failure.facts == {"it was told so": False}


def test_an_incondition_is_asked_in_every_step(bench: Bench) -> None:
    """What held at the start may not hold later: the run ends in the step in which it stops to hold."""
    condition = Once()

    class Guarded(Forever):
        def inconditions(self) -> list[Condition]:
            return [condition]

    outcome = bench.run(Guarded())
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.INCONDITION
    assert outcome.steps == condition.asked == 2


def test_a_busy_chain_fails_the_start_and_names_its_owner(bench: Bench) -> None:
    """The cause is the arbiter's."""
    bench.context.arbiter.claim("somebody", ["head"])
    failure = bench.run(Probe(chain="head")).failure
    assert failure is not None
    assert failure.kind is FailureKind.CHAIN_BUSY
    assert failure.root.facts == {"chain": "head", "held_by": "somebody"}
    assert bench.context.arbiter.owner("head") == "somebody"
    assert bench.messages("probe") == REFUSED


def test_a_missing_parameter_fails_the_start(bench: Bench) -> None:
    """Found before any hook that might read it."""

    class Needy(TaskBehavior):
        object = Parameter(str)

    failure = bench.run(Needy()).failure
    assert failure is not None
    assert (failure.kind, failure.message) == (FailureKind.PARAMETER, "parameter 'object' has no value")


def test_planning_takes_the_declared_simulated_time(bench: Bench) -> None:
    """The control loop starts when the declared time is over, and the world goes on meanwhile."""
    bench.run(Probe(planning=True))
    times = {event.data["message"]: event.time for event in bench.events if event.kind == "message"}
    assert times["planning-started"] == 0.0
    assert times["planning-ended"] == times["controlloop-started"] == pytest.approx(Probe.planning_time)
    steps = [event.time for event in bench.events if event.kind == "step"]
    assert np.diff(steps) == pytest.approx(bench.context.dt)


def test_a_plan_that_is_not_found_is_the_failure(bench: Bench) -> None:
    """The planner's own reason, after the planning time, and whose planning it was."""
    bench.skills.plans.append(Failure(FailureKind.IK_EXHAUSTED, "planner", "out of reach", {"distance": 0.4}))
    failure = bench.run(Probe(planning=True)).failure
    assert failure is not None
    assert failure.kind is FailureKind.IK_EXHAUSTED
    assert failure.explain() == ("probe: planning failed, because planner: out of reach (distance: 0.4).")
    assert bench.messages("probe") == [*PLANNED, *REFUSED]


class Tailed(Probe):
    """Needs what the robot has not."""

    needs = ("head", "tail")


def test_requirements_are_matched_before_anything_else(bench: Bench) -> None:
    """By default those chains have to be there that the class needs; the failure has what was compared as data."""
    behavior = Tailed(trouble="precondition:fail")
    failure = bench.run(behavior).failure
    assert failure is not None
    assert failure == behavior.unmet()
    assert failure.kind is FailureKind.NOT_ABLE
    chains = ", ".join(bench.skills.chains)
    assert failure.explain() == f"tailed: it takes a chain 'tail'; the robot has {chains}."
    assert failure.facts["requirement"] == "HasChain(chain='tail')"
    assert bench.messages("tailed") == REFUSED


@pytest.mark.parametrize(
    ("hook", "message"),
    [
        ("required_chains", "cannot start"),
        ("plan", "planning failed"),
        ("planned", "planning failed"),
        ("step", "the control loop failed"),
    ],
)
def test_a_failure_of_another_becomes_the_cause(bench: Bench, hook: str, message: str) -> None:
    """Whatever hook hands it on: the chain of causes starts with the behavior that failed."""
    deep = Failure(FailureKind.COLLISION, "skill", "too close")
    behavior = type("Hands", (Probe,), {hook: lambda *_: Failure(FailureKind.NO_GRASP, "skill", "no way", cause=deep)})
    failure = bench.run(behavior(planning=True)).failure
    assert failure is not None
    assert (failure.kind, failure.where, failure.message) == (FailureKind.COLLISION, "hands", message)
    assert [link.message for link in failure.chain()] == [message, "no way", "too close"]


@pytest.mark.parametrize(
    ("hook", "result", "allowed"),
    [
        ("requirements", None, "requirements"),
        ("requirements", "head", "requirements"),
        ("preconditions", None, "a sequence of conditions"),
        ("preconditions", [True], "a sequence of conditions"),
        ("inconditions", Told(True), "a sequence of conditions"),
        ("required_chains", "head", "a sequence of names of chains, or a Failure"),
        ("required_chains", None, "a sequence of names of chains, or a Failure"),
        ("plan", True, "a job of the skills, a Failure or None"),
        ("planned", True, "a Failure or None"),
        ("step", None, "True, False or a Failure"),
    ],
)
def test_what_a_hook_returns_is_checked(bench: Bench, hook: str, result: object, allowed: str) -> None:
    """The failure names the hook, what it returned, what it may return, and the line of the hook."""
    behavior = type("Wrong", (Probe,), {hook: lambda *_: result})
    failure = bench.run(behavior(planning=hook == "planned")).failure
    assert failure is not None
    assert failure.kind is FailureKind.EXCEPTION
    assert f"{hook}() returned {result!r}; it has to return {allowed}, at tests/core/test_beh" in failure.message
    assert bench.violation() is None


def test_positional_parameters_are_answered_with_named_ones() -> None:
    """The complaint is what to write, for machines also."""
    with pytest.raises(ParameterError, match=re.escape("given by name: Forever(chain='head')")):
        untyped(Forever)("head")
    with pytest.raises(ParameterError, match=re.escape("given by name: Empty(...='head')")):
        untyped(type("Empty", (Machine,), {}))("head")


def test_a_forgotten_super_init_is_named() -> None:
    """When the behavior is made, or its parameters are set too early; other missing attributes read as always."""

    class Forgetful(Forever):
        def __init__(self) -> None:
            pass

    class Hasty(Forever):
        def __init__(self) -> None:
            self.chain = "head"
            super().__init__()

    for use in (Forgetful, Hasty):
        with pytest.raises(AttributeError, match=re.escape("has to call super().__init__() first")):
            use()
    with pytest.raises(AttributeError, match="'Forever' object has no attribute 'colour'"):
        _ = untyped(Forever()).colour


@pytest.mark.parametrize(("stale", "success"), [(1, True), (2, True), (3, False)])
def test_a_stale_plan_is_made_anew_a_few_times(bench: Bench, stale: int, success: bool) -> None:
    """The world changed while planning: plan again with another seed, at most three times, then say so."""
    bench.skills.stale.extend([Failure(FailureKind.COLLISION, "planner", "the world changed")] * stale)
    probe = Probe(planning=True)
    outcome = bench.run(probe)
    assert outcome.success is success
    assert len(probe.drawn) == len(set(probe.drawn)) == min(stale + 1, 3)
    assert bench.messages("probe").count("planning-started") == 1
    assert bench.violation() is None
    if not success:
        assert outcome.failure is not None
        assert outcome.failure.root.message == "the world changed"


def test_a_plan_is_an_event_with_its_work(bench: Bench) -> None:
    """Readers learn how long the motion is, what it took to find it and where it leads."""
    line = LineTrajectory(np.array([3]), np.zeros(1), np.ones(1), 2.0)
    bench.skills.plans.append(Plan(line, None, 2.0, stretched=True, work={"collision_checks": 12}))
    bench.run(Probe(planning=True))
    (event,) = [event for event in bench.events if event.kind == "plan"]
    facts = dict(event.data)
    samples = facts.pop("samples")
    assert facts == {"duration": 2.0, "stretched": True, "collision_checks": 12}
    assert isinstance(samples, np.ndarray)
    np.testing.assert_allclose(samples[:, 3], np.linspace(0.0, 1.0, 16))  # the one that moves
    np.testing.assert_array_equal(np.delete(samples, 3, axis=1), np.tile(np.delete(bench.plant.sense().q, 3), (16, 1)))


@pytest.mark.parametrize(
    ("parameters", "ticks", "messages"),
    [
        ({}, 0, []),
        ({"planning": True}, 1, ["planning-started", "force-quit", "task-complete"]),
        ({"steps": 9}, 3, [*STARTED, "force-quit", "task-complete"]),
        ({"steps": 9, "trouble": "finish:raise"}, 3, [*STARTED, "force-quit", "task-complete"]),
        ({"steps": 2}, 2, [*STARTED, *SUCCEEDED]),
    ],
    ids=["before", "planning", "control loop", "raising", "after"],
)
def test_force_quit_in_every_phase(bench: Bench, parameters: dict[str, Any], ticks: int, messages: list[str]) -> None:
    """It cuts in where the run is, cleans up once, frees the chains, and a second one finds nothing to do."""
    probe = Probe(chain="head", **parameters)
    bench.ticks(probe, ticks)
    probe.force_quit()
    probe.force_quit()
    assert bench.messages("probe") == messages
    assert bench.violation() is None
    assert free(bench)
    assert ticks == 0 or probe.finished == 1


def test_what_is_cut_off_while_planning_cancels_its_job(bench: Bench) -> None:
    """Nobody waits for it any more."""
    jobs: list[Any] = []

    class Planner(Probe):
        def plan(self) -> Any:
            jobs.append(super().plan())
            return jobs[-1]

    planner = Planner(planning=True)
    bench.ticks(planner, 1)
    planner.force_quit()
    assert jobs[0].cancelled


def test_a_behavior_starts_over_after_any_end(bench: Bench) -> None:
    """Cut off, failed or done: the next run is a run like the first."""
    probe = Probe(steps=3)
    bench.ticks(probe, 1)
    probe.force_quit()
    probe.set_parameters(steps=1, trouble="step:fail")
    assert not bench.run(probe).success
    probe.set_parameters(trouble="")
    outcome = bench.run(probe)
    assert outcome.success
    assert probe.failure is None
    assert probe.runs == 3
    assert bench.violation() is None


@pytest.mark.parametrize("result", [np.True_, True])
def test_numpy_truth_is_truth(bench: Bench, result: bool) -> None:
    """``return q[0] > 1`` is a numpy bool; it ends the run like any other."""

    class Truth(TaskBehavior):
        def step(self) -> bool:
            return result

    assert bench.run(Truth()).success


def test_a_step_that_returns_nothing_is_told_what_to_return(bench: Bench) -> None:
    """A forgotten return is not taken for success."""

    class Forgetful(TaskBehavior):
        def step(self) -> Any:
            return None

    failure = bench.run(Forgetful()).failure
    assert failure is not None
    assert "step() returned None; it has to return True, False or a Failure" in failure.message


@pytest.mark.parametrize("hook", ["plan", "finish"])
def test_messages_of_the_control_loop_are_sent_only_there(bench: Bench, hook: str) -> None:
    """A behavior cannot break the grammar: goals and outputs outside of the control loop are its own exception."""

    def early(self: TaskBehavior) -> None:
        self.goal(True)

    outcome = bench.run(type("Early", (TaskBehavior,), {hook: early})())
    assert bench.violation() is None
    assert "goal-achieved" not in bench.messages("early")
    told = outcome.failure or next(event.data["failure"] for event in bench.events if event.kind == "failure")
    assert isinstance(told, Failure)
    assert "can send goal-achieved only in the control loop" in told.message


def test_outputs_are_published_with_their_values(bench: Bench) -> None:
    """By parameter-set, and readable from then on; the next run starts without them."""
    finder = Finder(value=4)
    bench.run(finder)
    assert finder.found == 4
    assert [event.data["found"] for event in bench.events if event.data.get("message") == "parameter-set"] == [4]
    bench.ticks(finder, 1)
    assert finder.found is None


def test_elapsed_counts_from_the_control_loop(bench: Bench) -> None:
    """Planning does not count."""
    seen: list[float] = []

    class Timed(Probe):
        def step(self) -> Failure | bool:
            seen.append(self.elapsed)
            return super().step()

    bench.run(Timed(planning=True, steps=3))
    assert seen == pytest.approx([0.0, 0.01, 0.02])


def test_commands_go_out_only_for_own_chains(bench: Bench) -> None:
    """A command to somebody else's joints is the sender's failure."""

    class Greedy(TaskBehavior):
        def step(self) -> bool:
            self.command(self.context.skills.joints("head"), np.zeros(2))
            return True

    failure = bench.run(Greedy()).failure
    assert failure is not None
    assert "ChainError in the control loop: 'greedy' commands joints [3, 4]" in failure.message


def test_a_behavior_that_was_not_set_up_says_so() -> None:
    """Ticked outside of a session, it fails with the reason instead of raising."""
    probe = Probe()
    probe.tick_once()
    assert probe.status is Status.FAILURE
    assert probe.failure is not None
    assert "behavior 'probe' was not set up" in probe.failure.message
    with pytest.raises(TaskMatrixError, match="behavior 'probe' needs setup"):
        probe.setup()


@pytest.mark.parametrize(
    ("type", "value", "right"),
    [
        (str, "left", True),
        (str, None, True),
        (str, 3, False),
        (int, np.int64(3), True),
        (int, True, False),
        (int, 3.5, False),
        (float, 3, True),
        (float, np.float64(3.5), True),
        (float, "3", False),
        (tuple, (1, 2), True),
        (tuple, 1, False),
    ],
)
def test_what_is_published_is_of_the_type_declared(bench: Bench, type: type, value: object, right: bool) -> None:
    """Who publishes something else is named."""

    class Publisher(TaskBehavior):
        thing: Output[Any] = Output(type)

        def step(self) -> bool:
            self.publish(thing=value)
            return True

    failure = bench.run(Publisher()).failure
    assert (failure is None) is right
    if failure is not None:
        assert "'publisher' (Publisher) publishes what it may not: output 'thing' has to be " in failure.message
