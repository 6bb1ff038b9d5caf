"""States that a machine cannot do without: what they require of the robot, the machine requires."""

from __future__ import annotations

from functools import lru_cache

from ..base.failure import FailureKind
from ..base.message import MessageKind
from .chain_conflicts import must_start
from .state import State, Trigger
from .transition import Definition, Transition

_UNABLE = (MessageKind.TASK_FAILED_TO_START, MessageKind.TASK_COMPLETE)  # what a state says that is not able


@lru_cache(maxsize=1024)
def mandatory_states(machine: Definition, starts: tuple[Transition, ...]) -> tuple[State, ...]:
    """States without which no way leads from the start of a machine to a successful end, in their order.

    A state that is not able says that it failed to start, and nothing else. That ends the machine, unless the state is
    optional or a transition catches it; wherever it does not, all other messages and guards are taken to be possible.

    Args:
        machine: Its definition.
        starts: The start transitions that are followed.
    """
    if not _succeeds(machine, starts, None):
        return ()  # whatever the robot
    return tuple(state for state in machine.states.values() if not _succeeds(machine, starts, state))


def _succeeds(machine: Definition, starts: tuple[Transition, ...], unable: State | None) -> bool:
    """Whether a machine may end with success although one of its states is not able."""
    ends = unable is not None and must_start(machine, unable, FailureKind.NOT_ABLE)
    if ends and any(unable in transition.start for transition in starts):
        return False
    reached = {state for transition in starts for state in transition.start}
    before = -1
    while before < len(reached):
        before = len(reached)
        for transition in machine.transitions:
            leads_on = not (transition.at_start or transition.fail or (ends and unable in transition.start))
            if leads_on and all(_may_be_said(trigger, reached, unable) for trigger in transition.triggers):
                reached.update(transition.start)
    return any(state.final and (state is not unable or state.optional) for state in reached)


def _may_be_said(trigger: Trigger, reached: set[State], unable: State | None) -> bool:
    if trigger.state is not unable:
        return trigger.state in reached
    fits = not trigger.failures or FailureKind.NOT_ABLE in trigger.failures
    return trigger.state in reached and fits and bool(set(trigger.kinds) & set(_UNABLE))
