"""What goes wrong in a machine: who catches it, and what becomes of the rest."""

from __future__ import annotations

from typing import Any

import pytest
from py_trees.common import Status

from taskmatrix.core import (
    Failure,
    FailureKind,
    Machine,
    Parameter,
    State,
    TaskBehavior,
    on,
    start,
)
from taskmatrix.testing import Bench

from .machines import Wired, ended, starts
from .samples import Finder, Forever, Probe, Told


def test_a_value_that_does_not_fit_fails_the_machine_with_the_parameter(bench: Bench) -> None:
    """An output that was never published cannot be a number."""

    class Empty(Machine):
        find = State(Forever)
        use = State(Wired, value=3, final=True)
        other = State(Finder)
        bad = State(Probe, number=other.found)

        transitions = (start(find, other), on(find.goal_achieved, start=bad), on(bad.task_complete, start=use))

    failure = bench.run(Empty()).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    assert "state 'bad' cannot start: Probe: parameter 'number' has to be an integer, not None" in failure.message
    assert bench.violation() is None


def test_a_start_that_fails_at_the_end_fails_the_machine(bench: Bench) -> None:
    """That the state which ended was final does not cover it up."""

    class Covered(Machine):
        other = State(Finder)
        last = State(Probe, final=True)
        bad = State(Probe, number=other.found)
        transitions = (start(last, other), on(last.task_complete, start=bad), on(last.failed, start=bad))

    failure = bench.run(Covered()).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER


def test_a_failure_that_nobody_catches_ends_every_machine_with_the_whole_chain(bench: Bench) -> None:
    """From the outermost machine down to the state that failed, in one paragraph."""

    class Breaking(Machine):
        first = State(Probe, trouble="step:fail", final=True)
        transitions = (start(first),)

    class Around(Machine):
        inner = State(Breaking, final=True)
        beside = State(Forever, chain="head")
        transitions = (start(inner, beside),)

    outcome = bench.run(Around())
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TRACKING
    assert outcome.failure.explain() == (
        "around: state 'inner' failed, because around/inner: state 'first' failed, "
        "because around/inner/first: trouble in step."
    )
    assert ended(bench, "around/beside") == "force-quit"
    assert bench.violation() is None


@pytest.mark.parametrize("trouble", ["step:fail", "plan:fail", "required_chains:raise"])
def test_failed_catches_both_failures(bench: Bench, trouble: str) -> None:
    """Before the control loop and in it; the machine goes on where the transition leads."""

    class Catching(Machine):
        risky = State(Probe, trouble=trouble)
        instead = State(Probe, final=True)

        transitions = (start(risky), on(risky.failed, start=instead))

    assert bench.run(Catching()).success
    assert starts(bench)[-1] == "catching/instead"


@pytest.mark.parametrize(
    ("trouble", "caught"), [("step:fail", True), ("plan:fail", False), ("required_chains:raise", False)]
)
def test_one_failure_can_be_caught_alone(bench: Bench, trouble: str, caught: bool) -> None:
    """Who waits for task-failed does not catch task-failed-to-start."""

    class Picky(Machine):
        risky = State(Probe, trouble=trouble)
        instead = State(Probe, final=True)

        transitions = (start(risky), on(risky.task_failed, start=instead))

    assert bench.run(Picky()).success is caught


def test_a_failure_whose_guard_does_not_hold_is_not_caught(bench: Bench) -> None:
    """Only a transition that is followed catches."""

    class Guarded(Machine):
        risky = State(Probe, trouble="step:fail")
        instead = State(Probe, final=True)

        transitions = (start(risky), on(risky.failed, start=instead, when=Told(False)))

    assert not bench.run(Guarded()).success


class Retry(Machine):
    """Tries again until it works."""

    task = State(Probe, final=True)
    transitions = (start(task), on(task.failed, start=task))


@pytest.mark.parametrize("trouble", ["step:fail", "plan:fail", "required_chains:fail"])
def test_a_failed_state_can_be_tried_again(bench: Bench, trouble: str) -> None:
    """A transition from a failure back to the state; the task-complete of the old try does not end the new one."""
    machine = Retry()
    (task,) = machine.children
    assert isinstance(task, TaskBehavior)
    task.set_parameters(trouble=trouble)
    assert bench.ticks(machine, 3) == [Status.RUNNING] * 3
    assert task.runs == 3
    task.set_parameters(trouble="")
    bench.executive.step(machine)
    assert machine.status is Status.SUCCESS
    assert bench.violation() is None


