"""What can never happen in a machine: found when its class is made; only what is certain is reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.errors import ParameterError
from ..base.message import FAILED, MessageKind
from ..base.source import mistake
from .state import State, Trigger, Wire
from .transition import Definition, Transition

_K = MessageKind


def reachable(transitions: Iterable[Transition], begin: Iterable[State] = ()) -> set[State]:
    """States that some sequence of messages starts, from the start of the machine or from other states on."""
    reached, transitions = set(begin), tuple(transitions)
    while True:
        before = len(reached)
        for transition in transitions:
            if all(trigger.state in reached for trigger in transition.triggers):
                reached.update(transition.start)
        if len(reached) == before:
            return reached


def check_reachability(machine: Definition) -> None:
    """Refuse transitions that are never followed, do nothing or stand there twice, and wires that are always empty.

    Raises:
        MachineError: With the line.
    """
    name = machine.name
    for number, transition in enumerate(machine.transitions, 1):
        place = f"transition {number} of {name}"
        for trigger in transition.triggers:
            why = _never_said(machine, trigger)
            if why:
                raise mistake(f"{place} is never followed: {why}", transition.line)
        if transition.at_start and not transition.start:
            raise mistake(f"{place} starts no state: start(...) takes at least one", transition.line)
        if not (transition.start or transition.stop or transition.fail or transition.catches):
            raise mistake(f"{place} does nothing; say what it does by start=, stop= or fail=", transition.line)
        for earlier_number, earlier in enumerate(machine.transitions[: number - 1], 1):
            if _same(earlier, transition):
                raise mistake(f"{place} repeats transition {earlier_number}", earlier.line, transition.line)
    last = _too_late(machine.transitions)
    for state in machine.states.values():
        if state not in reachable(transition for transition in machine.transitions if transition not in last):
            lines = [transition.line for transition in last if state in transition.start]
            raise mistake(f"state '{state.name}' of {name} starts only when the machine is over", *lines, state.line)
        for parameter, value in state.wires.items():
            if isinstance(value, Wire) and _always_empty(machine.transitions, state, parameter, value):
                message = f"state '{state.name}' of {name} reads '{value.name}', but starts before '{value.state.name}'"
                raise mistake(f"{message} can have published it", state.line)


def _never_said(machine: Definition, trigger: Trigger) -> str | None:
    """Why nobody ever says a message."""
    state, behavior = trigger.state, trigger.state.behavior
    if trigger.kinds == (_K.FORCE_QUIT,) and not any(state in transition.stop for transition in machine.transitions):
        return f"no transition stops '{state.name}', so it is never forced to quit"
    if trigger.kinds == (_K.PARAMETER_SET,) and not behavior.published:
        return f"'{state.name}' has no outputs, so it never says parameter-set"
    return None


def _same(first: Transition, second: Transition) -> bool:
    """Whether the second can do nothing that the first has not just done."""
    if any(each.when or each.monitor or each.fail for each in (first, second)) or first.times is not None:
        return False
    messages = [[(x.state, x.kinds, x.failures) for x in each.triggers] for each in (first, second)]
    effects = [(set(each.start), set(each.stop)) for each in (first, second)]
    return messages[0] == messages[1] and effects[0] == effects[1]


def _too_late(transitions: Sequence[Transition]) -> list[Transition]:
    """Transitions on the last words of a final state, where these are bound to end the machine."""
    return [each for each in transitions if any(_ends_machine(transitions, trigger) for trigger in each.triggers)]


def _ends_machine(transitions: Sequence[Transition], trigger: Trigger) -> bool:
    state = trigger.state
    own = [each for each in transitions if any(x.state is state for x in each.triggers)]
    if not state.final or any(state in each.start for each in own) or any(state in each.stop for each in transitions):
        return False
    if state.optional:
        return set(trigger.kinds) <= {_K.CONTROLLOOP_ENDED, _K.TASK_SUCCESSFUL, _K.TASK_COMPLETE, *FAILED}
    recovers = any(each.catches and each.fail is None for each in own)
    return trigger.kinds == (_K.TASK_SUCCESSFUL,) or (trigger.kinds == (_K.TASK_COMPLETE,) and not recovers)


def _always_empty(transitions: Sequence[Transition], reader: State, parameter: str, wire: Wire) -> bool:
    """Whether a state reads an output at its first start before it can be there, and that cannot be right."""
    starting = [each for each in transitions if reader in each.start]
    before = [
        each for each in transitions if each not in starting and all(x.state is not reader for x in each.triggers)
    ]
    if wire.state in reachable(before):
        return False
    try:
        reader.behavior.declared[parameter].validate(None)
    except ParameterError:
        return True
    return all(each.at_start for each in starting)  # it never starts a second time
