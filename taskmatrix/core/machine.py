"""Message-driven machines: behaviors as states, messages as what moves between them (thesis 3.5.2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from py_trees.common import Status

from .behavior import Phase, TaskBehavior
from .condition import Condition
from .errors import MachineError, ParameterError, not_found
from .failure import Failure, FailureKind
from .message import FAILED, Message, MessageKind
from .parameter import Parameter


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


class State:
    """A behavior as a state of a machine.

    Args:
        behavior: Class of the behavior or machine to run.
        optional: Its failure is an event and does not end the machine.
        final: The machine ends when it ends.
        **wires: Parameters of the behavior: a value, a parameter of the machine, or an output of another state.
    """

    def __init__(self, behavior: type[TaskBehavior], *, optional: bool = False, final: bool = False, **wires: Any) -> None:
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
        raise AttributeError(not_found("message or output", name, known, f"state of {self.behavior.__name__}"))


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
    return Transition(None, states, when=when)


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
    return (given,) if isinstance(given, State) else tuple(given)


class Machine(TaskBehavior):
    """A behavior composed of states that start and terminate one another by messages.

    Subclasses declare parameters, states and ``transitions`` in the class body; they are checked when the class is
    made. Messages are delivered in the order of their emission, and a state that they start runs first in the next
    control step. A failure that no transition catches, of a state that is not optional, ends the machine.

    Raises:
        MachineError: When the class is made: a state is unknown or unreachable, a parameter unknown, not wired or
            of another type than its wire, no state starts, or none ends the machine.
    """

    transitions: ClassVar[Sequence[Transition]] = ()
    states: ClassVar[Mapping[str, State]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        states: dict[str, State] = {}
        for base in reversed(cls.__mro__):
            states.update({name: value for name, value in vars(base).items() if isinstance(value, State)})
        cls.states = states
        if states:
            _check(cls)

    def __init__(self, *, name: str | None = None, **parameters: Any) -> None:
        super().__init__(name=name, **parameters)
        self._members = {state: state.behavior(name=state.name) for state in self.states.values()}
        self.children = list(self._members.values())  # so that py_trees displays show them
        self._live: list[State] = []
        self._inbox: deque[tuple[State, Message]] = deque()
        self._over: Failure | bool = False
        for state, member in self._members.items():
            member.listener = lambda message, state=state: self._inbox.append((state, message))

    def setup(self, **kwargs: Any) -> None:
        """Bind to a robot and its world, with all states."""
        super().setup(**kwargs)
        for state, member in self._members.items():
            member.setup(context=self.context, path=f"{self.path}/{state.name}")

    @property
    def live(self) -> tuple[str, ...]:
        """Names of the states that are running or start in the next control step."""
        return tuple(state.name for state in self._live)

    def plan(self) -> None:
        """Follow the start transitions."""
        self._live.clear()
        self._inbox.clear()
        self._over = False
        for transition in self.transitions:
            if transition.trigger is None:
                self._follow(transition)

    def step(self) -> Failure | bool:
        """Run the live states for one control step, then deliver what they said."""
        for state in tuple(self._live):
            if state in self._live:
                self._members[state].advance()
        while self._inbox and self._over is False:
            self._deliver(*self._inbox.popleft())
        if self._over is False and not self._live:
            return self.fail(FailureKind.DEAD_END, "no state is running and none that ran was final")
        return self._over

    def finish(self) -> None:
        """Force the states that still run to quit."""
        for state in tuple(self._live):
            self._members[state].force_quit()
        self._live.clear()

    def _deliver(self, state: State, message: Message) -> None:
        caught = False
        for transition in self.transitions:
            trigger = transition.trigger
            if trigger is not None and trigger.state is state and message.kind in trigger.kinds:
                caught = self._follow(transition, message) or caught
        member = self._members[state]
        if message.kind in FAILED and not caught:
            if not state.optional:
                cause = member.failure
                kind = cause.root.kind if cause else FailureKind.EXCEPTION
                self._over = self.fail(kind, f"state '{state.name}' failed", cause)
            else:
                self.context.events.emit("failure", member.path, failure=member.failure, optional=True)
        elif message.kind is MessageKind.TASK_COMPLETE:
            if state in self._live and member.phase is Phase.DONE:
                self._live.remove(state)
                if state.final and (member.status is Status.SUCCESS or state.optional):
                    self._over = True

    def _follow(self, transition: Transition, message: Message | None = None) -> bool:
        if transition.when is not None and not transition.when.bind(self._resolve).evaluate(self.context):
            return False
        self.context.events.emit(
            "transition",
            self.path,
            trigger=f"{message.sender.rsplit('/', 1)[-1]} {message.kind.value}" if message else "start",
            start=[state.name for state in transition.start],
            stop=[state.name for state in transition.stop],
        )
        for state in transition.stop:
            if state in self._live:
                self._live.remove(state)
                self._members[state].force_quit()
        for state in transition.start:
            member = self._members[state]
            if state in self._live:
                if member.phase is not Phase.DONE:
                    continue  # already running, or about to
                self._live.remove(state)
            member.restart()
            member.set_parameters(**{name: self._resolve(value) for name, value in state.wires.items()})
            self._live.append(state)
        return True

    def _resolve(self, value: object) -> object:
        if isinstance(value, Parameter):
            return self.parameters[value.name]
        if isinstance(value, Wire):
            return self._members[value.state].outputs.get(value.output)
        return value


def _check(machine: type[Machine]) -> None:
    """Check a machine's definition; raises MachineError."""
    known = set(machine.states.values())
    names = machine.states
    reachable: set[State] = set()
    for number, transition in enumerate(machine.transitions, 1):
        mentioned = [*transition.start, *transition.stop]
        if transition.trigger is not None:
            mentioned.append(transition.trigger.state)
        for state in mentioned:
            if state not in known:
                what = state.name or state.behavior.__name__
                raise MachineError(not_found("state", what, names, f"transition {number} of {machine.__name__}"))
        reachable.update(transition.start)
    if not any(transition.trigger is None and transition.start for transition in machine.transitions):
        raise MachineError(f"{machine.__name__} starts no state; add start(...) to its transitions")
    for state in known - reachable:
        raise MachineError(f"state '{state.name}' of {machine.__name__} is never started by a transition")
    if not any(state.final for state in known):
        raise MachineError(f"{machine.__name__} has no final state; declare one with State(..., final=True)")
    for state in machine.states.values():
        _check_wires(machine, state)


