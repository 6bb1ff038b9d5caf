"""States and transitions: what is written in the body of a machine (thesis 3.5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .behavior import TaskBehavior
from .condition import Condition
from .errors import MachineError, not_found
from .message import FAILED, MessageKind


class UnknownMessageError(MachineError, AttributeError):
    """What is asked of a state is neither a message nor an output of it."""


@dataclass(frozen=True, eq=False)
class Trigger:
    """A message of a state that a transition waits for."""

    state: State
    """Whose message."""
    kinds: tuple[MessageKind, ...]
    """Any of these."""


@dataclass(frozen=True, eq=False)
class Wire:
    """An output of a state, passed to a parameter of another."""

    state: State
    """Who publishes it."""
    output: str
    """Its name."""

    @property
    def name(self) -> str:
        """As it is written in the machine: ``reach.hand``."""
        return f"{self.state.name}.{self.output}"


class State:
    """A behavior as a state of a machine.

    Args:
        behavior: Class of the behavior or machine to run.
        optional: Its failure is an event and does not end the machine.
        final: The machine ends when it ends.
        **wires: Parameters of the behavior: a value, a parameter of the machine, or an output of another state.
    """

    def __init__(
        self, behavior: type[TaskBehavior], /, *, optional: bool = False, final: bool = False, **wires: Any
    ) -> None:
        if not (isinstance(behavior, type) and issubclass(behavior, TaskBehavior)):
            raise MachineError(f"State(...) takes the class of a behavior, not {behavior!r}")
        self.behavior = behavior
        self.optional = optional
        self.final = final
        self.wires = wires
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Any:
        """``reach.task_successful`` is a trigger, ``reach.failed`` catches both failures, ``reach.hand`` is a wire."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "failed":
            return Trigger(self, FAILED)
        kinds = {kind.value.replace("-", "_"): kind for kind in MessageKind}
        if name in kinds:
            return Trigger(self, (kinds[name],))
        if name in self.behavior.published:
            return Wire(self, name)
        known = ["failed", *kinds, *self.behavior.published]
        raise UnknownMessageError(not_found("message or output", name, known, f"state of {self.behavior.__name__}"))


@dataclass(frozen=True, eq=False)
class Transition:
    """What happens on a message."""

    trigger: Trigger | None
    """The message; None for the start of the machine."""
    start: tuple[State, ...] = ()
    """States to start."""
    stop: tuple[State, ...] = ()
    """States to terminate, by ``force-quit``."""
    when: Condition | None = None
    """Guard: the transition is followed only where it holds."""


def start(*states: State, when: Condition | None = None) -> Transition:
    """Start states when the machine starts."""
    return Transition(None, _states(states), when=when)


def on(
    trigger: Trigger,
    start: State | Sequence[State] = (),
    stop: State | Sequence[State] = (),
    when: Condition | None = None,
) -> Transition:
    """Start and terminate states on a message, such as ``on(reach.task_successful, start=grasp)``."""
    if not isinstance(trigger, Trigger):
        raise MachineError(f"on(...) waits for a message of a state, such as reach.task_successful, not {trigger!r}")
    return Transition(trigger, _states(start), _states(stop), when)


def _states(given: State | Sequence[State]) -> tuple[State, ...]:
    states = (given,) if isinstance(given, State) else tuple(given)
    for state in states:
        if not isinstance(state, State):
            raise MachineError(f"a transition starts and terminates states of the machine, not {state!r}")
    return states
