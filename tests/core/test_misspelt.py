"""What is misspelt is answered with what is allowed, and the nearest of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from taskmatrix.conditions import Near
from taskmatrix.core import (
    ActivationTree,
    BehaviorPart,
    Component,
    Failure,
    FailureKind,
    HasChain,
    Machine,
    Mode,
    Modulation,
    Output,
    Parameter,
    Part,
    State,
    TaskBehavior,
    TaskMatrixError,
    all_of,
    on,
    start,
    whenever,
)
from taskmatrix.testing import Bench

from .samples import Probe, Told, untyped

reach = untyped(State(Probe))


def machine(**wires: object) -> type:
    first = untyped(State)(Probe, **wires)
    return type("Wrong", (Machine,), {"first": first, "transitions": (start(first),)})


def component(part: Part[Any]) -> type:
    return type("Wrong", (Component,), {"part": part})


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (
            lambda: machine(finl=True),
            "no parameter 'finl' in state 'first' of Wrong; did you mean 'final'? There are",
        ),
        (lambda: machine(numbr=1), "no parameter 'numbr' in state 'first' of Wrong; did you mean 'number'?"),
        (lambda: reach.fuond, "no message or output 'fuond' in state of Probe; did you mean 'found'?"),
        (lambda: reach.task_sucessful, "did you mean 'task_successful'?"),
        (lambda: reach.failed(kind="colision"), "no kind of failure 'colision'; did you mean 'collision'?"),
        (lambda: reach.failed(kid="collision"), "no argument 'kid' in Trigger(...); did you mean 'kind'?"),
        (lambda: untyped(start)(reach, wen=Told(True)), "no argument 'wen' in start(...); did you mean 'when'?"),
        (lambda: untyped(on)(reach.failed, strat=reach), "no argument 'strat' in on(...); did you mean 'start'?"),
        (lambda: untyped(whenever)(Told(True), tmes=2), "no argument 'tmes' in whenever(...); did you mean 'times'?"),
        (lambda: untyped(all_of)(reach.failed, trigers=1), "no argument 'trigers' in all_of(...)"),
        (
            lambda: untyped(Parameter)(str, defalt="x"),
            "argument 'defalt' in Parameter(...); did you mean 'default'?",
        ),
        (lambda: untyped(Output)(str, dok="x"), "no argument 'dok' in Output(...); did you mean 'doc'?"),
        (lambda: untyped(Modulation)(str, defualt="x"), "no argument 'defualt' in Modulation(...)"),
        (lambda: untyped(Mode)(achived=True), "no argument 'achived' in Mode(...); did you mean 'achieved'?"),
        (lambda: untyped(Mode)().to(Mode(), aftr=1.0), "no argument 'aftr' in to(...); did you mean 'after'?"),
        (lambda: component(Part(Component, frequncy=1.0)), "'frequncy' in Component; did you mean 'frequency'?"),
        (lambda: component(BehaviorPart(Probe, optionl=True)), "'optionl' in Probe; did you mean 'optional'?"),
        (lambda: Part(untyped("head")), "Part(...) takes the class of a component, not 'head'"),
        (lambda: untyped(Near)("a", "b", distnace=1), "no argument 'distnace' in Near(...); did you mean 'distance'?"),
        (lambda: untyped(HasChain)(chian="head"), "no argument 'chian' in HasChain(...); did you mean 'chain'?"),
        (lambda: Probe(numbr=1), "no parameter 'numbr' in Probe; did you mean 'number'?"),
        (
            lambda: untyped(ActivationTree)(Component(), instaed={}),
            "'instaed' in ActivationTree; did you mean 'instead",
        ),
        (reach.failed, "failed(kind=...) names no kind of failure"),
        (reach.task_successful, "a kind, not task-successful, which is written without parentheses"),
        (lambda: on(reach.failed, start=untyped(Probe)), "starts and terminates states of the machine, not <class"),
        (lambda: on(reach.failed, stop=untyped(None)), "starts and terminates states of the machine, not None"),
        (lambda: on(reach.failed, start=untyped("reach")), "starts and terminates states of the machine, not 'reach'"),
        (lambda: Output(untyped("int")), "the type of an output is a class, not 'int'"),
        (lambda: Parameter(str, choices="red"), "choices are those of a str, several strings, not 'red'"),
        (lambda: Parameter(float, choices=["1.0"]), "choices are those of a str"),
        (lambda: Parameter(str, default="rad", choices=["red"]).check_default("Paint"), "did you mean 'red'?"),
        (lambda: Parameter(str, minimum=3.0), "only numbers have a minimum, and that is one, not 3.0"),
        (lambda: Parameter(float, maximum=untyped("3")), "only numbers have a maximum, and that is one, not '3'"),
        (lambda: type("Wrong", (TaskBehavior,), {"needs": "head"}), "needs a comma after it: needs = ('head',)"),
        (
            lambda: type("Wrong", (Component,), {"needs": [3]}),
            "the needs of Wrong are [3], not a tuple of names",
        ),
        (lambda: Failure(untyped("colision"), "x", "y"), "no kind of failure 'colision'; did you mean 'collision'?"),
        (lambda: FailureKind("dead-end"), "no kind of failure 'dead-end'; did you mean 'dead_end'?"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_nearest(call: Callable[[], object], complaint: str) -> None:
    """An error of the library's, where Python would say what it did not expect."""
    with pytest.raises(TaskMatrixError, match=re.escape(complaint)):
        call()


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (lambda self: self.fail("colision", "it touches"), "no kind of failure 'colision'; did you mean 'collision'?"),
        (lambda self: self.publish(fuond=1), "no output 'fuond' in Faulty; did you mean 'found'?"),
        (lambda self: self.comand(), "'Faulty' object has no attribute 'comand'; did you mean 'command'?"),
        (lambda self: self.context.skills.possition(), "has no attribute 'possition'; did you mean 'position'?"),
    ],
)
def test_what_is_misspelt_in_a_hook_is_told_with_its_line(fault: Any, complaint: str) -> None:
    """As the failure of the behavior."""
    faulty = type("Faulty", (TaskBehavior,), {"found": Output(int), "step": fault})
    failure = Bench().run(faulty()).failure
    assert failure is not None
    assert complaint in failure.message
    assert "at tests/core/test_misspelt.py:" in failure.message


def test_a_failure_may_be_told_by_the_name_of_its_kind() -> None:
    """It has the kind then, not its name."""
    assert Failure(untyped("collision"), "x", "y").kind is FailureKind.COLLISION
