"""Message-driven machines: behaviors as states, messages as what moves between them (thesis 3.5.2)."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NoReturn

from py_trees.common import Status

from ..base.errors import ParameterError
from ..base.failure import Failure, FailureKind
from ..base.message import FAILED, Message, MessageKind
from ..base.parameter import Parameter
from ..behavior.behavior import TaskBehavior
from ..behavior.condition import Condition, ConditionMonitor, Verdict
from ..behavior.context import Context
from ..behavior.requirement import Requirement
from .chain_conflicts import chains_at_start
from .check import check
from .mandatory_states import mandatory_states
from .state import State, Trigger, Wire
from .transition import Definition, Transition, all_of, bounded_first, on, start, whenever

__all__ = ["Machine", "State", "all_of", "on", "start", "whenever"]

EARLIER = 20  # failures that a machine remembers to have recovered from, the last ones


class Machine(TaskBehavior, hooks=("transitions",)):
    """A behavior composed of states that start and terminate one another by messages.

    Subclasses declare parameters, states and ``transitions`` in the class body; they are checked when the class is
    made. Messages are delivered in the order of their emission, and a state that they start runs first in the next
    control step. A failure that no transition catches, of a state that is not optional, ends the machine; its
    failure tells also those that it recovered from before.

    Raises:
        MachineError: When the class is made; :mod:`~taskmatrix.core.machines.check` says what is checked.
    """

    transitions: ClassVar[Sequence[Transition]] = ()
    states: ClassVar[Mapping[str, State]] = {}
    definition: ClassVar[Definition]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        states: dict[str, State] = {}
        for base in reversed(cls.__mro__):
            states.update({name: value for name, value in vars(base).items() if isinstance(value, State)})
        cls.states = states
        cls.definition = Definition(cls, cls.declared, states, cls.transitions)
        if states or cls.transitions:
            check(cls.definition)
            if "needs" not in vars(cls):
                cls.needs = chains_at_start(cls.definition)

    def __init__(self, *positional: NoReturn, name: str | None = None, **parameters: Any) -> None:
        super().__init__(*positional, name=name, **parameters)
        self.__members = {state: state.behavior(name=state.name) for state in self.states.values()}
        self.children = list(self.__members.values())  # so that py_trees displays show them
        self.__live: list[State] = []  # running, or starting in the next step, or ended with words not delivered yet
        self.__inbox: deque[tuple[State, Message]] = deque()
        self.__ended: set[State] = set()  # whose task-complete is in the inbox
        self.__again: set[State] = set()  # to start as soon as it has been delivered
        self.__said: dict[Transition, set[Trigger]] = {}  # of the messages that all have to be said
        self.__held: dict[Transition, bool] = {}  # whether the condition of a monitor held in the last step
        self.__begun: Counter[State] = Counter()
        self.__followed: Counter[Transition] = Counter()
        self.__earlier: deque[Failure] = deque(maxlen=EARLIER)
        self.__over: Failure | bool = False
        self.__answers = ConditionMonitor()
        for state, member in self.__members.items():
            member.parent = self
            member.listen(partial(self.__hear, state))

    def bind(self, context: Context, path: str) -> None:
        """Bind to a robot and its world, with all states."""
        super().bind(context, path)
        for state, member in self.__members.items():
            member.bind(context, f"{self.path}/{state.name}")

    def requirements(self) -> Iterable[Requirement]:
        """What it takes of a robot besides what its states take, of which it asks those that it cannot do without."""
        return ()

    def unmet(self, now: bool = True) -> Failure | None:
        """Why this robot is not able to do this: of itself, or of a state that it cannot do without.

        From the start transitions whose guards hold now, every way to a successful end leads through such a state. Of
        what depends on outputs of other states nothing can be said yet.
        """
        own = super().unmet(now)
        if own is not None:
            return own
        now = now and self.declared.keys() <= self.parameters.keys()
        starts = [each for each in self.transitions if each.at_start and not (now and self.__is_barred(each))]
        first = {state for transition in starts for state in transition.start}
        for state in mandatory_states(self.definition, tuple(starts)):
            failure = self.__unmet_by(state, now and state in first)
            if failure is not None:
                return self.fail(FailureKind.NOT_ABLE, f"cannot do without the state '{state.name}'", failure)
        return None

    def __is_barred(self, transition: Transition) -> bool:
        return transition.when is not None and not self.__ask(transition.when)[1]

    def __unmet_by(self, state: State, now: bool) -> Failure | None:
        """What a state requires and the robot has not, as far as its parameters are known before it starts."""
        member = self.__members[state]
        before = dict(member.parameters)
        unknown = {name for name, value in state.wires.items() if not self.__is_known(value)}
        try:
            member.set_parameters(**{n: self.__resolve(v) for n, v in state.wires.items() if n not in unknown})
            for name in unknown:
                member.parameters.pop(name, None)
            return member.unmet(now and not unknown)
        except ParameterError:
            return None  # it says so itself when it starts
        finally:
            member.parameters.clear()
            member.parameters.update(before)

    def __is_known(self, value: object) -> bool:
        """Whether a wire has its value before any state runs."""
        return not isinstance(value, Wire) and not (isinstance(value, Parameter) and value.name not in self.parameters)

    @property
    def live(self) -> tuple[str, ...]:
        """Names of the states that are running or start in the next control step."""
        return tuple(state.name for state in self.__live)

    def doing(self) -> str:
        """What its live states are about; how often one has been started, and the last failure that led round again."""
        told = []
        for state in self.__live:
            member, times = self.__members[state], self.__begun[state]
            told.append(member.doing())
            if times > 1:
                last = [failure.explain().removesuffix(".") for failure in self.__earlier][-1:]
                after = "".join(f", the last time after {words}" for words in last)
                told.append(f"{member.path} has been started {times} times{after}")
        return "; ".join(told) or super().doing()

    def restart(self) -> None:
        """Get ready for a new run, and forget the last one."""
        super().restart()
        for member in self.__members.values():
            member.restart()
        self.__over = False
        self.__answers.clear()
        forgotten = (self.__live, self.__inbox, self.__ended, self.__again)
        for memory in (*forgotten, self.__said, self.__held, self.__begun, self.__followed, self.__earlier):
            memory.clear()

    def plan(self) -> Failure | None:
        """Follow the start transitions."""
        followed = [self.__follow(transition) for transition in self.transitions if transition.at_start]
        if isinstance(self.__over, Failure):
            return self.__over
        return None if any(followed) else self.fail(FailureKind.DEAD_END, "the guard of no start transition holds")

    def step(self) -> Failure | bool:
        """Ask the monitors, run the live states for one control step, then deliver what they said."""
        for transition in self.transitions:
            if transition.monitor is not None and self.__over is False:
                self.__watch(transition, transition.monitor)
        if self.__over is not False:
            return self.__over
        for state in tuple(self.__live):
            self.__members[state].update()
        while self.__inbox and self.__over is False:
            self.__deliver(*self.__inbox.popleft())
        if self.__over is False and not self.__live:
            return self.fail(FailureKind.DEAD_END, "no state is running and none that ran was final")
        return self.__over

    def finish(self) -> None:
        """Force the states that still run to quit."""
        for state in tuple(self.__live):
            self.__members[state].force_quit()
        self.__live.clear()

    def conclude(self, failure: Failure) -> Failure:
        """With what the machine had recovered from before."""
        return replace(failure, earlier=tuple(self.__earlier)) if self.__earlier else failure

    def __hear(self, state: State, message: Message) -> None:
        self.__inbox.append((state, message))
        if message.kind is MessageKind.TASK_COMPLETE:
            self.__ended.add(state)

    def __watch(self, transition: Transition, monitor: Condition) -> None:
        """Follow a monitor in the step in which its condition becomes true."""
        condition, verdict = self.__ask(monitor)
        self.__answers.note(self.context, self.path, "monitor", transition, condition, verdict)
        before, self.__held[transition] = self.__held.get(transition, False), bool(verdict)
        if not verdict or before:
            return
        if transition.fail is not None:
            message = f"{transition.fail}: {condition} became true, {verdict.why}"
            self.__over = Failure(FailureKind.INCONDITION, self.path, message, verdict.values)
        else:
            self.__follow(transition)

    def __ask(self, condition: Condition) -> tuple[Condition, Verdict]:
        """A guard or a monitor's condition with its values, and the answer: no, while an output is not published."""
        unknown: list[object] = []

        def resolve(value: object) -> object:
            if isinstance(value, Wire) and value.output not in self.__members[value.state].outputs:
                unknown.append(value)
            return self.__resolve(value)

        bound = condition.bind(resolve)
        return bound, Verdict(False, "an output is not known yet") if unknown else bound.evaluate(self.context)

    def __deliver(self, state: State, message: Message) -> None:
        failure = message.data.get("failure") if message.kind in FAILED else None
        followed: list[Transition] = []
        for transition in bounded_first(self.transitions) if failure else self.transitions:
            heard = {trigger for trigger in transition.triggers if trigger.matches(state, message)}
            left_out = not heard or any(map(transition.gives_way_to, followed))
            if not left_out and self.__collect(transition, heard, state, message):
                followed.append(transition)
        if isinstance(failure, Failure):
            if followed:
                self.__recovered(failure)
            elif state.optional:
                self.context.events.emit("failure", self.__members[state].path, failure=failure, optional=True)
            else:
                self.__over = self.fail(failure.root.kind, f"state '{state.name}' failed", failure)
        elif message.kind is MessageKind.TASK_COMPLETE:
            self.__complete(state)

    def __collect(self, transition: Transition, heard: set[Trigger], state: State, message: Message) -> bool:
        """Follow a transition if all of its messages are said; say whether it was waiting for this one."""
        said = self.__said.setdefault(transition, set())
        said |= heard
        if len(said) < len(transition.triggers):
            return self.__left(transition)
        followed = self.__follow(transition, state, message)
        if followed:
            said.clear()
        return followed

    def __recovered(self, failure: Failure) -> None:
        if not (isinstance(self.__over, Failure) and self.__over.cause is failure):
            self.__earlier.append(failure)
            self.context.events.emit("recovery", self.path, failure=failure)

    def __complete(self, state: State) -> None:
        """A state has said its last word: it is no longer live, may end the machine, and can start again."""
        self.__ended.discard(state)
        again = state in self.__again
        self.__again.discard(state)
        if state in self.__live:
            self.__live.remove(state)
            if self.__over is False and not again:
                self.__over = self.__ends_machine(state)
        if again and self.__over is False:
            self.__begin_state(state)

    def __ends_machine(self, state: State) -> bool:
        return state.final and (state.optional or self.__members[state].status is Status.SUCCESS)

    def __left(self, transition: Transition) -> bool:
        """Whether a transition may be followed once more."""
        return self.__over is False and (transition.times is None or self.__followed[transition] < transition.times)

    def __follow(self, transition: Transition, sender: State | None = None, message: Message | None = None) -> bool:
        """Follow a transition if its guard holds, and say whether it does.

        Starting a state that still runs changes nothing. One that has ended starts again, after all that it said has
        been delivered - unless that is going to end the machine, which only its own messages change. Nothing is
        followed once the machine is over.
        """
        if not self.__left(transition):
            return False
        guard = None
        if transition.when is not None:
            condition, guard = self.__ask(transition.when)
            self.__answers.note(self.context, self.path, "guard", transition, condition, guard)
            if not guard:
                return False
        self.__followed[transition] += 1
        if transition.fail is not None:
            words = f"{transition.fail}: {guard.why}" if guard else transition.fail
            cause = message.data.get("failure") if message else None
            if isinstance(cause, Failure):
                self.__over = self.fail(cause.root.kind, words, cause)
            else:
                self.__over = Failure(FailureKind.INCONDITION, self.path, words, guard.values if guard else {})
            return True
        stopping = [state for state in transition.stop if state in self.__live and state not in self.__ended]
        starting = [state for state in transition.start if state in stopping or self.__can_start(state, sender)]
        if starting or stopping:
            self.context.events.emit(
                "transition",
                self.path,
                trigger=self.__words(transition, message),
                start=[state.name for state in starting],
                stop=[state.name for state in stopping],
            )
        self.__again.difference_update(transition.stop)
        for state in stopping:
            self.__live.remove(state)
            self.__members[state].force_quit()
        for state in starting:
            if state in self.__ended:
                self.__again.add(state)
            elif self.__over is False:
                self.__begin_state(state)
        return True

    def __can_start(self, state: State, sender: State | None) -> bool:
        if state not in self.__ended:
            return state not in self.__live
        ends_machine = state in self.__live and state is not sender and self.__ends_machine(state)
        return not ends_machine and state not in self.__again

    def __begin_state(self, state: State) -> None:
        """Set a state's parameters from its wires; it has its first step when all live states have theirs."""
        member = self.__members[state]
        self.__begun[state] += 1
        member.restart()
        try:
            member.set_parameters(**{name: self.__resolve(value) for name, value in state.wires.items()})
        except ParameterError as error:
            self.__over = self.fail(FailureKind.PARAMETER, f"state '{state.name}' cannot start: {error}")
        else:
            self.__live.append(state)

    def __words(self, transition: Transition, message: Message | None) -> str:
        if message is None or len(transition.triggers) > 1:
            return repr(transition)
        return f"{message.sender.rsplit('/', 1)[-1]} {message.kind.value}"

    def __resolve(self, value: object) -> object:
        if isinstance(value, Parameter):
            return self.parameters[value.name]
        if isinstance(value, Wire):
            return self.__members[value.state].outputs.get(value.output)
        return value


Machine.definition = Definition(Machine, {}, {}, ())
