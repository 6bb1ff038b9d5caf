"""States that a machine cannot do without, and what becomes of their requirements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pytest

from taskmatrix.behaviors import PickAndPlace, Pickup, RandomWalk, Vacuum
from taskmatrix.conditions import Grasping
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Verdict
from taskmatrix.core.behavior.requirement import HasChain, Requirement
from taskmatrix.core.machines.machine import Machine, State, all_of, on, start
from taskmatrix.core.machines.mandatory_states import mandatory_states
from taskmatrix.core.robot.capability import Capabilities
from taskmatrix.core.world.perception import PerceptualModel
from taskmatrix.testing import Bench, box_percept


class Easy(TaskBehavior):
    """Require nothing."""

    chain = Output(str)

    def step(self) -> bool:
        self.publish(chain="tail")
        return True


class Wag(TaskBehavior):
    """Require a tail, unless another chain is named."""

    chain = Parameter(str, default="tail")

    def requirements(self) -> Iterable[Requirement]:
        return [HasChain(self.chain)]


def names(machine: type[Machine]) -> list[str]:
    starts = tuple(each for each in machine.transitions if each.at_start)
    return [state.name for state in mandatory_states(machine.definition, starts)]


def refused(machine: type[Machine], **parameters: object) -> Failure | None:
    """Why it fails, if that is before any state runs."""
    bench, made = Bench(), machine(name="machine", **parameters)
    failure = bench.run(made).failure
    assert bench.violation() is None
    early = bench.messages("machine") == ["task-failed-to-start", "task-complete"]
    assert not (early and [event for event in bench.events if event.source.startswith("machine/")])
    return failure if early else None


class Straight(Machine):
    """One after the other."""

    first = State(Easy)
    second = State(Wag, final=True)
    transitions = (start(first), on(first.task_successful, start=second))


class Caught(Machine):
    """It can do without."""

    first = State(Wag)
    second = State(Easy, final=True)
    transitions = (
        start(first),
        on(first.task_successful, start=second),
        on(first.failed(kind="not_able"), start=second),
    )


class Elsewhere(Machine):
    """Another kind of failure is caught."""

    first = State(Wag)
    second = State(Easy, final=True)
    transitions = (
        start(first),
        on(first.task_successful, start=second),
        on(first.failed(kind="collision"), start=second),
    )


class Told(Machine):
    """It is caught to be told in other words."""

    first = State(Wag)
    second = State(Easy, final=True)
    transitions = (start(first), on(first.task_successful, start=second), on(first.failed, fail="no tail"))


class Optional(Machine):
    """Its end leads on, however it ends."""

    first = State(Wag, optional=True)
    second = State(Easy, final=True)
    transitions = (start(first), on(first.task_complete, start=second))


class InVain(Machine):
    """Optional, but only its success leads on."""

    first = State(Wag, optional=True)
    second = State(Easy, final=True)
    transitions = (start(first), on(first.task_successful, start=second))


class Beside(Machine):
    """Two at once: the failure of one ends the other."""

    first = State(Wag)
    second = State(Easy, final=True)
    transitions = (start(first, second),)


class Fork(Machine):
    """Two ways to the end, one of which fails."""

    first = State(Easy)
    left = State(Wag, final=True)
    right = State(Easy, final=True)
    transitions = (
        start(first),
        on(first.task_successful, start=left, when=Grasping()),
        on(first.task_successful, start=right, when=~Grasping()),
    )


class Both(Machine):
    """Two have to say it."""

    first = State(Easy)
    second = State(Wag)
    last = State(Easy, final=True)
    transitions = (start(first, second), on(all_of(first.task_successful, second.task_successful), start=last))


class Round(Machine):
    """Round and round, until another state ends it."""

    first = State(Easy)
    second = State(Wag)
    last = State(Easy, final=True)
    transitions = (
        start(first),
        on(first.task_successful, start=second),
        on(second.task_successful, start=first, times=2),
        on(second.task_complete, start=last),
    )


class Outer(Machine):
    """A machine in a machine."""

    first = State(Easy)
    inner = State(Straight, final=True)
    transitions = (start(first), on(first.task_successful, start=inner))


@pytest.mark.parametrize(
    ("machine", "states"),
    [
        (Straight, ["first", "second"]),
        (Caught, ["second"]),
        (Elsewhere, ["first", "second"]),
        (Told, ["first", "second"]),
        (Optional, ["second"]),
        (InVain, ["first", "second"]),
        (Beside, ["first", "second"]),
        (Fork, ["first"]),
        (Both, ["first", "second", "last"]),
        (Round, ["first", "second", "last"]),
        (Outer, ["first", "inner"]),
        (Pickup, ["reach", "grasp", "lift"]),
        (RandomWalk, ["timer"]),
        (Vacuum, ["pickup", "find", "putdown"]),
    ],
)
def test_which_states_every_way_leads_through(machine: type[Machine], states: list[str]) -> None:
    """By the messages that they may say, whatever the guards."""
    assert names(machine) == states


@pytest.mark.parametrize("machine", [Straight, Elsewhere, Told, InVain, Beside, Both, Round])
def test_a_state_that_is_not_able_fails_the_machine_before_anything_runs(machine: type[Machine]) -> None:
    """And is named, with the requirement."""
    failure = refused(machine)
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE
    state = next(state.name for state in machine.states.values() if state.behavior is Wag)
    assert failure.explain().startswith(
        f"machine: cannot do without the state '{state}', because machine/{state}: it takes"
    )
    assert failure.root.facts["requirement"] == "HasChain(chain='tail')"


@pytest.mark.parametrize("machine", [Caught, Optional, Fork])
def test_a_state_that_it_can_do_without_does_not(machine: type[Machine]) -> None:
    """The machine succeeds."""
    bench = Bench()
    assert bench.run(machine()).success


def test_the_failure_leads_through_nested_machines_to_the_requirement() -> None:
    """One clause for each."""
    failure = refused(Outer)
    assert failure is not None
    assert [each.where for each in failure.chain()] == ["machine", "machine/inner", "machine/inner/second"]


class Wired(Machine):
    """The chain comes from the machine."""

    chain = Parameter(str, default="tail")

    inner = State(Wag, chain=chain)
    then = State(Easy, final=True)
    transitions = (start(inner), on(inner.task_successful, start=then))


def test_requirements_are_about_the_values_that_the_machine_was_given() -> None:
    """Where these are known before anything starts."""
    assert refused(Wired) is not None
    assert refused(Wired, chain="head") is None
    assert Bench().run(Wired(chain="head")).success


class Found(Machine):
    """The chain is found out on the way."""

    first = State(Easy)
    second = State(Wag, chain=first.chain, final=True)
    transitions = (start(first), on(first.task_successful, start=second))


def test_what_depends_on_an_output_is_matched_when_the_state_starts() -> None:
    """Nothing can be said of it before."""
    bench, machine = Bench(), Found()
    failure = bench.run(machine).failure
    assert failure is not None
    assert failure.message == "state 'second' failed"
    assert "it takes a chain 'tail'" in failure.explain()
    assert bench.run(machine).failure == failure  # nor of what it was in the run before


class Picky(Wag):
    """Requires two chains, one of which is known at once."""

    def requirements(self) -> Iterator[Requirement]:
        yield HasChain("trunk")
        yield HasChain(self.chain)


class FoundPicky(Machine):
    """One after the other."""

    first = State(Easy)
    second = State(Picky, chain=first.chain, final=True)
    transitions = (start(first), on(first.task_successful, start=second))


def test_of_a_generator_those_count_that_come_before_what_is_not_known() -> None:
    """The rest is left for later."""
    failure = refused(FoundPicky)
    assert failure is not None
    assert "'trunk'" in failure.explain()


class Gentle(Requirement):
    """Never met."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        return Verdict(False, "it takes more")


class Demanding(Straight):
    """Requires something itself."""

    def requirements(self) -> Sequence[Requirement]:
        return [Gentle()]


def test_a_machine_may_require_something_besides() -> None:
    """That comes first."""
    failure = refused(Demanding)
    assert failure is not None
    assert failure.explain() == "machine: it takes more."


def test_start_guards_that_hold_now_say_where_the_way_begins() -> None:
    """With nothing held, pick-and-place begins with pickup; with the object held, that is not needed."""
    wide = box_percept("crate", size=(0.3, 0.3, 0.3))
    table = box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")
    bench = Bench([wide, table])
    failure = bench.run(PickAndPlace(object="crate", on="table")).failure
    assert failure is not None
    assert failure.root.where == "pick-and-place/pickup/reach"
    assert failure.root.message == "it takes a hand that opens 300 mm for 'crate'; left opens 100 mm"
    assert not [event for event in bench.events if event.kind == "transition"]
    bench = Bench([wide, table])
    bench.plant.attach("left", "crate")
    bench.run(PickAndPlace(object="crate", on="table"))
    assert "pick-and-place/putdown planning-started" in bench.messages()
