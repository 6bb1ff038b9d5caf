"""Task behaviors and machines inside py_trees, and what its composites make of them."""

from __future__ import annotations

from collections.abc import Callable

import py_trees
import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.decorators import FailureIsSuccess, Inverter, Retry, Timeout

from taskmatrix.core import FailureKind, Machine, State, on, start
from taskmatrix.testing import Bench

from .samples import Forever, Probe

STATUS = {"R": Status.RUNNING, "S": Status.SUCCESS, "F": Status.FAILURE}


class Twice(Machine):
    """Two steps of one state, then one of another: three control steps."""

    first = State(Probe, steps=2, chain="head")
    last = State(Probe, final=True)
    transitions = (start(first), on(first.task_successful, start=last))


class Breaks(Machine):
    """Fails in its second step."""

    first = State(Probe, steps=1)
    last = State(Probe, trouble="step:fail", final=True)
    transitions = (start(first), on(first.task_successful, start=last))


def works(steps: int = 2, name: str = "works") -> Probe:
    return Probe(steps=steps, name=name, chain="left_arm")


def fails(trouble: str = "step:fail", name: str = "fails") -> Probe:
    return Probe(trouble=trouble, name=name, chain="right_arm")


def sequence(*children: Behaviour) -> Sequence:
    return Sequence("sequence", memory=True, children=list(children))


def selector(*children: Behaviour) -> Selector:
    return Selector("selector", memory=True, children=list(children))


def both(*children: Behaviour, one: bool = False) -> Parallel:
    policy = ParallelPolicy.SuccessOnOne() if one else ParallelPolicy.SuccessOnAll(synchronise=True)
    return Parallel("parallel", policy=policy, children=list(children))


TREES: list[tuple[Callable[[], Behaviour], str]] = [
    (lambda: works(3), "RRS"),
    (Twice, "RRS"),
    (Breaks, "RF"),
    (lambda: sequence(works(2), Twice()), "RRRS"),
    (lambda: sequence(Twice(), fails(), works()), "RRF"),
    (lambda: sequence(Breaks(), works()), "RF"),
    (lambda: selector(fails(), Twice()), "RRS"),
    (lambda: selector(Breaks(), works(2)), "RRS"),
    (lambda: selector(fails("plan:fail"), Breaks()), "RF"),
    (lambda: both(works(2), Twice()), "RRS"),
    (lambda: both(works(4), Breaks()), "RF"),
    (lambda: both(works(4), Twice(), one=True), "RRS"),
    (lambda: Inverter("not", Breaks()), "RS"),
    (lambda: Inverter("not", Twice()), "RRF"),
    (lambda: Retry("retry", Breaks(), 2), "RRRF"),
    (lambda: Retry("retry", fails(), 3), "RRF"),
    (lambda: Timeout("in time", Twice(), 60.0), "RRS"),
    (lambda: sequence(works(2), Inverter("not", selector(fails(), Breaks())), Twice()), "RRRRS"),
]


@pytest.mark.parametrize(
    ("make", "expected"), TREES, ids=[f"{number}-{text}" for number, (_, text) in enumerate(TREES)]
)
def test_statuses_over_ticks(bench: Bench, make: Callable[[], Behaviour], expected: str) -> None:
    """A tree has the status that its leaves' statuses make, tick by tick, and no message is out of place."""
    assert bench.ticks(make(), len(expected)) == [STATUS[letter] for letter in expected]
    assert bench.violation() is None


@pytest.mark.parametrize(
    ("make", "expected"), TREES, ids=[f"{number}-{text}" for number, (_, text) in enumerate(TREES)]
)
def test_the_executive_runs_any_tree(bench: Bench, make: Callable[[], Behaviour], expected: str) -> None:
    """The outcome is the root's last status, in as many steps, twice in a row; nobody keeps a chain."""
    tree = make()
    for _ in range(2):
        outcome = bench.run(tree)
        assert outcome.success == expected.endswith("S")
        assert outcome.steps == len(expected)
        assert all(bench.context.arbiter.owner(chain) is None for chain in bench.skills.chains)
    assert bench.violation() is None


def test_what_a_parallel_stops_is_forced_to_quit(bench: Bench) -> None:
    """The running child of a tree that ends sends its last messages and gives its chain back."""
    outcome = bench.run(both(Forever(chain="head"), works(3), one=True))
    assert outcome.success
    assert bench.messages("forever")[-2:] == ["force-quit", "task-complete"]


