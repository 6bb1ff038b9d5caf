"""Recovering from failures, giving up, and telling about it."""

from __future__ import annotations

import pytest

from taskmatrix.core import FailureKind, Machine, Outcome, Parameter, State, on, start
from taskmatrix.core.base.failure import Failure
from taskmatrix.testing import Bench

from .samples import Probe, Told


def tries(bench: Bench, source: str) -> int:
    """How often a behavior began."""
    return bench.messages(source).count("planning-started")


class Thrice(Machine):
    """Retry twice, then give up in its own words."""

    a = State(Probe, trouble="step:fail", final=True)
    transitions = (start(a), on(a.failed, start=a, times=2), on(a.failed, fail="tried three times"))


class GivesUpFirst(Machine):
    """The same, written the other way round."""

    a = State(Probe, trouble="step:fail", final=True)
    transitions = (start(a), on(a.failed, fail="tried three times"), on(a.failed, start=a, times=2))


@pytest.mark.parametrize("machine", [Thrice, GivesUpFirst])
def test_a_bounded_catch_comes_before_one_without_a_bound(bench: Bench, machine: type[Machine]) -> None:
    """Whichever is written first."""
    made = machine()
    failure = bench.run(made).failure
    assert failure is not None
    assert failure.message == "tried three times"
    assert tries(bench, f"{made.name}/a") == 3
    assert len(failure.earlier) == 2


def test_something_else_is_tried_after_the_last_attempt(bench: Bench) -> None:
    """Not already beside the first."""

    class Else(Machine):
        a = State(Probe, trouble="step:fail")
        b = State(Probe, final=True)
        transitions = (start(a), on(a.failed(kind="tracking"), start=a, times=1), on(a.failed, start=b))

    assert bench.run(Else()).success
    assert tries(bench, "else/a") == 2
    assert tries(bench, "else/b") == 1


class Guarded(Machine):
    """The guard of the bounded catch does not hold."""

    a = State(Probe, trouble="step:fail", final=True)
    transitions = (start(a), on(a.failed, start=a, when=Told(False), times=2), on(a.failed, fail="no use"))


class OfAnotherKind(Machine):
    """The bounded catch waits for failures of another kind."""

    a = State(Probe, trouble="step:fail", final=True)
    transitions = (start(a), on(a.failed(kind="timeout"), start=a, times=2), on(a.failed, fail="no use"))


@pytest.mark.parametrize("machine", [Guarded, OfAnotherKind])
def test_a_bounded_catch_that_is_not_followed_leaves_the_way_open(bench: Bench, machine: type[Machine]) -> None:
    """As if it were not written."""
    made = machine()
    failure = bench.run(made).failure
    assert failure is not None
    assert failure.message == "no use"
    assert tries(bench, f"{made.name}/a") == 1


def test_what_fails_a_machine_by_a_guard_is_told(bench: Bench) -> None:
    """With the values that decided."""

    class Stern(Machine):
        a = State(Probe, final=True)
        transitions = (start(a), on(a.task_successful, fail="not good enough", when=Told(True, "it is short")))

    failure = bench.run(Stern()).failure
    assert failure is not None
    assert failure.explain() == "stern: not good enough: it is short."
    assert failure.facts == {"it is short": True}


class Inner(Machine):
    """Fails once, and then does not."""

    trouble = Parameter(str, default="step:fail")
    a = State(Probe, trouble=trouble)
    b = State(Probe, final=True)
    transitions = (start(a), on(a.failed, start=b), on(a.task_successful, start=b))


class Outer(Machine):
    """A machine in a machine."""

    inner = State(Inner, final=True)
    transitions = (start(inner),)


def test_a_success_tells_what_was_recovered_from(bench: Bench) -> None:
    """Also what a machine in a machine recovered from."""
    outcome = bench.run(Outer())
    assert outcome.success
    assert [failure.where for failure in outcome.recovered] == ["outer/inner/a"]
    assert str(outcome) == "success after 0.01 s, after recovering from outer/inner/a: trouble in step"
    assert bench.run(Inner(trouble="")).recovered == ()


def test_many_recoveries_are_told_in_short() -> None:
    """The same ones are counted, and of different ones the first are told."""
    failures = [Failure(FailureKind.COLLISION, f"state {k // 2}", "the way is blocked") for k in range(9)]
    assert str(Outcome(True, None, 1.0, 100, recovered=tuple(failures))) == (
        "success after 1.00 s, after recovering from state 0: the way is blocked (2 times); state 1: the way is "
        "blocked (2 times); state 2: the way is blocked (2 times); 2 more"
    )


def test_the_end_of_a_search_is_nothing_to_recover_from(bench: Bench) -> None:
    """A loop that ends with ``nothing_found`` ends as it should."""

    class Empty(Probe):
        def step(self) -> Failure:
            return self.fail(FailureKind.NOTHING_FOUND, "none left")

    class Loop(Machine):
        a = State(Empty)
        b = State(Probe, final=True)
        transitions = (start(a), on(a.failed, start=b))

    assert bench.run(Loop()).recovered == ()
