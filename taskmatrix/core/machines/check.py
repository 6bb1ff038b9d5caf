"""What is checked of a machine when its class is made, so that no mistake waits for the robot to move."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import MachineError, ParameterError, not_found
from ..base.parameter import Parameter
from ..base.source import SourceLine, mistake
from ..behavior.condition import Condition
from .chain_conflicts import check_chains
from .reachability import check_reachability, reachable
from .state import State, Wire
from .transition import Definition, Transition


def check(machine: Definition) -> None:
    """Check a machine's definition.

    Raises:
        MachineError: The transitions are no sequence, a state is unknown or never started, a parameter unknown, not
            wired or of another type than its wire, no state starts, or none ends the machine; a transition can never
            be followed, does nothing or stands there twice; an output is read that cannot have been published; two
            states may run together that need the same chain. The message shows the lines that are wrong.
    """
    for name, state in machine.states.items():
        if any(_has_other(base, name) for base in machine.cls.__mro__[1:]):
            raise mistake(f"{machine.name} has a state '{name}', a name that a base of it already uses", state.line)
        for wire in (each for each in state.wires if each not in state.behavior.declared):
            known, place = [*state.behavior.declared, "final", "optional"], f"state '{name}' of {machine.name}"
            raise mistake(not_found("parameter", wire, known, place), state.line)
    if not isinstance(machine.transitions, Sequence):
        raise MachineError(
            f"the transitions of {machine.name} are {machine.transitions!r}, not a sequence; a single transition "
            "needs a comma after it: transitions = (start(...),)"
        )
    for number, transition in enumerate(machine.transitions, 1):
        _check_transition(machine, transition, f"transition {number} of {machine.name}")
    if not any(transition.at_start and transition.start for transition in machine.transitions):
        raise MachineError(f"{machine.name} starts no state; add start(...) to its transitions")
    reached = reachable(machine.transitions)
    for state in machine.states.values():
        if state not in reached:
            raise mistake(f"state '{state.name}' of {machine.name} is never started by a transition", state.line)
    if not any(state.final for state in machine.states.values()):
        raise MachineError(f"{machine.name} has no final state; declare one with State(..., final=True)")
    for state in machine.states.values():
        _check_wires(machine, state)
    check_reachability(machine)
    check_chains(machine)


def _has_other(base: type, name: str) -> bool:
    return hasattr(base, name) and not isinstance(getattr(base, name), State)


def _check_transition(machine: Definition, transition: object, place: str) -> None:
    if not isinstance(transition, Transition):
        raise MachineError(f"{place} is {transition!r}; transitions are made by start(...), on(...) and whenever(...)")
    mentioned = [*transition.start, *transition.stop, *(trigger.state for trigger in transition.triggers)]
    for state in mentioned:
        if machine.states.get(state.name) is not state:
            if state.name in machine.states:
                message = f"{place} means the state '{state.name}' of another class, not this machine's own"
                raise mistake(message, transition.line)
            name = state.name or state.behavior.__name__
            raise mistake(not_found("state", name, machine.states, place), transition.line)
    for what, condition in (("guard", transition.when), ("condition", transition.monitor)):
        if condition is None:
            continue
        if not isinstance(condition, Condition):
            message = f"the {what} of {place} is {condition!r}, not a condition such as Grasping(object)"
            raise mistake(message, transition.line)
        condition.bind(_Belongs(machine, f"the {what} of {place}", transition.line))


def _check_wires(machine: Definition, state: State) -> None:
    place = f"state '{state.name}' of {machine.name}"
    declared = state.behavior.declared
    for name, value in state.wires.items():
        _Belongs(machine, f"{place}, parameter '{name}',", state.line)(value)
        wanted = declared[name]
        if isinstance(value, Parameter):
            _check_type(place, wanted, value.type, state.line)
            if value.default is None and wanted.default is not None:
                message = f"{place} wires '{name}', which needs a value, to '{value.name}', which may be None"
                raise mistake(message, state.line)
        elif isinstance(value, Wire):
            _check_type(place, wanted, value.state.behavior.published[value.output].type, state.line)
        else:
            try:
                wanted.validate(value)
            except ParameterError as error:
                raise mistake(f"{place}: {error}", state.line) from None
    for name, parameter in declared.items():
        if parameter.required and name not in state.wires:
            raise mistake(f"{place} does not wire the required parameter '{name}'", state.line)


class _Belongs:
    """Checks that what a value comes from belongs to the machine."""

    def __init__(self, machine: Definition, place: str, line: SourceLine) -> None:
        self.machine, self.place, self.line = machine, place, line

    def __call__(self, value: object) -> object:
        machine = self.machine
        if isinstance(value, Parameter) and machine.declared.get(value.name) is not value:
            used = f"the parameter '{value.name or '(unnamed)'}', which {machine.name} does not declare"
        elif isinstance(value, Wire) and machine.states.get(value.state.name) is not value.state:
            used = f"the output '{value.name}' of a state that {machine.name} does not have"
        else:
            return value
        raise mistake(f"{self.place} uses {used}", self.line)


def _check_type(place: str, wanted: Parameter[object], given: type, line: SourceLine) -> None:
    if wanted.type is not given and not (wanted.type is float and given is int):
        message = f"{place} wires '{wanted.name}', a {wanted.type.__name__}, to a {given.__name__}"
        raise mistake(message, line)
