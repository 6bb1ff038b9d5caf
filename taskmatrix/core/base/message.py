"""The fixed set of messages by which behaviors tell what happens to them (thesis table 3.1, and ``parameter-set``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum


class MessageKind(str, Enum):
    """What a behavior can say; every run follows the grammar that :func:`grammar_violation` checks."""

    PLANNING_STARTED = "planning-started"
    PLANNING_ENDED = "planning-ended"
    CONTROLLOOP_STARTED = "controlloop-started"
    CONTROLLOOP_ENDED = "controlloop-ended"
    FORCE_QUIT = "force-quit"
    TASK_FAILED = "task-failed"
    TASK_SUCCESSFUL = "task-successful"
    TASK_COMPLETE = "task-complete"
    GOAL_ACHIEVED = "goal-achieved"
    GOAL_FAILED = "goal-failed"
    TASK_FAILED_TO_START = "task-failed-to-start"
    PARAMETER_SET = "parameter-set"


@dataclass(frozen=True)
class Message:
    """One message of one behavior."""

    kind: MessageKind
    """Which of the fixed set."""
    sender: str
    """Path of the behavior that sends it: ``pickup/reach``."""
    time: float
    """[s] When it was sent."""
    data: Mapping[str, object] = field(default_factory=dict)
    """What it carries: the outputs of a ``parameter-set``, the failure of a ``task-failed``."""


FAILED = (MessageKind.TASK_FAILED, MessageKind.TASK_FAILED_TO_START)
"""What ``state.failed`` catches."""

_K = MessageKind
_IN_LOOP = (_K.GOAL_ACHIEVED, _K.GOAL_FAILED, _K.PARAMETER_SET)
_NEXT: dict[str, dict[MessageKind, str]] = {
    "idle": {_K.PLANNING_STARTED: "planning", _K.TASK_FAILED_TO_START: "ending", _K.FORCE_QUIT: "ending"},
    "planning": {_K.PLANNING_ENDED: "planned", _K.FORCE_QUIT: "ending"},
    "planned": {_K.TASK_FAILED_TO_START: "ending", _K.CONTROLLOOP_STARTED: "looping", _K.FORCE_QUIT: "ending"},
    "looping": {_K.CONTROLLOOP_ENDED: "judged", _K.FORCE_QUIT: "ending", **dict.fromkeys(_IN_LOOP, "looping")},
    "judged": {_K.TASK_SUCCESSFUL: "ending", _K.TASK_FAILED: "ending", _K.FORCE_QUIT: "ending"},
    "ending": {_K.TASK_COMPLETE: "idle"},
}


def grammar_violation(messages: Iterable[Message], complete: bool = True) -> str | None:
    """Check messages of any number of behaviors against the grammar of one run.

    ::

        run = task-failed-to-start task-complete
            | planning-started planning-ended (task-failed-to-start
                 | controlloop-started (goal-achieved | goal-failed | parameter-set)*
                   controlloop-ended (task-successful | task-failed))
              task-complete

    A ``force-quit`` may cut in anywhere and is followed by ``task-complete``.

    Args:
        messages: In the order of their emission.
        complete: Also demand that every run has ended.

    Returns:
        What is wrong first, or None.
    """
    states: dict[str, str] = {}
    for message in messages:
        state = states.get(message.sender, "idle")
        allowed = _NEXT[state]
        if message.kind not in allowed:
            wanted = ", ".join(kind.value for kind in allowed)
            return (
                f"{message.sender} sent {message.kind.value} at {message.time:.3f} s while {state}; allowed: {wanted}"
            )
        states[message.sender] = allowed[message.kind]
    if complete:
        for sender, state in states.items():
            if state != "idle":
                return f"{sender} never sent task-complete; it is still {state}"
    return None
