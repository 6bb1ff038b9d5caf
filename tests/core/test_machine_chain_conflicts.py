"""States that may run together and need one chain are found when the class is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from taskmatrix.behaviors import Fixate, Pickup, Reach
from taskmatrix.core import Machine, MachineError, State, TaskBehavior, all_of, on, start, whenever
from taskmatrix.core.machines import chain_conflicts as machine_chains
from taskmatrix.core.machines.transition import Transition

from .samples import Finder, Forever, Probe, Told


class Base(TaskBehavior):
    needs = ("torso", "base")


class Drive(TaskBehavior):
    needs = ("base",)

    def step(self) -> bool:
        self.goal(True)
        return True


class Head(TaskBehavior):
    needs = ("head",)


class Body(Machine):
    """Needs the base, in its first state only."""

    first = State(Base)
    then = State(Head, final=True)
    transitions = (start(first), on(first.task_successful, start=then))


def test_two_states_that_start_together_are_refused() -> None:
    """With the chain, the lines of both and of the transition."""
    with pytest.raises(MachineError) as error:

        class Wrong(Machine):
            a = State(Base)
            b = State(Drive, final=True)
            transitions = (start(a, b),)

    text = str(error.value)
    assert text.startswith(
        "states 'a' and 'b' of Wrong may run together, and both need the chain 'base': start. Start 'b' later, stop "
        "'a' first, or declare 'b' optional"
    )
    assert [line.strip().split(": ", 1)[1] for line in text.splitlines()[1:]] == [
        "transitions = (start(a, b),)",
        "a = State(Base)",
        "b = State(Drive, final=True)",
    ]


def test_the_messages_that_lead_there_are_told() -> None:
    """The shortest way, over what starts or stops something."""
    with pytest.raises(MachineError, match=re.escape("'base': start, then a task-successful, then b planning-ended.")):

        class Wrong(Machine):
            a = State(Base)
            b = State(Base)
            c = State(Drive, final=True)
            transitions = (start(a), on(a.task_successful, start=b), on(b.planning_ended, start=c))


WAYS: dict[str, Callable[..., Sequence[Transition]]] = {
    "stop": lambda a, b, c: (start(a, c), on(c.planning_started, stop=a, start=b)),
    "sequence": lambda a, b, c: (start(a, c), on(a.task_complete, start=b), on(b.task_successful, start=a)),
    "caught": lambda a, b, c: (start(a, b, c), on(b.failed)),
    "wait": lambda a, b, c: (start(a, b, c), on(b.failed(kind="chain_busy"), start=b)),
    "branch": lambda a, b, c: (start(c, a, when=Told(True)), start(b, when=~Told(True))),
    "join": lambda a, b, c: (start(a, c), on(all_of(a.task_successful, c.task_successful), start=b)),
    "monitor": lambda a, b, c: (start(a, c), whenever(Told(True), stop=a, start=b)),
    "goal in the last step": lambda a, b, c: (start(b, c), on(b.goal_achieved, start=a)),
    "failed": lambda a, b, c: (start(a, c), on(a.failed, start=b)),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_conflict_is_taken(way: str) -> None:
    """Idioms that keep two states apart, or want to be told that the chain is busy."""
    a, b, c, last = State(Base), State(Drive), State(Head), State(Probe, final=True)
    body = {"a": a, "b": b, "c": c, "last": last, "transitions": (*WAYS[way](a, b, c), start(last))}
    type("Right", (Machine,), body)


def test_who_has_found_something_is_not_taken_to_fail_later() -> None:
    """What find says first and last comes in one step."""

    class Right(Machine):
        find = State(Finder)
        go = State(Drive)
        leave = State(Base, final=True)
        transitions = (start(find), on(find.parameter_set, start=go), on(find.failed, start=leave))

    assert Right.needs == ()


def test_an_optional_state_and_a_machine_further_on_are_taken() -> None:
    """The one may find the chain busy; the other may have given it back."""

    class Right(Machine):
        a = State(Base)
        b = State(Drive, optional=True)
        body = State(Body)
        drive = State(Drive, final=True)
        transitions = (
            start(a, b),
            on(a.task_complete, stop=b, start=body),
            on(body.controlloop_started, start=drive),
        )

    assert Right.needs == ("torso", "base")


GIVES: list[Callable[..., Transition]] = [
    lambda a, b: whenever(Told(True), start=b),
    lambda a, b: on(a.planning_ended, start=b, when=Told(True)),
]


@pytest.mark.parametrize("give", GIVES)
def test_a_monitor_or_a_guard_may_bring_two_together(give: Callable[..., Transition]) -> None:
    """One of them is taken for granted."""
    with pytest.raises(MachineError, match="'a' and 'b' of Wrong may run together"):

        class Wrong(Machine):
            a = State(Base)
            b = State(Drive, final=True)
            transitions = (start(a), give(a, b))


def test_a_machine_needs_what_its_first_states_need() -> None:
    """When it starts; later it may have given it back."""
    assert Body.needs == ("torso", "base")
    with pytest.raises(MachineError, match="'drive' and 'body' of Wrong may run together"):

        class Wrong(Machine):
            drive = State(Drive)
            body = State(Body, final=True)
            transitions = (start(drive), on(drive.planning_ended, start=body))


def test_a_machine_whose_first_state_may_fail_needs_nothing() -> None:
    """An optional state, a caught failure and a guard do not count."""

    class Lenient(Machine):
        a = State(Base, optional=True)
        b = State(Head)
        end = State(Probe, final=True)
        transitions = (start(a, end), start(b, when=Told(True)))

    assert Lenient.needs == ()


def test_pickup_and_its_kind_need_the_base() -> None:
    """As reach does; and looking needs the head."""
    assert Reach.needs == Pickup.needs == ("base",)
    assert Fixate.needs == ("head",)


def test_a_failed_kind_that_is_not_caught_ends_the_path() -> None:
    """What follows an uncaught failure never happens."""

    class Right(Machine):
        a = State(Base)
        b = State(Drive)
        c = State(Head, final=True)
        transitions = (
            start(c, a),
            on(a.task_failed(kind="collision"), start=b),
            on(b.task_failed(kind="collision"), start=a),
        )

    assert Right.needs == ("head", "torso", "base")


def test_states_that_matter_to_nobody_cost_nothing() -> None:
    """Many that run beside do not multiply what has to be explored: no warning, and no wait."""
    beside = {f"beside_{number}": State(Probe) for number in range(12)}
    a, b, end = State(Base), State(Drive), State(Probe, final=True)
    transitions = (start(a, *beside.values()), on(a.task_successful, start=b), on(b.task_complete, start=end))
    type("Right", (Machine,), {"a": a, "b": b, "end": end, **beside, "transitions": transitions})


def test_a_message_late_in_a_run_is_followed() -> None:
    """Also where nobody waits for those before it."""
    with pytest.raises(MachineError, match="'base': start, then c goal-achieved"):

        class Wrong(Machine):
            a = State(Base)
            c = State(Forever)
            b = State(Drive, final=True)
            transitions = (start(a, c), on(c.goal_achieved, start=b))


def test_too_many_sets_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is bounded and says when it was not complete."""
    monkeypatch.setattr(machine_chains, "BOUND", 1)
    with pytest.warns(RuntimeWarning, match="Many has too many sets of states that may run together; of 3 states, 1"):

        class Many(Machine):
            a = State(Base)
            b = State(Head)
            c = State(Drive, final=True)
            transitions = (start(a, b), on(a.task_successful, start=c))


