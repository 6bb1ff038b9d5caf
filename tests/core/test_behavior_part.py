"""Behaviors, machines and py_trees trees as components."""

from __future__ import annotations

from typing import Any

import pytest
from py_trees.behaviour import Behaviour

from taskmatrix.core import ActivationTree, BehaviorPart, Component, ComponentError, Parameter, ParameterError, sequence
from taskmatrix.testing import Bench

from .components import told
from .samples import Forever, Probe, untyped


class Root(Component):
    """Steps a behavior for some cycles, and is achieved with it."""

    chain = Parameter(str, default="head")
    probe = BehaviorPart(Probe, chain=chain, steps=3)
    cycles = 100

    def act(self) -> None:
        self.cycles -= 1
        if self.cycles >= 0:
            self.probe.step()

    def work(self) -> bool:
        return self.probe.achieved


def test_a_behavior_runs_while_it_is_stepped() -> None:
    """With its messages, its chains and its end."""
    root, bench = Root(), Bench()
    assert bench.run(ActivationTree(root)).success
    assert bench.violation() is None
    assert bench.messages("root/probe")[-2:] == ["task-successful", "task-complete"]
    assert {event.source for event in told(bench, "grant")} == {"root/probe"}


def test_a_behavior_that_nobody_steps_is_forced_to_quit() -> None:
    """And gives its chains back."""
    root, bench = Root(), Bench()
    root.cycles = 2
    tree = ActivationTree(root)
    bench.ticks(tree, 2)
    assert bench.context.arbiter.owner("head") == "root/probe"
    bench.executive.step(tree)
    assert bench.context.arbiter.owner("head") is None
    assert bench.messages("root/probe")[-2:] == ["force-quit", "task-complete"]


def test_a_behavior_that_fails_fails_its_component() -> None:
    """With the same words."""

    class Trouble(Component):
        probe = BehaviorPart(Probe, trouble="step:fail")

        def act(self) -> None:
            self.probe.step()

    outcome = Bench().run(ActivationTree(Trouble()))
    assert outcome.failure is not None
    assert outcome.failure.cause is not None
    assert outcome.failure.cause.where == "trouble/probe"


def test_a_behavior_begins_again_when_it_is_restarted() -> None:
    """With other parameters, if it is given some."""

    class Again(Component):
        probe = BehaviorPart(Probe, chain="head")

        def act(self) -> None:
            self.probe.step()

    root, bench = Again(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 3)
    root.probe.give(chain="left_hand")
    root.probe.restart()
    bench.executive.step(tree)
    assert [event.data["chains"] for event in told(bench, "grant")] == [["head"], ["left_hand"]]
    assert bench.messages("root/probe").count("task-complete") == 0
    with pytest.raises(ParameterError, match="no parameter 'chian'"):
        root.probe.give(chian="head")


def test_a_py_trees_tree_runs_in_a_component() -> None:
    """Made by a function; its failed leaf is told."""

    def make() -> Behaviour:
        return sequence("both", Probe(chain="head"), Probe(name="second", trouble="step:fail"))

    class Tree(Component):
        both = BehaviorPart(make, name="both")

        def act(self) -> None:
            self.both.step()

    root, bench = Tree(), Bench()
    outcome = bench.run(ActivationTree(root))
    assert "second" in str(outcome)
    assert bench.messages("probe")[-1] == "task-complete"
    with pytest.raises(ComponentError, match="py_trees tree, which has no parameters"):
        root.both.give(chain="head")


def test_a_tree_in_a_tree() -> None:
    """An activation tree is a behavior as well."""

    class Outer(Component):
        inner = BehaviorPart(type("Inner", (ActivationTree,), {"root": lambda self: Root(cycles=2)}), optional=True)

        def act(self) -> None:
            self.inner.step()

    tree = ActivationTree(Outer())
    Bench().ticks(tree, 2)
    assert [node.name for node in tree.nodes] == ["outer", "inner"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: BehaviorPart(Probe, chian="head"), "no parameter 'chian'"),
        (lambda: BehaviorPart(untyped(Forever())), "takes the class of a behavior, not"),
        (lambda: BehaviorPart(untyped(lambda: 3), name="three"), "'three' makes 3, which py_trees cannot tick"),
    ],
)
def test_what_is_no_behavior_is_refused(make: Any, words: str) -> None:
    """When the class, or the tree, is made."""
    with pytest.raises((ComponentError, ParameterError), match=words):
        ActivationTree(type("Bad", (Component,), {"part": make()})())


def test_behaviors_of_one_name_are_one_or_refused() -> None:
    """As other parts."""

    class Two(Component):
        one, two = BehaviorPart(Probe, name="same"), BehaviorPart(Forever, name="same")

    with pytest.raises(ComponentError, match="called 'same'"):
        ActivationTree(Two())
