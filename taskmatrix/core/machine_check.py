"""What is checked of a machine when its class is made, so that no mistake waits for the robot to move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .behavior import TaskBehavior
from .errors import MachineError, ParameterError, not_found
from .parameter import Parameter
from .state import State, Transition, Wire

if TYPE_CHECKING:
    from .machine import Machine


def check(machine: type[Machine]) -> None:
    """Check a machine's definition.

    Raises:
        MachineError: The transitions are no sequence, a state is unknown or never started, a parameter unknown, not
            wired or of another type than its wire, no state starts, or none ends the machine.
    """
    for name in machine.states:
        if name in vars(TaskBehavior()) or any(_has_other(base, name) for base in machine.__mro__[1:]):
            raise MachineError(f"{machine.__name__} has a state '{name}', a name that machines already use")
    if not isinstance(machine.transitions, Sequence):
        raise MachineError(
            f"the transitions of {machine.__name__} are {machine.transitions!r}, not a sequence; a single transition "
            "needs a comma after it: transitions = (start(...),)"
        )
    for number, transition in enumerate(machine.transitions, 1):
        _check_transition(machine, transition, f"transition {number} of {machine.__name__}")
    if not any(transition.trigger is None and transition.start for transition in machine.transitions):
        raise MachineError(f"{machine.__name__} starts no state; add start(...) to its transitions")
    reachable = _reachable(machine)
    for state in machine.states.values():
        if state not in reachable:
            raise MachineError(f"state '{state.name}' of {machine.__name__} is never started by a transition")
    if not any(state.final for state in machine.states.values()):
        raise MachineError(f"{machine.__name__} has no final state; declare one with State(..., final=True)")
    for state in machine.states.values():
        _check_wires(machine, state)


def _has_other(base: type, name: str) -> bool:
    return hasattr(base, name) and not isinstance(getattr(base, name), State)


def _check_transition(machine: type[Machine], transition: object, place: str) -> None:
    if not isinstance(transition, Transition):
        raise MachineError(f"{place} is {transition!r}; transitions are made by start(...) and on(...)")
    mentioned = [*transition.start, *transition.stop]
    if transition.trigger is not None:
        mentioned.append(transition.trigger.state)
    for state in mentioned:
        if machine.states.get(state.name) is not state:
            if state.name in machine.states:
                raise MachineError(f"{place} means the state '{state.name}' of another class, not this machine's own")
            raise MachineError(not_found("state", state.name or state.behavior.__name__, machine.states, place))
    if transition.when is not None:
        transition.when.bind(lambda value: _check_source(machine, value, f"the guard of {place}"))


def _reachable(machine: type[Machine]) -> set[State]:
    """States that some sequence of messages starts."""
    reached: set[State] = set()
    while True:
        before = len(reached)
        for transition in machine.transitions:
            if transition.trigger is None or transition.trigger.state in reached:
                reached.update(transition.start)
        if len(reached) == before:
            return reached


def _check_wires(machine: type[Machine], state: State) -> None:
    place = f"state '{state.name}' of {machine.__name__}"
    declared = state.behavior.declared
    for name, value in state.wires.items():
        if name not in declared:
            raise MachineError(not_found("parameter", name, declared, place))
        _check_source(machine, value, f"{place}, parameter '{name}',")
        wanted = declared[name]
        if isinstance(value, Parameter):
            _check_type(place, wanted, value.type)
            if value.default is None and wanted.default is not None:
                raise MachineError(f"{place} wires '{name}', which needs a value, to '{value.name}', which may be None")
        elif isinstance(value, Wire):
            _check_type(place, wanted, value.state.behavior.published[value.output].type)
        else:
            try:
                wanted.validate(value)
            except ParameterError as error:
                raise MachineError(f"{place}: {error}") from None
    for name, parameter in declared.items():
        if parameter.required and name not in state.wires:
            raise MachineError(f"{place} does not wire the required parameter '{name}'")


def _check_source(machine: type[Machine], value: object, place: str) -> object:
    """Check that what a value comes from belongs to the machine."""
    if isinstance(value, Parameter) and machine.declared.get(value.name) is not value:
        name = value.name or "(unnamed)"
        raise MachineError(f"{place} uses the parameter '{name}', which {machine.__name__} does not declare")
    if isinstance(value, Wire) and machine.states.get(value.state.name) is not value.state:
        raise MachineError(f"{place} uses the output '{value.name}' of a state that {machine.__name__} does not have")
    return value


def _check_type(place: str, wanted: Parameter[object], given: type) -> None:
    if wanted.type is not given and not (wanted.type is float and given is int):
        raise MachineError(f"{place} wires '{wanted.name}', a {wanted.type.__name__}, to a {given.__name__}")
