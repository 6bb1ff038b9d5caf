"""What is wrong with a machine is found when its class is made."""

from __future__ import annotations

import re
from typing import Any

import pytest

from taskmatrix.core import Machine, MachineError, Parameter, ReservedNameError, State, TaskBehavior, on, start

from .samples import Finder, Forever, Probe, Told, untyped


class Needy(TaskBehavior):
    object = Parameter(str)
    hand = Parameter(str, default=None)
    length = Parameter(float, default=1.0, minimum=0.0)


def body(**names: Any) -> dict[str, Any]:
    return names


def unknown_state() -> dict[str, Any]:
    first, stranger = State(Probe, final=True), State(Forever)
    return body(first=first, transitions=[start(first), on(stranger.task_failed, start=first)])


def state_of_another() -> dict[str, Any]:
    class Other(Machine):
        first = State(Probe, final=True)
        transitions = (start(first),)

    first = State(Probe, final=True)
    return body(first=first, transitions=[start(first), on(first.failed, start=Other.first)])


def never_started() -> dict[str, Any]:
    first, second = State(Probe, final=True), State(Probe)
    return body(first=first, second=second, transitions=[start(first)])


def island() -> dict[str, Any]:
    first, b, c = State(Probe, final=True), State(Probe), State(Probe)
    return body(
        first=first, b=b, c=c, transitions=[start(first), on(b.task_complete, start=c), on(c.task_complete, start=b)]
    )


def no_start() -> dict[str, Any]:
    first = State(Probe, final=True)
    return body(first=first, transitions=[on(first.failed, start=first)])


def no_transitions() -> dict[str, Any]:
    return body(first=State(Probe, final=True))


def no_states() -> dict[str, Any]:
    return body(transitions=[start(State(Probe))])


def no_final() -> dict[str, Any]:
    first = State(Probe)
    return body(first=first, transitions=[start(first)])


def wired(**wires: Any) -> dict[str, Any]:
    first = State(Needy, final=True, **wires)
    return body(first=first, transitions=[start(first)])


def parameter(declared: Parameter[Any], name: str = "object", **others: Any) -> dict[str, Any]:
    return {**wired(**{name: declared, **others}), "given": declared}


def output(name: str, **others: Any) -> dict[str, Any]:
    find = State(Finder)
    first = State(Needy, final=True, **{name: find.found, **others})
    return body(find=find, first=first, transitions=[start(find), on(find.task_complete, start=first)])


def foreign_output() -> dict[str, Any]:
    return wired(object="x", length=State(Finder).found)


def foreign_guard() -> dict[str, Any]:
    first = State(Probe, final=True)
    return body(first=first, transitions=[start(first, when=Told(True) & ~Told(Parameter(bool)))])


def foreign_output_in_guard() -> dict[str, Any]:
    first = State(Probe, final=True)
    return body(first=first, transitions=[start(first, when=Told(State(Finder).found))])


def not_a_transition() -> dict[str, Any]:
    first = State(Probe, final=True)
    return body(first=first, transitions=[start(first), first.failed])


def no_comma() -> dict[str, Any]:
    first = State(Probe, final=True)
    return body(first=first, transitions=(start(first)))


def reserved(name: str) -> dict[str, Any]:
    first = State(Probe, final=True)
    return {name: first, "transitions": [start(first)]}


@pytest.mark.parametrize(
    ("definition", "complaint"),
    [
        (unknown_state(), "no state 'Forever' in transition 2 of Wrong. There are: first"),
        (state_of_another(), "transition 2 of Wrong means the state 'first' of another class"),
        (never_started(), "state 'second' of Wrong is never started by a transition"),
        (island(), "state 'b' of Wrong is never started by a transition"),
        (no_start(), "Wrong starts no state; add start(...)"),
        (no_transitions(), "Wrong starts no state; add start(...)"),
        (no_states(), "no state 'Probe' in transition 1 of Wrong. There are: none"),
        (no_final(), "Wrong has no final state; declare one with State(..., final=True)"),
        (wired(), "state 'first' of Wrong does not wire the required parameter 'object'"),
        (wired(object="x", lenght=1), "no parameter 'lenght' in state 'first' of Wrong; did you mean 'length'?"),
        (wired(object=3), "state 'first' of Wrong: parameter 'object' has to be a string, not 3 (int)"),
        (wired(object="x", length=-1.0), "the smallest allowed is 0.0"),
        (parameter(Parameter(int)), "state 'first' of Wrong wires 'object', a str, to a int"),
        (parameter(Parameter(bool), "length", object="x"), "wires 'length', a float, to a bool"),
        (parameter(Parameter(str, default=None)), "wires 'object', which needs a value, to 'given', which may be None"),
        (wired(object=Parameter(str)), "uses the parameter '(unnamed)', which Wrong does not declare"),
        (wired(object=Needy.object), "uses the parameter 'object', which Wrong does not declare"),
        (output("object"), "wires 'object', a str, to a int"),
        (foreign_output(), "uses the output '.found' of a state that Wrong does not have"),
        (foreign_guard(), "the guard of transition 1 of Wrong uses the parameter '(unnamed)'"),
        (foreign_output_in_guard(), "the guard of transition 1 of Wrong uses the output '.found'"),
        (not_a_transition(), "transitions are made by start(...), on(...) and whenever(...)"),
        (no_comma(), "not a sequence; a single transition needs a comma after it"),
        (reserved("step"), "Wrong: 'step' is a name of the library's; choose another"),
        (reserved("live"), "Wrong: 'live' is a name of the library's; choose another"),
        (reserved("status"), "Wrong: 'status' is a name of the library's; choose another"),
    ],
)
def test_a_wrong_definition_is_refused(definition: dict[str, Any], complaint: str) -> None:
    """The complaint names the machine, the state or the number of the transition, and what is wrong with it."""
    with pytest.raises((MachineError, ReservedNameError), match=re.escape(complaint)):
        type("Wrong", (Machine,), definition)


@pytest.mark.parametrize(
    "definition",
    [
        wired(object="x"),
        parameter(Parameter(str)),
        parameter(Parameter(int), "length", object="x"),
        parameter(Parameter(str, default=None), "hand", object="x"),
        output("length", object="x"),
        {},
    ],
)
def test_a_right_definition_is_taken(definition: dict[str, Any]) -> None:
    """Also an int for a float, None for what may be None, and a base class without states."""
    type("Right", (Machine,), definition)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: untyped(State)("reach"), "State(...) takes the class of a behavior, not 'reach'"),
        (lambda: untyped(State)(Probe()), "State(...) takes the class of a behavior, not <"),
        (lambda: untyped(start)("first"), "a transition starts and terminates states of the machine, not 'first'"),
        (lambda: untyped(on)(State(Probe).failed, stop="first"), "states of the machine, not 'first'"),
        (lambda: untyped(on)(State(Probe), start=State(Probe)), "on(...) waits for a message of a state"),
    ],
)
def test_what_is_no_state_is_refused_where_it_is_written(make: Any, complaint: str) -> None:
    """Before there is a machine, by the line that is wrong."""
    with pytest.raises(MachineError, match=re.escape(complaint)):
        make()


def test_a_misspelt_message_or_output_is_answered_with_the_nearest() -> None:
    """It is an AttributeError, as of any attribute, and a MachineError, as of any mistake in a machine."""
    for error in (AttributeError, MachineError):
        with pytest.raises(error, match="did you mean 'task_successful'"):
            _ = State(Finder).task_sucessful
        with pytest.raises(error, match="did you mean 'found'"):
            _ = State(Finder).fuond
