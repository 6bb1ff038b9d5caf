"""States of a machine, their messages and their outputs: the nouns in the body of a machine (thesis 3.5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..base.errors import MachineError, ParameterError, not_found
from ..base.failure import Failure, FailureKind
from ..base.message import FAILED, Message, MessageKind
from ..base.names import spelled
from ..base.source import caller
from ..behavior.behavior import TaskBehavior


class UnknownMessageError(MachineError, AttributeError):
    """What is asked of a state is neither a message nor an output of it."""


@dataclass(frozen=True, eq=False)
class Trigger:
    """A message of a state that a transition waits for."""

    state: State
    """Whose message."""
    kinds: tuple[MessageKind, ...]
    """Any of these."""
    failures: tuple[FailureKind, ...] = ()
    """A failure of these kinds; of any kind if there are none."""

    @spelled
    def __call__(self, kind: str | FailureKind | Sequence[str | FailureKind] = ()) -> Trigger:
        """Only failures whose root is of a kind, or of one of several: ``reach.failed(kind="collision")``."""
        if not set(self.kinds) <= set(FAILED):
            what = f"only a failure has a kind, not {self.description}, which is written without parentheses"
            raise MachineError(f"{what}; ask for a kind with failed(kind=...)")
        if not isinstance(kind, (str, Iterable)):
            raise MachineError(
                f"{self.description}(kind=...) takes the name of a kind of failure or several, not {kind!r}"
            )
        names = [kind] if isinstance(kind, str) else list(kind)
        if not names:
            known = ", ".join(FailureKind)
            raise MachineError(f"{self.description}(kind=...) names no kind of failure. There are: {known}")
        try:
            return replace(self, failures=tuple(FailureKind(name) for name in names))
        except ParameterError as error:
            raise MachineError(str(error)) from None

    def matches(self, state: State, message: Message) -> bool:
        """Whether a message of a state is what is waited for."""
        if state is not self.state or message.kind not in self.kinds:
            return False
        failure = message.data.get("failure")
        return not self.failures or (isinstance(failure, Failure) and failure.root.kind in self.failures)

    def overlaps(self, other: Trigger) -> bool:
        """Whether some message is waited for by both."""
        failures = not self.failures or not other.failures or set(self.failures) & set(other.failures)
        return self.state is other.state and bool(set(self.kinds) & set(other.kinds) and failures)

    @property
    def description(self) -> str:
        """``failed`` or the name of the message, with the kinds of failure: ``failed (collision, timeout)``."""
        name = "failed" if self.kinds == FAILED else " or ".join(kind.value for kind in self.kinds)
        return f"{name} ({', '.join(kind.value for kind in self.failures)})" if self.failures else name

    def __repr__(self) -> str:
        return f"{self.state.name} {self.description}"


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
        self.line = caller()

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
