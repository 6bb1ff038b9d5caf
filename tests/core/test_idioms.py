"""The thin helpers for py_trees."""

from __future__ import annotations

import pytest
from py_trees.common import Status

import taskmatrix
from taskmatrix.core import FailureKind, ParameterError, TaskMatrixError, parallel, selector, sequence, timeout
from taskmatrix.testing import Bench

from .samples import Forever, Probe


def test_a_sequence_remembers_what_is_done(bench: Bench) -> None:
    """Each child runs once, one after the other."""
    first, second = Probe(steps=2, name="first"), Probe(steps=2, name="second")
    assert bench.run(sequence("both", first, second)).success
    assert (first.runs, second.runs) == (1, 1)


def test_a_selector_remembers_what_failed(bench: Bench) -> None:
    """A child that failed is not asked again while the next one runs."""
    first, second = Probe(trouble="step:fail", name="first"), Probe(steps=3, name="second")
    assert bench.run(selector("either", first, second)).success
    assert (first.runs, second.runs) == (1, 1)


def test_a_parallel_does_not_start_anew_who_is_done(bench: Bench) -> None:
    """It ends when all have succeeded, each once."""
    quick, slow = Probe(steps=1, name="quick"), Probe(steps=5, name="slow")
    outcome = bench.run(parallel("together", quick, slow))
    assert outcome.success
    assert outcome.steps == 5
    assert (quick.runs, slow.runs) == (1, 1)


def test_names_and_children_are_what_was_given() -> None:
    """The helpers add nothing else."""
    children = [Probe(), Probe()]
    for helper in (sequence, selector, parallel):
        tree = helper("name", *children)
        assert (tree.name, tree.children) == ("name", children)
        for child in children:
            child.parent = None


def test_a_timeout_fails_its_child_on_the_clock_of_the_run(bench: Bench) -> None:
    """Half a minute of simulated time passes in no time; the child is forced to quit, and the reason is told."""
    child = Forever(chain="head")
    outcome = bench.run(timeout(child, 20.0), timeout=60.0)
    assert outcome.duration == pytest.approx(20.0)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TIMEOUT
    assert (
        outcome.failure.explain() == "forever within 20 s: 'forever' still ran after 20 s: "
        "forever was in the control loop for 20 s."
    )
    assert bench.messages("forever")[-2:] == ["force-quit", "task-complete"]
    assert bench.context.arbiter.owner("head") is None
    assert [event.source for event in bench.events if event.kind == "failure"] == ["forever within 20 s"]


@pytest.mark.parametrize(("trouble", "status"), [("", Status.SUCCESS), ("step:fail", Status.FAILURE)])
def test_a_timeout_leaves_alone_who_is_in_time(bench: Bench, trouble: str, status: Status) -> None:
    """Success and failure of the child pass through, also in the step in which the time is over."""
    tree = timeout(Probe(steps=3, trouble=trouble), 0.02)
    bench.run(tree)
    assert tree.status is status
    assert tree.failure is None


def test_a_timeout_starts_over_with_its_child(bench: Bench) -> None:
    """In the next run the time begins anew, and the old failure is forgotten."""
    probe = Probe(steps=100)
    tree = timeout(probe, 0.5)
    assert not bench.run(tree).success
    probe.set_parameters(steps=10)
    assert bench.run(tree).success
    assert tree.failure is None


def test_the_failure_of_a_timeout_explains_the_tree(bench: Bench) -> None:
    """Inside of a tree it is a cause like that of a behavior."""
    failure = bench.run(sequence("fetch", Probe(), timeout(Forever(), 0.1))).failure
    assert failure is not None
    assert failure.explain() == (
        "fetch: the tree failed, because forever within 0.1 s: 'forever' still ran after 0.1 s: "
        "forever was in the control loop for 0.1 s."
    )


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_a_timeout_is_a_positive_time(seconds: float) -> None:
    """Anything else is refused where it is written."""
    with pytest.raises(ParameterError, match="a timeout has to be a positive number of seconds"):
        timeout(Probe(), seconds)


def test_a_timeout_needs_the_context() -> None:
    """As every behavior."""
    tree = timeout(Probe(), 1.0)
    with pytest.raises(TaskMatrixError, match="was not set up"):
        tree.tick_once()
    with pytest.raises(TaskMatrixError, match="needs setup"):
        tree.setup()


@pytest.mark.parametrize("name", ["sequence", "selector", "parallel", "timeout"])
def test_the_helpers_are_at_hand(name: str) -> None:
    """From the package itself."""
    assert getattr(taskmatrix, name) is getattr(taskmatrix.core, name)
