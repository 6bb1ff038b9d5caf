"""Modulations: who sets them, for how long, and what they may be."""

from __future__ import annotations

from typing import Any

import pytest

from taskmatrix.core import (
    ActivationTree,
    Component,
    ParameterError,
    Part,
)
from taskmatrix.testing import Bench

from .components import Pan, told


def test_a_modulation_lasts_as_long_as_its_modulator() -> None:
    """Then it goes back to its default."""

    class Gaze(Component):
        head = Part(Pan)
        wants: float | None = 0.4

        def work(self) -> None:
            if self.wants is not None:
                self.head.pan = self.wants

        def act(self) -> None:
            self.head.step()

    class Root(Component):
        gaze, head = Part(Gaze), Part(Pan)
        looks = True

        def act(self) -> None:
            if self.looks:
                self.gaze.step()
            self.head.step()

    root, bench = Root(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 2)
    assert root.head.seen == [0.4, 0.4]
    root.gaze.wants = None
    bench.executive.step(tree)
    assert root.head.seen[-1] == 0.4
    root.looks = False
    bench.executive.step(tree)
    bench.executive.step(tree)
    assert root.head.seen[-1] == 0.0


def test_of_two_modulators_the_one_stepped_first_is_obeyed_and_that_is_told() -> None:
    """Whoever set it first; once, not in every cycle."""

    class Left(Component, frequency=10.0):
        head = Part(Pan)

        def work(self) -> None:
            self.head.pan = 1.0

        def act(self) -> None:
            self.head.step()

    class Right(Left, frequency=100.0):
        def work(self) -> None:
            self.head.pan = -1.0

    class Root(Component):
        left, right = Part(Left), Part(Right)
        order = ("left", "right")

        def act(self) -> None:
            for name in self.order:
                self.made[name].step()

    root, bench = Root(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 30)
    head = root.left.head
    assert head.seen == [1.0] * 30
    assert [dict(event.data) for event in told(bench, "contest")] == [
        {"modulation": "pan", "obeyed": "left", "refused": "right"}
    ]
    root.order = ("right", "left")
    bench.executive.step(tree)
    assert head.seen[-1] == -1.0
    assert dict(told(bench, "contest")[-1].data) == {"modulation": "pan", "obeyed": "right", "refused": "left"}


def test_what_a_parent_set_that_no_longer_steps_it_is_in_nobodys_way() -> None:
    """Even if the parent is active, and comes first."""

    class Other(Component):
        head = Part(Pan)

        def work(self) -> None:
            self.head.pan = -1.0

        def act(self) -> None:
            self.head.step()

    class Root(Component):
        head, other = Part(Pan), Part(Other)
        own = True

        def work(self) -> None:
            if self.own:
                self.head.pan = 1.0

        def act(self) -> None:
            (self.head if self.own else self.other).step()

    root, bench = Root(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 3)
    for own in (False, False, False, True, True):
        root.own = own
        bench.executive.step(tree)
    assert root.head.seen[:3] == [1.0] * 3
    assert root.head.seen[4:] == [-1.0, -1.0, 1.0, 1.0]


def test_what_a_parent_sets_before_it_steps_the_component_is_kept_until_then() -> None:
    """The first time and every other time."""

    class Root(Component):
        head = Part(Pan)
        steps = False

        def work(self) -> None:
            if not self.steps:
                self.head.pan = 0.4

        def act(self) -> None:
            if self.steps:
                self.head.step()

    root, bench = Root(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 1)
    for steps in (False, True, True, False, False, True, True):
        root.steps = steps
        bench.executive.step(tree)
    assert root.head.seen == [0.4] * 4


def test_a_modulation_can_be_set_from_outside_until_a_component_does() -> None:
    """By a hand, or a test."""

    class Root(Component):
        head = Part(Pan)

        def act(self) -> None:
            self.head.step()

    root, bench = Root(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 1)
    root.head.pan = 0.2
    bench.executive.step(tree)
    assert root.head.seen == [0.0, 0.2]


@pytest.mark.parametrize(
    ("value", "words"), [("left", "has to be a number"), (2.0, "largest allowed is 1.5"), (float("nan"), "finite")]
)
def test_a_modulation_is_checked(value: Any, words: str) -> None:
    """Type and range; the component keeps what it had."""
    head = Pan()
    with pytest.raises(ParameterError, match=f"modulation 'pan'.*{words}"):
        head.pan = value
    assert head.pan == 0.0


def test_who_modulates_itself_is_told() -> None:
    """What a component knows it keeps in attributes."""

    class Root(Pan):
        def work(self) -> None:
            self.pan = 1.0

    assert "'root' modulates itself ('pan'); its parents do that" in str(Bench().run(ActivationTree(Root())))


def test_what_is_overridden_from_outside_stays_whatever_parents_ask() -> None:
    """Until that is ended, or the tree is run again; that it was so is told once."""

    class Gaze(Component):
        head = Part(Pan)

        def work(self) -> None:
            self.head.pan = 0.4

        def act(self) -> None:
            self.head.step()

    root, bench = Gaze(), Bench()
    tree = ActivationTree(root)
    bench.ticks(tree, 1)
    root.head.override("pan", -1)
    for _ in range(3):
        bench.executive.step(tree)
    contests = [event.data for event in bench.events if event.kind == "contest"]
    assert contests == [{"modulation": "pan", "obeyed": "outside", "refused": "gaze"}]
    root.head.end_override("pan")
    bench.executive.step(tree)
    assert root.head.seen == [0.4, -1.0, -1.0, -1.0, 0.4]
    root.head.override("pan", 1.5)
    bench.ticks(tree, 1)
    assert root.head.seen[-1] == 0.4


def test_what_cannot_be_a_modulation_is_no_override() -> None:
    """By name, type and range; and nothing is changed."""
    head = Pan()
    with pytest.raises(ParameterError, match="no modulation 'pann' in Pan; did you mean 'pan'"):
        head.override("pann", 0.1)
    with pytest.raises(ParameterError, match=r"largest allowed is 1\.5"):
        head.override("pan", 2.0)
    with pytest.raises(ParameterError, match="has to be a number"):
        head.override("pan", "left")
    with pytest.raises(ParameterError, match="no modulation 'tilt'"):
        head.end_override("tilt")
    assert head.pan == 0.0
