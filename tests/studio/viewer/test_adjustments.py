"""Parameters, modulations and frequencies that are set while a program runs."""

from __future__ import annotations

from typing import Any

import pytest

from taskmatrix.core import (
    ActivationTree,
    Component,
    Machine,
    Modulation,
    Parameter,
    Part,
    State,
    TaskBehavior,
    on,
    start,
)
from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.session.live.adjustments import Adjustment, Adjustments
from taskmatrix.testing import Bench


class Head(Component):
    """Notes where it is to look."""

    pan = Modulation(float, default=0.0, maximum=1.5)
    still = Parameter(bool, default=False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seen: list[float] = []

    def work(self) -> None:
        self.seen.append(self.pan)


class Gaze(Component, frequency=50.0):
    """Has the head look to the left."""

    head = Part(Head)

    def work(self) -> None:
        self.head.pan = 0.5

    def act(self) -> None:
        self.head.step()


class Look(ActivationTree):
    """A tree that may be a state."""

    def root(self) -> Component:
        return Gaze()


class Wait(TaskBehavior):
    """Waits for some time."""

    seconds = Parameter(float, default=1.0, minimum=0.0)

    def step(self) -> bool:
        return self.elapsed >= self.seconds


class Both(Machine):
    """Waits while it looks."""

    seconds = Parameter(float, default=1.0)
    wait = State(Wait, seconds=seconds)
    again = State(Wait, final=True)
    look = State(Look)
    transitions = (start(wait, look), on(wait.task_successful, start=again))


def running(bench: Bench) -> tuple[Both, Adjustments]:
    program = Both()
    bench.ticks(program, 8)
    return program, Adjustments(lambda: program)


def test_a_modulation_stays_as_it_is_set_until_it_is_unset() -> None:
    """Texts are read as numbers; a path may be given by its end."""
    bench = Bench()
    program, adjustments = running(bench)
    head = next(each for each in program.iterate() if isinstance(each, Look)).components["head"]
    assert isinstance(head, Head)
    assert adjustments.set("look/head", "pan", "-0.5") == Adjustment("both/look/head", "pan", -0.5)
    bench.executive.step(program)
    assert head.seen[-1] == -0.5
    assert adjustments.made == (("both/look/head", "pan", -0.5),)
    adjustments.unset("head", "pan")
    for _ in range(2):
        bench.executive.step(program)
    assert head.seen[-1] == 0.5
    assert not adjustments.made


def test_the_frequency_of_a_component_can_be_set() -> None:
    """Also of the root of a tree, which has the path of the tree; it is as it was when that is unset."""
    bench = Bench()
    program, adjustments = running(bench)
    tree = next(each for each in program.iterate() if isinstance(each, Look))
    adjustments.set("look", "frequency", "5")
    assert tree.components["gaze"].frequency == 5.0
    bench.executive.step(program)
    assert [node.frequency for node in tree.nodes] == [5.0, None]
    adjustments.set("look", "frequency", None)
    assert tree.components["gaze"].frequency is None
    adjustments.unset("look", "frequency")
    assert tree.components["gaze"].frequency == 50.0


def test_a_higher_frequency_counts_at_once() -> None:
    """What was due in 10 s works within the new period."""

    class Rare(Component, frequency=0.1):
        worked = 0

        def work(self) -> None:
            self.worked += 1

    rare, bench = Rare(), Bench()
    tree = ActivationTree(rare)
    bench.ticks(tree, 2)
    rare.frequency = 1.0 / bench.context.dt
    for _ in range(5):
        bench.executive.step(tree)
    assert rare.worked >= 5


def test_parameters_of_behaviors_and_machines_can_be_set() -> None:
    """A state that is wired to a machine's parameter gets it when it starts."""
    bench = Bench()
    program, adjustments = running(bench)
    adjustments.set("both/wait", "seconds", "0.02")
    for _ in range(10):
        bench.executive.step(program)
    assert "both/again" in {event.source for event in bench.events if event.kind == "message"}
    assert adjustments.unset("both/wait", "seconds") == ("both/wait", "seconds", 1.0)


@pytest.mark.parametrize(
    ("where", "name", "value", "why"),
    [
        ("both/wit", "seconds", 1.0, "no behavior or component 'both/wit'; did you mean 'both/wait'"),
        ("both/wait", "second", 1.0, "no parameter 'second' in both/wait; did you mean 'seconds'"),
        ("both/wait", "seconds", "soon", "has to be a number"),
        ("both/wait", "seconds", -1.0, "smallest allowed is 0"),
        ("both/wait", "frequency", 1.0, "no parameter 'frequency'"),
        ("head", "pan", 3.0, "largest allowed is 1.5"),
        ("head", "pan", "left", "modulation 'pan' has to be a number"),
        ("head", "frequency", "often", "a number of Hz, or none"),
        ("head", "frequency", -1.0, "above 0 Hz"),
        ("head", "tilt", 1.0, r"no parameter 'tilt' in both/look/head.*pan"),
    ],
)
def test_what_cannot_be_set_is_refused(where: str, name: str, value: str | float, why: str) -> None:
    """With what is there; and nothing counts as set."""
    _, adjustments = running(Bench())
    with pytest.raises(TaskMatrixError, match=why):
        adjustments.set(where, name, value)
    assert adjustments.made == ()


def test_what_was_not_set_is_not_unset() -> None:
    """And where nothing runs there is nothing to set."""
    _, adjustments = running(Bench())
    with pytest.raises(ParameterError, match="'seconds' of 'both/wait' was not set from here; what was: nothing"):
        adjustments.unset("both/wait", "seconds")
    with pytest.raises(ParameterError, match="nothing runs"):
        Adjustments(lambda: None).set("a", "b", 1.0)
