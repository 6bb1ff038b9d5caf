"""Components: steps, frequencies, modulations and failures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from taskmatrix.core import (
    ActivationTree,
    Component,
    ComponentError,
    FailureKind,
    Modulation,
    Parameter,
    ParameterError,
    Part,
    PartFailed,
    ReservedNameError,
)
from taskmatrix.testing import Bench

from .components import Above, Counter, Steps, told


def test_the_three_parts_run_in_order() -> None:
    """Parts for information first, then the work, then those that are modulated."""
    said: list[str] = []

    class Eye(Component):
        def work(self) -> None:
            said.append("eye")

    class Head(Component):
        def work(self) -> None:
            said.append("head")

    class Gaze(Component):
        eye, head = Part(Eye), Part(Head)

        def inform(self) -> None:
            self.eye.step()

        def work(self) -> None:
            said.append("gaze")

        def act(self) -> None:
            self.head.step()

    Bench().ticks(ActivationTree(Gaze()), 2)
    assert said == ["eye", "gaze", "head"] * 2


def test_a_component_works_at_its_frequency_and_steps_its_parts_in_every_cycle() -> None:
    """In cycles of 10 ms, at 25 Hz: 26 times in a second and the first cycle after it, evenly."""

    class Slow(Counter, frequency=25.0):
        part = Part(Counter)

        def act(self) -> None:
            super().act()
            self.part.step()

    root = Slow()
    tree = ActivationTree(root)
    Bench().ticks(tree, 101)
    assert len(root.worked) == 26
    np.testing.assert_allclose(np.diff(root.worked), 0.04, atol=1e-9)
    assert len(root.part.worked) == 101
    assert len(root.acted) == 101


@pytest.mark.parametrize("frequency", [30.0, 37.5, 60.0, 99.0])
def test_a_frequency_that_is_no_part_of_the_cycles_is_kept_in_the_mean(frequency: float) -> None:
    """Sometimes a cycle later, never one skipped: what counts is when it was due, not when it ran."""

    class Slow(Counter, frequency=frequency):
        pass

    root = Slow()
    Bench().ticks(ActivationTree(root), 1001)
    assert len(root.worked) == pytest.approx(10 * frequency + 1, abs=1)
    assert max(np.diff(root.worked)) < 1 / frequency + 0.01 + 1e-9


def test_a_frequency_above_that_of_the_cycles_works_in_each() -> None:
    """And does not run after what it has missed when it may be slower."""

    class Fast(Counter, frequency=1000.0):
        pass

    root = Fast()
    bench = Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 50)
    assert len(root.worked) == 50
    root.frequency = 10.0
    for _ in range(50):
        bench.executive.step(tree)
        bench.context.clock.sleep_until(bench.context.clock.now() + 0.01)
    assert 54 <= len(root.worked) <= 56


def test_who_is_stepped_twice_runs_once() -> None:
    """By two parents; the tree tells both."""
    tree = ActivationTree(Above())
    Bench().ticks(tree, 3)
    shared = tree.components["counter"]
    assert isinstance(shared, Counter)
    assert len(shared.worked) == 3
    assert {node.name: node.parents for node in tree.nodes}["counter"] == ("left", "right")


def test_what_nobody_steps_is_inactive_and_starts_anew() -> None:
    """It is told when it starts and stops, and is not in the tree in between."""
    root = Steps(on=[True, True, False, True])
    tree, bench = ActivationTree(root), Bench()
    there = []
    bench.executive.prepare(tree)
    for _ in range(4):
        bench.executive.step(tree)
        there.append([node.name for node in tree.nodes])
    part = root.counter
    assert there == [["steps", "counter"], ["steps", "counter"], ["steps"], ["steps", "counter"]]
    assert part.said == ["started", "stopped", "started"]
    assert [len(event.data["nodes"]) for event in told(bench, "tree")] == [2, 1, 2]  # type: ignore[arg-type]


class Broken(Component):
    """Raises when it works for the third time."""

    hook = Parameter(str, default="work")
    needs = ("head",)

    def started(self) -> None:
        self._fall("started")

    def inform(self) -> None:
        self._fall("inform")

    def work(self) -> None:
        self._fall("work")

    def act(self) -> None:
        self._fall("act")

    def stopped(self) -> None:
        self._fall("stopped")

    def _fall(self, hook: str) -> None:
        if hook == self.hook:
            raise ZeroDivisionError(f"in {hook}")


@pytest.mark.parametrize("hook", ["started", "inform", "work", "act"])
def test_what_raises_fails_with_its_parents_and_gives_its_chains_back(hook: str) -> None:
    """The trace says where; the outcome tells the way from the root."""

    class Root(Component):
        broken = Part(Broken, hook=hook)

        def act(self) -> None:
            self.broken.step()

    bench = Bench()
    outcome = bench.run(ActivationTree(Root()))
    assert str(outcome).startswith(
        f"failure after 0.00 s: root: cannot go on, because root/broken: ZeroDivisionError: in {hook}, at tests/core/"
    )
    assert outcome.failure is not None
    assert "self._fall" in outcome.failure.root.trace
    assert outcome.failure.root.kind is FailureKind.EXCEPTION
    assert bench.context.arbiter.owner("head") is None


def test_an_optional_part_that_fails_leaves_the_others_running() -> None:
    """It is not run again until nobody has stepped it for a cycle, or it is restarted."""

    class Root(Component):
        broken = Part(Broken, optional=True)
        counter = Part(Counter)

        def act(self) -> None:
            self.broken.step()
            self.counter.step()

    root, bench = Root(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 3)
    assert len(root.counter.worked) == 3
    assert root.broken.state == "failed"
    assert len(told(bench, "failure")) == 1
    root.broken.restart()
    bench.executive.step(tree)
    assert len(told(bench, "failure")) == 2


def test_a_parent_can_catch_what_a_part_could_not() -> None:
    """As what it is: a failure with its facts."""

    class Root(Component):
        broken = Part(Broken)

        def act(self) -> None:
            try:
                self.broken.step()
            except PartFailed as error:
                self.why = error.failure

    root = Root()
    Bench().ticks(ActivationTree(root), 2)
    assert root.failure is None
    assert "in work" in root.why.message


def test_what_raises_while_it_stops_is_told_and_harms_nobody() -> None:
    """The chains are given back all the same."""

    class Root(Component):
        broken = Part(Broken, hook="stopped")
        cycles = 0

        def act(self) -> None:
            self.cycles += 1
            if self.cycles < 3:
                self.broken.step()

    bench = Bench()
    bench.ticks(ActivationTree(Root()), 5)
    assert bench.context.arbiter.owner("head") is None
    (failure,) = told(bench, "failure")
    assert "in stopped" in failure.data["failure"].message  # type: ignore[attr-defined]


def test_a_component_that_steps_itself_is_told_the_way() -> None:
    """Also where another is in between."""

    class Inner(Component):
        outer: Component

        def act(self) -> None:
            self.outer.step()

    class Outer(Component):
        inner = Part(Inner)

        def started(self) -> None:
            self.inner.outer = self

        def act(self) -> None:
            self.inner.step()

    outcome = Bench().run(ActivationTree(Outer()))
    assert outcome.failure is not None
    assert "stepped from within its own step: outer > inner > outer" in str(outcome)


def test_work_returns_what_it_may() -> None:
    """True, False, None or a failure."""

    class Wrong(Component):
        def work(self) -> None:
            return "done"  # type: ignore[return-value]

    outcome = Bench().run(ActivationTree(Wrong()))
    assert "work() returned 'done'; it has to return True, False, None or a Failure" in str(outcome)


def test_a_failure_that_work_returns_is_that_of_the_component() -> None:
    """With its kind and its facts."""

    class Lost(Component):
        def work(self) -> Any:
            return self.fail(FailureKind.LOST_OBJECT, "the ball is gone", ball="ball")

    class Root(Component):
        lost = Part(Lost)

        def inform(self) -> None:
            self.lost.step()

    outcome = Bench().run(ActivationTree(Root()))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.LOST_OBJECT
    assert "root: cannot go on, because root/lost: the ball is gone" in str(outcome)


@pytest.mark.parametrize("frequency", [0, -1.0, float("nan"), float("inf"), "10", True])
def test_a_frequency_is_a_number_above_zero(frequency: Any) -> None:
    """In the class, in a part, and when it is set."""
    with pytest.raises(ParameterError, match="the frequency of Wrong has to be"):

        class Wrong(Component, frequency=frequency):
            pass

    with pytest.raises(ParameterError, match="the frequency of counter has to be"):
        Counter().frequency = frequency


def test_bad_definitions_are_refused_when_the_class_is_made() -> None:
    """Names that are taken, a step of one's own, and parameters that a part has not."""
    with pytest.raises(ReservedNameError, match="Wrong: 'failure' is a name of the library's"):

        class Wrong(Component):
            failure = Part(Counter)  # type: ignore[assignment]

    with pytest.raises(ReservedNameError, match=r"Other: 'step' is a name .* hook: act, inform, .*, work"):

        class Other(Component):
            def step(self) -> None:
                pass

    with pytest.raises(ParameterError, match="no parameter 'hok' in Broken; did you mean 'hook'"):

        class Third(Component):
            broken = Part(Broken, hok="act")

    with pytest.raises(ParameterError, match="modulation 'pan' of Fourth needs a default"):

        class Fourth(Component):
            pan = Modulation(float)


def test_a_component_outside_of_a_tree_says_so() -> None:
    """It cannot be stepped, and has neither parts nor a robot."""

    class Root(Component):
        counter = Part(Counter)

    root = Root()
    with pytest.raises(ComponentError, match="'root' is in no tree that runs; step it where it is a Part"):
        root.step()
    with pytest.raises(ComponentError, match="has its part 'counter' once it runs in an ActivationTree"):
        root.counter.step()
    with pytest.raises(ComponentError, match="is in no tree that runs"):
        _ = root.context
    with pytest.raises(ParameterError, match="parameters are given by name"):
        Broken("act")  # type: ignore[arg-type]