def test_an_optional_state_may_fail(bench: Bench) -> None:
    """Its failure is an event with the reason, and the machine goes on."""

    class Lenient(Machine):
        extra = State(Probe, trouble="step:fail", optional=True)
        main = State(Probe, steps=3, final=True)
        transitions = (start(extra, main),)

    assert bench.run(Lenient()).success
    (event,) = [event for event in bench.events if event.kind == "failure"]
    assert (event.source, event.data["optional"]) == ("lenient/extra", True)
    assert isinstance(event.data["failure"], Failure)


@pytest.mark.parametrize(("optional", "success"), [(True, True), (False, False)])
def test_a_final_state_that_fails_ends_the_machine(bench: Bench, optional: bool, success: bool) -> None:
    """With its failure; or, where it was optional, without."""

    class Last(Machine):
        last = State(Probe, trouble="step:fail", final=True, optional=optional)
        transitions = (start(last),)

    assert bench.run(Last()).success is success


def test_a_dead_end_is_a_failure(bench: Bench) -> None:
    """No state runs, none can start, and none that ended was final."""

    class Dead(Machine):
        first = State(Probe)
        final = State(Probe, final=True)
        transitions = (start(first), on(first.failed, start=final))

    failure = bench.run(Dead()).failure
    assert failure is not None
    assert (failure.kind, failure.where) == (FailureKind.DEAD_END, "dead")


def test_a_start_whose_guards_all_fail_does_not_start(bench: Bench) -> None:
    """The machine says so, before any state runs."""

    class Shut(Machine):
        first = State(Probe, final=True)
        transitions = (start(first, when=Told(False)),)

    failure = bench.run(Shut()).failure
    assert failure is not None
    assert failure.message == "the guard of no start transition holds"
    assert ended(bench, "shut") == "task-failed-to-start"


def test_a_guard_that_raises_is_the_machines_failure(bench: Bench) -> None:
    """Its states are cut off in order, and the trace says where."""

    class Raising(Told):
        def evaluate(self, context: Any) -> Any:
            raise ZeroDivisionError

    class Unlucky(Machine):
        first = State(Probe)
        beside = State(Forever, chain="head")
        final = State(Probe, final=True)
        transitions = (start(first, beside), on(first.task_complete, start=final, when=Raising(True)))

    failure = bench.run(Unlucky()).failure
    assert failure is not None
    assert failure.kind is FailureKind.EXCEPTION
    assert "ZeroDivisionError" in failure.trace
    assert bench.violation() is None
    assert bench.context.arbiter.owner("head") is None


def test_a_state_that_raises_does_not_take_the_others_down(bench: Bench) -> None:
    """Its exception is its failure; caught or optional, the others do not miss a step."""

    class Tough(Machine):
        wild = State(Probe, trouble="step:raise", chain="head", optional=True)
        calm = State(Probe, steps=5, chain="left_arm", final=True)
        transitions = (start(wild, calm),)

    outcome = bench.run(Tough())
    assert outcome.success
    assert outcome.steps == 5
    assert ended(bench, "tough/wild") == "task-failed"
    assert bench.plant.sense().q[5] == pytest.approx(0.42)


def test_nothing_starts_once_the_machine_is_over(bench: Bench) -> None:
    """A transition that cannot start its state is the last one that is followed."""

    class Over(Machine):
        first = State(Finder)
        needy = State(Probe, number=first.found)
        last = State(Probe, final=True)
        transitions = (
            start(first),
            on(first.planning_ended, start=needy),
            on(first.planning_ended, start=last),
        )

    failure = bench.run(Over()).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    told = [event.data["start"] for event in bench.events if event.kind == "transition"]
    assert told == [["first"], ["needy"]]


class Needs(Machine):
    """Says when it starts that something is not there."""

    object = Parameter(str, known=True)
    other = Parameter(str, default=None, known=True)
    a = State(Probe, final=True)
    transitions = (start(a),)


def test_an_object_that_has_to_be_known_is_looked_for_at_the_start(bench: Bench) -> None:
    """Before any state starts; one that need not be given may be left out."""
    failure = bench.run(Needs(object="cap")).failure
    assert failure is not None
    assert failure.kind is FailureKind.UNKNOWN_OBJECT
    assert failure.explain() == "needs: no object 'cap'; did you mean 'cup'? There are: cup."
    assert starts(bench) == []
    assert bench.run(Needs(object="cup")).success
    assert not bench.run(Needs(object="cup", other="cap")).success