def test_the_machines_of_the_thesis_are_taken() -> None:
    """Figures 5.43 and 5.46: one after the other on the base and on the head, in loops and with recoveries."""

    class Greet(Machine):
        face = State(Fixate, target="human")
        keep = State(Fixate, target="human", recurrent=True)
        ready = State(Probe)
        wave = State(Probe)
        rest = State(Probe, final=True)
        transitions = (
            start(face),
            on(face.task_successful, start=[keep, ready]),
            on(ready.task_successful, start=wave),
            on(wave.task_successful, stop=keep, start=rest),
        )

    class Vacuum(Machine):
        pickup = State(Pickup, object="vacuum")
        find = State(Finder)
        fixate = State(Fixate, target="debris")
        position = State(Drive)
        putdown = State(Body, final=True)
        transitions = (
            start(pickup),
            on(pickup.task_successful, start=find),
            on(find.parameter_set, start=fixate),
            on(fixate.task_successful, start=position),
            on(position.task_successful, start=find),
            on(fixate.failed, start=find),
            on(position.failed, start=find),
            on(find.failed, start=putdown),
        )

    assert Greet.needs == ("head",)
    assert Vacuum.needs == ("base",)


def test_what_the_same_step_stops_is_in_nobodys_way() -> None:
    """A state that starts has its first step after all that was said with its start is delivered."""

    class Relay(Machine):
        work = State(Probe)
        look = State(Head, optional=True)
        again = State(Head, final=True)
        transitions = (
            start(work, look),
            on(work.task_successful, start=again),
            on(work.task_complete, stop=look),
        )

    assert Relay.needs == ()


def test_what_comes_after_the_last_attempt_is_checked_as_well() -> None:
    """A catch without a bound, which gives way to one with a bound until that is used up."""
    with pytest.raises(MachineError, match="states 'd' and 'b' of Late may run together") as error:

        class Late(Machine):
            a = State(Probe)
            d = State(Base)
            b = State(Drive, final=True)
            transitions = (start(a, d), on(a.failed, start=a, times=2), on(a.failed, start=b))

    assert "a task-failed" in str(error.value)


def test_a_catch_without_a_bound_is_not_followed_beside_one_with_a_bound() -> None:
    """What each of them starts may need the same chain, if there is no second failure."""

    class Apart(Machine):
        a = State(Probe)
        b = State(Base, final=True)
        c = State(Drive, final=True)
        transitions = (start(a), on(a.failed, start=b, times=1), on(a.failed, start=c))

    assert Apart.needs == ()
