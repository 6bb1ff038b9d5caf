"""Activation trees as behaviors: in a session, in a machine, in py_trees."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from py_trees.common import Status

from taskmatrix.core import (
    ActivationTree,
    Component,
    ComponentError,
    FailureKind,
    Machine,
    ModalComponent,
    Mode,
    Parameter,
    ParameterError,
    Part,
    State,
    on,
    sequence,
    start,
)
from taskmatrix.testing import Bench

from .components import Above, Counter, Left, Steps, told
from .samples import Forever


class Count(Component):
    """Achieved after some cycles."""

    cycles = Parameter(int, default=3)
    needs = ("head",)

    def started(self) -> None:
        self.left = self.cycles

    def work(self) -> bool:
        self.left -= 1
        return self.left <= 0


class Counting(ActivationTree):
    """The same as a behavior with a parameter."""

    cycles = Parameter(int, default=3)

    def root(self) -> Component:
        return Count(cycles=self.cycles)


def test_the_tree_ends_when_its_root_has_achieved_what_it_is_for() -> None:
    """It says what every behavior says, and owns the chains of what is active while it is."""
    bench = Bench()
    outcome = bench.run(ActivationTree(Count()))
    assert outcome.success
    assert outcome.steps == 3
    assert bench.violation() is None
    assert bench.messages("count")[-2:] == ["task-successful", "task-complete"]
    (grant,) = told(bench, "grant")
    assert (grant.source, grant.data["chains"]) == ("count", ["head"])
    assert bench.context.arbiter.owner("head") is None


def test_a_tree_can_be_a_state_of_a_machine() -> None:
    """Its parameters are wired as those of any behavior."""

    class Twice(Machine):
        """Count, and count again."""

        cycles = Parameter(int, default=2)
        first = State(Counting, cycles=cycles)
        second = State(Counting, cycles=5, final=True)
        transitions = (start(first), on(first.task_successful, start=second))

    bench = Bench()
    outcome = bench.run(Twice())
    assert outcome.success
    nodes = [event.data["nodes"] for event in told(bench, "tree")]
    assert [[node.name for node in each] for each in nodes] == [["count"]] * 4  # type: ignore[attr-defined]


def test_a_tree_can_be_a_leaf_of_a_py_trees_tree_and_run_again() -> None:
    """From the beginning, with the same names."""
    tree, bench = sequence("twice", Counting(cycles=4)), Bench()
    for _ in range(2):
        assert bench.run(tree).success
    sources = {event.source for event in told(bench, "grant")}
    assert sources == {"counting"}


def test_a_tree_that_is_cut_off_stops_all_that_is_active() -> None:
    """They are told, and say no more."""
    root = Steps()
    bench = Bench()
    outcome = bench.run(ActivationTree(root), timeout=0.1)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TIMEOUT
    assert root.counter.said == ["started", "stopped"]


def test_a_chain_that_another_has_is_refused_to_a_component() -> None:
    """It fails, and says who has it."""

    class Root(Component):
        count = Part(Count)

        def act(self) -> None:
            self.count.step()

    bench = Bench()
    assert bench.context.arbiter.claim("someone", ["head"]) is None
    outcome = bench.run(ActivationTree(Root()))
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.CHAIN_BUSY
    assert "root/count: cannot start, because arbiter: chain 'head' is taken by 'someone'" in str(outcome)


def test_what_a_component_needs_of_a_robot_is_asked_before_anything_moves() -> None:
    """Of those that are no optional parts."""

    class Tailed(Component):
        needs = ("tail",)

    class Root(Component):
        tailed = Part(Tailed)

    class Other(Component):
        tailed = Part(Tailed, optional=True)

        def work(self) -> bool:
            return True

    bench = Bench()
    outcome = bench.run(ActivationTree(Root()))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.NOT_ABLE
    assert "tail" in str(outcome)
    assert told(bench, "tree") == []
    assert bench.run(ActivationTree(Other())).success


def test_components_of_one_name_are_one_or_refused() -> None:
    """With the lines of both."""

    class Slow(Component):
        counter = Part(Counter, frequency=5.0)

    class Root(Component):
        left, slow = Part(Left), Part(Slow)

    with pytest.raises(ComponentError, match=r"two different components of one tree are called 'counter'") as error:
        ActivationTree(Root())
    assert str(error.value).count("counter = Part(Counter") == 2

    class Fine(Component):
        left, slow = Part(Left), Part(Slow, name="other")
        third = Part(Counter, name="third")

    assert set(ActivationTree(Above()).components) == {"above", "left", "right", "counter"}
    with pytest.raises(ComponentError, match="called 'counter'"):
        ActivationTree(Fine())


def test_a_component_cannot_be_a_part_of_itself() -> None:
    """The circle is told."""

    class Inner(Component):
        pass

    class Outer(Component):
        inner = Part(Inner)

    outer = Part(Outer)
    outer.attribute = "outer"
    Inner.parts = {"outer": outer}
    with pytest.raises(ComponentError, match="part of itself: outer > inner > outer"):
        ActivationTree(Outer())


def test_another_implementation_can_take_the_place_of_a_component() -> None:
    """Wherever it is a part, under the same name."""

    class Better(Counter):
        pass

    tree = ActivationTree(Above(), instead={Counter: Better})
    assert type(tree.components["counter"]) is Better
    with pytest.raises(ComponentError, match="cannot take the place of Counter: it is no subclass of it"):
        ActivationTree(Above(), instead={Counter: Left})


@pytest.mark.parametrize("root", [Counter, "counter", Forever()])
def test_the_root_is_an_instance_of_a_component(root: Any) -> None:
    """Not a class, nor anything else."""
    with pytest.raises(ComponentError, match="the root of an activation tree is an instance of a component, not"):
        ActivationTree(root)
    with pytest.raises(ComponentError, match="needs a root"):
        ActivationTree()


class Sleeps(Component):
    """Blocks."""

    def work(self) -> None:
        time.sleep(10.0)


class Loops(Component):
    """Never comes back."""

    def work(self) -> None:
        while True:
            pass


@pytest.mark.parametrize(("component", "line"), [(Sleeps, "time.sleep"), (Loops, "(while True|pass)")])
def test_what_blocks_is_cut_off_and_the_others_go_on(component: type[Component], line: str) -> None:
    """The failure shows the line."""

    class Root(Component):
        blocks = Part(component, optional=True)
        counter = Part(Counter)

        def act(self) -> None:
            self.blocks.step()
            self.counter.step()

    root, bench = Root(), Bench()
    bench.ticks(ActivationTree(root, watchdog=0.05), 3)
    assert len(root.counter.worked) == 3
    failure = root.blocks.failure
    assert failure is not None
    assert failure.kind is FailureKind.TIMEOUT
    assert failure.message.startswith("does not come back within 0.05 s, at tests/core/test_activation_tree.py:")
    assert len(told(bench, "failure")) == 1


def test_two_that_block_in_one_cycle_are_both_cut_off() -> None:
    """One after the other."""

    class Root(Component):
        sleeps, loops = Part(Sleeps, optional=True), Part(Loops, optional=True)

        def act(self) -> None:
            self.sleeps.step()
            self.loops.step()

    root = Root()
    Bench().ticks(ActivationTree(root, watchdog=0.05), 1)
    assert [part.state for part in root.made.values()] == ["failed", "failed"]


def test_outside_of_the_main_thread_nothing_is_cut_off() -> None:
    """There are no alarms there."""
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(Bench().run(ActivationTree(Count(), watchdog=0.05))))
    thread.start()
    thread.join()
    assert outcomes[0].success


@pytest.mark.parametrize("watchdog", [0.0, -1.0, float("nan")])
def test_patience_is_a_time(watchdog: float) -> None:
    """Above 0."""
    with pytest.raises(ParameterError, match="watchdog"):
        ActivationTree(Count(), watchdog=watchdog)


def test_components_are_measured_where_there_is_a_stopwatch() -> None:
    """Each without its parts; told at the end of the run."""
    ticks = iter(range(1000))
    tree, bench = ActivationTree(Above(), stopwatch=lambda: float(next(ticks))), Bench()
    bench.run(tree, timeout=0.02)
    loads = tree.loads
    assert set(loads) == {"above", "left", "right", "counter"}
    assert {name: load.cycles for name, load in loads.items()} == dict.fromkeys(loads, 3)
    assert {name: load.busy for name, load in loads.items()} == {"counter": 3, "left": 6, "right": 3, "above": 9}
    assert loads["counter"].rate == pytest.approx(100.0)
    assert (loads["left"].mean, loads["left"].longest, loads["left"].latest) == (2.0, 2.0, 0.0)
    (event,) = told(bench, "load")
    assert event.data["components"] == loads


def test_the_tree_is_ticked_like_any_behavior() -> None:
    """Running until it ends."""
    assert Bench().ticks(Counting(cycles=2), 2) == [Status.RUNNING, Status.SUCCESS]


class Owner(Component):
    """Has the head."""

    needs = ("head",)


class Looks(Component):
    """Has somebody who has the head."""

    owner = Part(Owner, name="first")

    def act(self) -> None:
        self.owner.step()


class Changes(ModalComponent):
    """One of two has the head, and then the other."""

    one, other = Part(Looks), Part(Owner, name="second")
    early, late = Mode(act=[one]), Mode(act=[other])
    early.to(late, after=0.05)


def test_a_chain_goes_over_from_who_is_not_stepped_any_more() -> None:
    """In the cycle in which that is so, with whatever it has below it."""
    bench, tree = Bench(), ActivationTree(Changes())
    outcome = bench.run(tree, timeout=0.1)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TIMEOUT
    grants = [(event.source, event.kind) for event in bench.events if event.kind in ("grant", "release")]
    assert grants[:3] == [("changes/first", "grant"), ("changes/first", "release"), ("changes/second", "grant")]
    assert bench.context.arbiter.yielding == []


class Both(Component):
    """Steps two who want the head."""

    one, other = Part(Looks), Part(Owner, name="second")

    def act(self) -> None:
        self.one.step()
        self.other.step()


def test_who_has_been_stepped_keeps_its_chain() -> None:
    """The second fails."""
    outcome = Bench().run(ActivationTree(Both()), timeout=0.1)
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.CHAIN_BUSY
