"""States that may run together and need one chain: found when a machine's class is made, without running it.

The sets of states that may be live together are explored: states as sets, with how far each has come in its run, and
transitions on the messages that it can say next. A path takes at most one guard or monitor for granted, so that no two
are taken to hold together that exclude one another. A message of the control loop may come in the last step of a run or
long before it, so whoever has said one is not taken to run on: it ends with success in that step, or says nothing more
and is in nobody's way.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..base.failure import FailureKind
from ..base.message import FAILED, MessageKind
from ..base.source import mistake
from ..behavior.behavior import TaskBehavior
from ..behavior.condition import Condition, Not
from .state import State, Trigger
from .transition import Definition, Transition, bounded_first

BOUND = 2000  # sets of live states that are explored
Said = tuple[MessageKind, ...]
_K = MessageKind
_QUITTING, _SILENT = "quitting", "silent"
_IN_LOOP = (_K.PARAMETER_SET, _K.GOAL_ACHIEVED, _K.GOAL_FAILED)
_SUCCESS = (_K.CONTROLLOOP_ENDED, _K.TASK_SUCCESSFUL, _K.TASK_COMPLETE)
_STEPS: dict[str, dict[Said, str | None]] = {  # what a state says in one breath, and where its run stands then
    "idle": {(_K.PLANNING_STARTED,): "planning", (_K.TASK_FAILED_TO_START, _K.TASK_COMPLETE): None},
    "planning": {
        (_K.PLANNING_ENDED, _K.CONTROLLOOP_STARTED): "looping",
        (_K.PLANNING_ENDED, _K.TASK_FAILED_TO_START, _K.TASK_COMPLETE): None,
    },
    "looping": {
        **{(kind,): _SILENT for kind in _IN_LOOP},
        **{(kind, *_SUCCESS): None for kind in _IN_LOOP},
        _SUCCESS: None,
        (_K.CONTROLLOOP_ENDED, _K.TASK_FAILED, _K.TASK_COMPLETE): None,
    },
    _SILENT: {},
    _QUITTING: {(_K.FORCE_QUIT, _K.TASK_COMPLETE): None},
}


def chains_at_start(machine: Definition) -> tuple[str, ...]:
    """Chains without which every run of a machine fails in its first step: its ``needs``."""
    starting = [state for each in machine.transitions if each.at_start and each.when is None for state in each.start]
    needs = [chain for state in starting if must_start(machine, state) for chain in state.behavior.needs]
    return tuple(dict.fromkeys(needs))


def check_chains(machine: Definition) -> None:
    """Refuse a machine in which a state may start that needs a chain of one that runs.

    What a machine needs as a state counts only when it starts, since its first states may be over later. A state that
    is optional, or whose failure for that reason is caught, may be told that the chain is busy.

    Raises:
        MachineError: With the two states, the chain, and the messages that lead there.
    """
    states = list(machine.states.values())
    chains = [chain for state in states for chain in state.behavior.needs]
    if len(chains) == len(set(chains)):
        return
    begin = _Situation()
    starts = [transition for transition in machine.transitions if transition.at_start]
    waiting, seen = (
        deque(_settled(machine, each) for each in _follow_all(machine, begin, starts, "start")),
        set[object](),
    )
    while waiting:
        situation = waiting.popleft()
        if situation.key in seen:
            continue
        if len(seen) == BOUND:
            warnings.warn(
                f"{machine.name} has too many sets of states that may run together; of {len(states)} states, "
                f"{BOUND} sets were checked for common chains",
                RuntimeWarning,
                stacklevel=2,
            )
            return
        seen.add(situation.key)
        waiting.extend(_next(machine, situation))


@dataclass(frozen=True)
class _Situation:
    """A set of live states, and how the machine got there."""

    live: tuple[tuple[State, str], ...] = ()
    said: frozenset[tuple[Transition, Trigger]] = frozenset()
    granted: tuple[str, bool] | None = None
    path: tuple[str, ...] = ()
    caught: bool = field(default=False, compare=False)
    followed: tuple[Transition, ...] = field(default=(), compare=False)  # that catch the failure being delivered
    spent: frozenset[Transition] = frozenset()  # that have a bound, and may have been followed as often as that
    started: tuple[tuple[State, Transition, tuple[str, ...]], ...] = field(default=(), compare=False)

    @property
    def key(self) -> object:
        return frozenset(self.live), self.said, self.granted, self.spent

    def where(self, state: State) -> str | None:
        return dict(self.live).get(state)

    def moved(self, state: State, where: str | None) -> _Situation:
        others = tuple(item for item in self.live if item[0] is not state)
        return replace(self, live=others if where is None else (*others, (state, where)))


def _next(machine: Definition, situation: _Situation) -> Iterator[_Situation]:
    for state, where in situation.live:
        for messages, then in _telling(machine, state, where):
            yield from _say(machine, situation.moved(state, then), state, messages, over=then is None)
    for transition in machine.transitions:
        if transition.monitor is not None:
            for granted, holds in _grant(situation, transition.monitor):
                if holds:
                    for after in _follow(granted, transition, repr(transition)):
                        yield _settled(machine, after)


def _telling(machine: Definition, state: State, where: str | None) -> Iterator[tuple[Said, str | None]]:
    """What a state can say next that makes a difference, and where its run stands then.

    That is what somebody waits for; that a machine has begun, since it then may give its chains back; and its end, if
    it makes a difference that it can start again. Whatever else it says, its run is taken to stand where it stood.
    """
    heard = {kind for each in machine.transitions for x in each.triggers if x.state is state for kind in x.kinds}
    if getattr(state.behavior, "states", None):
        heard.add(_K.PLANNING_STARTED)
    while where is not None:
        further = None
        for messages, then in _STEPS[where].items():
            if heard & set(messages) or (then is None and (heard or state.behavior.needs or state.final)):
                yield messages, then
            elif then not in (None, where):
                further = then
        where = further


def _say(machine: Definition, situation: _Situation, state: State, messages: Said, over: bool) -> Iterator[_Situation]:
    """All that can come of a state saying some messages in one breath."""
    situations = [situation]
    for message in messages:
        situations = [after for before in situations for after in _deliver(machine, before, state, message)]
    for after in situations:
        ends = state.final and (state.optional or _K.TASK_SUCCESSFUL in messages)
        if not (over and ends and after.where(state) is None):
            yield _settled(machine, after)


def _deliver(machine: Definition, situation: _Situation, state: State, message: MessageKind) -> Iterator[_Situation]:
    words = f"{state.name} {message.value}"
    heard = [t for t in machine.transitions if any(x.state is state and message in x.kinds for x in t.triggers)]
    if message not in FAILED:
        yield from _follow_all(machine, _note(situation, heard, state, message, None), heard, words)
        return
    kinds = {kind for transition in heard for trigger in transition.triggers for kind in trigger.failures}
    for kind in (None, *sorted(kinds)):
        fitting = bounded_first(t for t in heard if any(_fits(x, state, message, kind) for x in t.triggers))
        before = replace(_note(situation, fitting, state, message, kind), caught=False, followed=())
        for after in _follow_all(machine, before, fitting, words):
            if after.caught or state.optional:
                yield after


def _fits(trigger: Trigger, state: State, message: MessageKind, kind: FailureKind | None) -> bool:
    return trigger.state is state and message in trigger.kinds and (not trigger.failures or kind in trigger.failures)


def _note(
    situation: _Situation, heard: list[Transition], state: State, message: MessageKind, kind: FailureKind | None
) -> _Situation:
    noted = {(t, x) for t in heard if len(t.triggers) > 1 for x in t.triggers if _fits(x, state, message, kind)}
    return replace(situation, said=situation.said | noted)


def _follow_all(
    machine: Definition,
    situation: _Situation,
    transitions: list[Transition],
    words: str,
) -> list[_Situation]:
    situations = [situation]
    for transition in transitions:
        situations = [after for before in situations for after in _follow_or_not(machine, before, transition, words)]
    return situations


def _follow_or_not(
    machine: Definition,
    situation: _Situation,
    transition: Transition,
    words: str,
) -> Iterator[_Situation]:
    if len(transition.triggers) > 1:
        if any((transition, trigger) not in situation.said for trigger in transition.triggers):
            yield replace(situation, caught=True)
            return
        situation = replace(situation, said=situation.said - {(transition, trigger) for trigger in transition.triggers})
    if any(map(transition.gives_way_to, situation.followed)):
        yield situation
        return
    if transition in situation.spent:
        yield situation
    for granted, holds in _grant(situation, transition.when):
        if holds:
            yield from _follow(granted, transition, words)
        else:
            yield granted


def _grant(situation: _Situation, condition: Condition | None) -> Iterator[tuple[_Situation, bool]]:
    """Whether a condition may hold; nothing where that would take a second one for granted."""
    if condition is None:
        yield situation, True
        return
    wanted = True
    while isinstance(condition, Not):
        condition, wanted = condition.parts[0], not wanted
    if situation.granted is None:
        for value in (True, False):
            yield replace(situation, granted=(repr(condition), value)), value is wanted
    elif situation.granted[0] == repr(condition):
        yield situation, situation.granted[1] is wanted


def _follow(situation: _Situation, transition: Transition, words: str) -> Iterator[_Situation]:
    if transition.fail is not None:
        return
    running = [state for state, where in situation.live if where != _QUITTING]
    if set(running) & set(transition.stop) or set(transition.start) - set(running):
        situation = replace(situation, path=tuple(dict.fromkeys([*situation.path, words])))
    for state in transition.stop:
        if state in running:
            situation = situation.moved(state, None if situation.where(state) == "idle" else _QUITTING)
    for state in transition.start:
        if situation.where(state) in (None, _QUITTING):
            situation = situation.moved(state, "idle")
            situation = replace(situation, started=(*situation.started, (state, transition, situation.path)))
    if transition.catches and transition.times is not None:
        situation = replace(situation, spent=situation.spent | {transition})
    yield replace(situation, caught=True, followed=(*situation.followed, transition))


def _settled(machine: Definition, situation: _Situation) -> _Situation:
    """Check what all messages said in one breath have started, and is not stopped again; it runs from then on."""
    for state, transition, path in situation.started:
        if situation.where(state) == "idle" and must_start(machine, state):
            _check_start(machine, situation, transition, state, path)
    return replace(situation, started=())


def _check_start(
    machine: Definition, situation: _Situation, transition: Transition, state: State, path: tuple[str, ...]
) -> None:
    for other, where in situation.live:
        if other is state:
            return  # those after it start later
        if where in (_QUITTING, _SILENT):
            continue
        owned = other.behavior.needs if where == "idle" else _needs_throughout(other.behavior)
        common = [chain for chain in state.behavior.needs if chain in owned]
        if common:
            raise mistake(
                f"states '{other.name}' and '{state.name}' of {machine.name} may run together, and both need the "
                f"chain '{common[0]}': {', then '.join(path)}. Start '{state.name}' later, stop "
                f"'{other.name}' first, or declare '{state.name}' optional",
                transition.line,
                other.line,
                state.line,
            )


def must_start(machine: Definition, state: State, kind: FailureKind = FailureKind.CHAIN_BUSY) -> bool:
    """Whether it ends the machine when this state fails to start for such a reason."""
    return not state.optional and not any(
        _fits(trigger, state, MessageKind.TASK_FAILED_TO_START, kind)
        for transition in machine.transitions
        if transition.fail is None
        for trigger in transition.triggers
    )


def _needs_throughout(behavior: type[TaskBehavior]) -> tuple[str, ...]:
    return () if getattr(behavior, "states", None) else behavior.needs
