"""Message-driven machines: behaviors as states, messages as what moves between them (thesis 3.5.2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn

from py_trees.common import Status

from .behavior import Phase, TaskBehavior
from .context import Context
from .errors import ParameterError
from .failure import Failure, FailureKind
from .machine_check import check
from .message import FAILED, Message, MessageKind
from .parameter import Parameter
from .state import State, Transition, Wire, on, start

__all__ = ["Machine", "State", "on", "start"]


class Machine(TaskBehavior):
    """A behavior composed of states that start and terminate one another by messages.

    Subclasses declare parameters, states and ``transitions`` in the class body; they are checked when the class is
    made. Messages are delivered in the order of their emission, and a state that they start runs first in the next
    control step. A failure that no transition catches, of a state that is not optional, ends the machine.

    Raises:
        MachineError: When the class is made; :mod:`~taskmatrix.core.machine_check` says what is checked.
    """

    transitions: ClassVar[Sequence[Transition]] = ()
    states: ClassVar[Mapping[str, State]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        states: dict[str, State] = {}
        for base in reversed(cls.__mro__):
            states.update({name: value for name, value in vars(base).items() if isinstance(value, State)})
        cls.states = states
        if states or cls.transitions:
            check(cls)

    def __init__(self, *positional: NoReturn, name: str | None = None, **parameters: Any) -> None:
        super().__init__(*positional, name=name, **parameters)
        self._members = {state: state.behavior(name=state.name) for state in self.states.values()}
        self.children = list(self._members.values())  # so that py_trees displays show them
        self._live: list[State] = []
        self._inbox: deque[tuple[State, Message]] = deque()
        self._over: Failure | bool = False
        for state, member in self._members.items():
            member.parent = self
            member.listener = lambda message, state=state: self._inbox.append((state, message))

    def bind(self, context: Context, path: str) -> None:
        """Bind to a robot and its world, with all states."""
        super().bind(context, path)
        for state, member in self._members.items():
            member.bind(context, f"{self.path}/{state.name}")

    @property
    def live(self) -> tuple[str, ...]:
        """Names of the states that are running or start in the next control step."""
        return tuple(state.name for state in self._live)

    def plan(self) -> Failure | None:
        """Follow the start transitions."""
        self._live.clear()
        self._inbox.clear()
        self._over = False
        starts = [transition for transition in self.transitions if transition.trigger is None]
        followed = [self._follow(transition) for transition in starts]
        if isinstance(self._over, Failure):
            return self._over
        return None if any(followed) else self.fail(FailureKind.DEAD_END, "the guard of no start transition holds")

    def step(self) -> Failure | bool:
        """Run the live states for one control step, then deliver what they said."""
        for state in tuple(self._live):
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
            cause = message.data.get("failure")
            assert isinstance(cause, Failure)
            if state.optional:
                self.context.events.emit("failure", member.path, failure=cause, optional=True)
            else:
                self._over = self.fail(cause.root.kind, f"state '{state.name}' failed", cause)
        elif message.kind is MessageKind.TASK_COMPLETE and state in self._live and member.phase is Phase.DONE:
            self._live.remove(state)
            if self._over is False:
                self._over = self._ends_machine(state)

    def _ends_machine(self, state: State) -> bool:
        return state.final and (state.optional or self._members[state].status is Status.SUCCESS)

    def _follow(self, transition: Transition, message: Message | None = None) -> bool:
        """Follow a transition if its guard holds, and say whether it does.

        Starting a state that still runs changes nothing; one that has ended can be started, also before its
        task-complete is delivered - unless that is going to end the machine, which only its own messages change.
        Nothing is followed once the machine is over.
        """
        if self._over is not False:
            return False
        if transition.when is not None and not transition.when.bind(self._resolve).evaluate(self.context):
            return False
        ending = {state for state in self._live if self._members[state].phase is Phase.DONE}
        stopping = [state for state in transition.stop if state in self._live and state not in ending]
        own = transition.trigger.state if transition.trigger else None
        again = {state for state in ending if state is own or not self._ends_machine(state)}
        starting = [
            state for state in transition.start if state not in self._live or state in again or state in stopping
        ]
        if starting or stopping:
            self.context.events.emit(
                "transition",
                self.path,
                trigger=f"{message.sender.rsplit('/', 1)[-1]} {message.kind.value}" if message else "start",
                start=[state.name for state in starting],
                stop=[state.name for state in stopping],
            )
        for state in stopping:
            self._live.remove(state)
            self._members[state].force_quit()
        for state in starting:
            if state in self._live:
                self._live.remove(state)
            member = self._members[state]
            member.restart()
            try:
                member.set_parameters(**{name: self._resolve(value) for name, value in state.wires.items()})
            except ParameterError as error:
                self._over = self.fail(FailureKind.PARAMETER, f"state '{state.name}' cannot start: {error}")
                break
            self._live.append(state)
        return True

    def _resolve(self, value: object) -> object:
        if isinstance(value, Parameter):
            return self.parameters[value.name]
        if isinstance(value, Wire):
            return self._members[value.state].outputs.get(value.output)
        return value
