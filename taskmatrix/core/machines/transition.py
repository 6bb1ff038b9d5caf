"""Transitions of a machine, on messages or conditions, and what it is made of altogether (thesis 3.5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..base.errors import MachineError
from ..base.message import FAILED
from ..base.names import spelled
from ..base.parameter import Parameter
from ..base.source import SourceLine, caller
from ..behavior.condition import Condition
from .state import State, Trigger


@dataclass(frozen=True, eq=False)
class Transition:
    """What happens on a message, on several messages, when a condition becomes true, or at the start."""

    line: SourceLine
    """Where it is written."""
    triggers: tuple[Trigger, ...] = ()
    """The message; several have all to be said; none for the start of the machine and for a monitor."""
    start: tuple[State, ...] = ()
    """States to start."""
    stop: tuple[State, ...] = ()
    """States to terminate, by ``force-quit``."""
    when: Condition | None = None
    """Guard: the transition is followed only where it holds."""
    monitor: Condition | None = None
    """The condition that a monitor waits for."""
    times: int | None = None
    """How often it is followed at most in a run of the machine."""
    fail: str | None = None
    """Why the machine fails when it is followed."""

    @property
    def trigger(self) -> Trigger | None:
        """The message, where there is one; the first of several."""
        return self.triggers[0] if self.triggers else None

    @property
    def at_start(self) -> bool:
        """Whether it is followed when the machine starts."""
        return not self.triggers and self.monitor is None

    @property
    def catches(self) -> bool:
        """Whether it waits for a failure."""
        return any(kind in FAILED for trigger in self.triggers for kind in trigger.kinds)

    def gives_way_to(self, other: Transition) -> bool:
        """Whether it is left out where another is followed: both catch a failure, and only the other has a bound."""
        if not (self.catches and self.times is None and other.times is not None):
            return False
        return len(self.triggers) == len(other.triggers) == 1 and self.triggers[0].overlaps(other.triggers[0])

    def __repr__(self) -> str:
        """What it waits for, in words."""
        return f"whenever {self.monitor!r}" if self.monitor else " and ".join(map(repr, self.triggers)) or "start"


@dataclass(frozen=True, eq=False)
class Definition:
    """States, transitions and parameters of a machine's class."""

    cls: type
    """The class."""
    declared: Mapping[str, Parameter[Any]]
    """Parameters by name."""
    states: Mapping[str, State]
    """States by name, those of its base classes first."""
    transitions: Sequence[Transition]
    """In the order in which they are followed."""

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.cls.__name__


@dataclass(frozen=True, eq=False)
class AllOf:
    """Several messages that have all to be said."""

    triggers: tuple[Trigger, ...]
    """In any order."""


def bounded_first(transitions: Iterable[Transition]) -> list[Transition]:
    """In the order in which they are asked whether they catch a failure."""
    return sorted(transitions, key=lambda transition: transition.times is None)


@spelled
def start(*states: State, when: Condition | None = None) -> Transition:
    """Start states when the machine starts."""
    return Transition(caller(), start=_states(states), when=when)


@spelled
def on(
    trigger: Trigger | AllOf,
    start: State | Sequence[State] = (),
    stop: State | Sequence[State] = (),
    when: Condition | None = None,
    times: int | None = None,
    fail: str | None = None,
) -> Transition:
    """Start and terminate states on a message, such as ``on(reach.task_successful, start=grasp)``.

    Args:
        trigger: The message; or several, by :func:`all_of`.
        start: State or states to start.
        stop: State or states to terminate.
        when: Guard: followed only where it holds.
        times: Followed at most so often in a run of the machine; after that as if it were not written. Catching a
            failure, it comes first: in its stead, transitions that catch the same without a bound are left out.
        fail: Instead of starting and stopping: the machine fails, and this is why, with what the guard says.
    """
    if not isinstance(trigger, (Trigger, AllOf)):
        raise MachineError(f"on(...) waits for a message of a state, such as reach.task_successful, not {trigger!r}")
    triggers = trigger.triggers if isinstance(trigger, AllOf) else (trigger,)
    made = Transition(caller(), triggers, _states(start), _states(stop), when, times=times, fail=fail)
    return _checked(made)


@spelled
def whenever(
    condition: Condition,
    start: State | Sequence[State] = (),
    stop: State | Sequence[State] = (),
    times: int | None = None,
    fail: str | None = None,
) -> Transition:
    """Start and terminate states each time a condition becomes true while the machine runs: a monitor.

    The condition is asked once in every control step, before the states have theirs; what is true in the first step
    has become true then. While an output that it asks for has not been published, it counts as not true.

    Args:
        condition: Of the world, the machine's parameters and the outputs of its states.
        start: State or states to start.
        stop: State or states to terminate.
        times: Followed at most so often in a run of the machine.
        fail: Instead of starting and stopping: the machine fails, and this is why.
    """
    if not isinstance(condition, Condition):
        raise MachineError(f"whenever(...) waits for a condition, such as Grasping(object), not {condition!r}")
    made = Transition(caller(), (), _states(start), _states(stop), monitor=condition, times=times, fail=fail)
    return _checked(made)


@spelled
def all_of(*triggers: Trigger) -> AllOf:
    """Wait until all of these messages were said since the machine started, or since they were all said last."""
    for trigger in triggers:
        if not isinstance(trigger, Trigger):
            raise MachineError(f"all_of(...) takes messages of states, such as reach.task_successful, not {trigger!r}")
    if len(triggers) < 2:
        raise MachineError("all_of(...) takes two messages or more")
    return AllOf(triggers)


def _checked(made: Transition) -> Transition:
    if made.times is not None and (isinstance(made.times, bool) or not isinstance(made.times, int) or made.times < 1):
        raise MachineError(f"times= says how often a transition is followed at most, 1 or more, not {made.times!r}")
    if made.fail is not None and (not isinstance(made.fail, str) or not made.fail):
        raise MachineError(f"fail= says in words why the machine fails, not {made.fail!r}")
    if made.fail is not None and (made.start or made.stop or made.times):
        raise MachineError("a transition with fail= ends the machine; it cannot also have start=, stop= or times=")
    return made


def _states(given: State | Sequence[State]) -> tuple[State, ...]:
    states = tuple(given) if isinstance(given, Iterable) and not isinstance(given, (str, type)) else (given,)
    for state in states:
        if not isinstance(state, State):
            raise MachineError(f"a transition starts and terminates states of the machine, not {state!r}")
    return states