def _check_wires(machine: type[Machine], state: State) -> None:
    place = f"state '{state.name}' of {machine.__name__}"
    declared = state.behavior.declared
    for name, value in state.wires.items():
        if name not in declared:
            raise MachineError(not_found("parameter", name, declared, place))
        wanted = declared[name].type
        if isinstance(value, Parameter):
            if machine.declared.get(value.name) is not value:
                raise MachineError(f"{place} wires '{name}' to a parameter that {machine.__name__} does not declare")
            _check_type(place, name, wanted, value.type)
        elif isinstance(value, Wire):
            if value.state not in machine.states.values():
                raise MachineError(f"{place} wires '{name}' to a state that {machine.__name__} does not have")
            _check_type(place, name, wanted, value.state.behavior.published[value.output].type)
        else:
            try:
                declared[name].validate(value)
            except ParameterError as error:
                raise MachineError(f"{place}: {error}") from None
    for name, parameter in declared.items():
        if parameter.required and name not in state.wires:
            raise MachineError(f"{place} does not wire the required parameter '{name}'")


def _check_type(place: str, name: str, wanted: type, given: type) -> None:
    if wanted is not given and not (wanted is float and given is int):
        raise MachineError(f"{place} wires '{name}', a {wanted.__name__}, to a {given.__name__}")