def test_what_a_higher_priority_interrupts_is_forced_to_quit(bench: Bench) -> None:
    """Without memory a selector asks its first child again in every tick."""
    gate = py_trees.behaviours.StatusQueue("gate", [Status.FAILURE, Status.FAILURE, Status.SUCCESS], None)
    tree = Selector("priority", memory=False, children=[gate, Twice()])
    assert bench.ticks(tree, 3) == [Status.RUNNING, Status.RUNNING, Status.SUCCESS]
    assert bench.messages("twice")[-2:] == ["force-quit", "task-complete"]
    assert bench.context.arbiter.owner("head") is None
    assert bench.violation() is None


def test_two_leaves_of_one_name_are_told_apart(bench: Bench) -> None:
    """In the messages, by a number."""
    bench.run(sequence(works(1), works(1)))
    assert [text for text in bench.messages() if text.endswith("task-successful")] == [
        "works task-successful",
        "works#2 task-successful",
    ]


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (
            lambda: sequence(works(), Breaks()),
            FailureKind.TRACKING,
            "sequence: the tree failed, because breaks: state 'last' failed, because breaks/last: trouble in step.",
        ),
        (
            lambda: selector(fails("plan:fail"), Breaks()),
            FailureKind.TRACKING,
            "selector: the tree failed, because breaks: state 'last' failed, because breaks/last: trouble in step.",
        ),
        (
            lambda: both(Breaks(), FailureIsSuccess("tolerated", fails())),
            FailureKind.TRACKING,
            "parallel: the tree failed, because breaks: state 'last' failed, because breaks/last: trouble in step.",
        ),
        (
            lambda: sequence(py_trees.behaviours.Failure("door open?")),
            FailureKind.TREE,
            "sequence: 'door open?' failed (feedback: failure).",
        ),
        (
            lambda: Inverter("not", works(1)),
            FailureKind.TREE,
            "not: 'not' failed (feedback: success -> failure).",
        ),
    ],
)
def test_a_tree_says_why_it_failed(bench: Bench, make: Callable[[], Behaviour], kind: FailureKind, text: str) -> None:
    """With the chain of causes where a task behavior failed, else with the leaf and its word."""
    failure = bench.run(make()).failure
    assert failure is not None
    assert failure.kind is kind
    assert failure.explain() == text


def test_a_failure_of_an_earlier_run_is_not_told_again(bench: Bench) -> None:
    """Only what failed in this run explains it."""
    first, second = works(1, "first"), fails(name="second")
    tree = sequence(first, second)
    bench.run(tree)
    first.set_parameters(trouble="step:raise")
    failure = bench.run(tree).failure
    assert failure is not None
    assert failure.root.where == "first"


def test_py_trees_own_tree_sets_up_and_ticks(bench: Bench) -> None:
    """A BehaviourTree hands the context on to all nodes, also into a machine whose states keep their paths."""
    outer = sequence(Twice(), works(1))
    tree = py_trees.trees.BehaviourTree(outer)
    tree.setup(context=bench.context)
    for _ in range(3):
        tree.tick()
    assert outer.status is Status.SUCCESS
    assert bench.messages("twice/first")[-1] == "task-complete"
    assert bench.violation() is None


def test_displays_show_a_tree_with_a_machine(bench: Bench) -> None:
    """Text displays list the states of a machine under it, with their statuses."""
    tree = sequence(works(1), Twice())
    bench.ticks(tree, 2)
    for display in (py_trees.display.ascii_tree, py_trees.display.unicode_tree, py_trees.display.xhtml_tree):
        text = display(tree, show_status=True)
        assert all(name in text for name in ("sequence", "works", "twice", "first", "last"))
    assert py_trees.display.ascii_tree(tree, show_status=True).strip().splitlines() == [
        "{-} sequence [*]",
        "    --> works [o] -- done",
        "    --> twice [*]",
        "        --> first [o] -- done",
        "        --> last [-]",
    ]


def test_the_tip_of_a_tree_is_the_running_machine(bench: Bench) -> None:
    """py_trees' own introspection stops at the machine, whose states are its own business."""
    machine = Twice()
    tree = sequence(works(1), machine)
    bench.ticks(tree, 2)
    assert tree.tip() is machine
