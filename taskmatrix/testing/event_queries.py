"""Questions that a test asks about what a run told."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind, readable
from taskmatrix.core.base.message import FAILED, MessageKind

__tracebackhide__ = True  # pytest shows where a test asked, not how it is answered
ANY_ORDER = ("pair",)  # facts that are the same the other way round
ALIKE = 1e-9  # relative difference of numbers that are the same

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


@dataclass(frozen=True)
class EventQuery:
    """What a test looks for."""

    words: str
    """As a clause: ``'reach' failed``."""
    source: str | None
    """Whose events: a path, or the end of one; None for anybody's."""
    kinds: tuple[str, ...]
    """Of events, and of messages."""
    matches: Callable[[Event], bool]
    """Whether an event is one of those."""


class EventQueries(ABC, Generic[T]):
    """Questions about what a run told; those who inherit say what they make of the events that are found.

    Behaviors are named by their paths or the ends of those: ``reach`` is also ``pickup/reach``.
    """

    def started(self, source: str) -> T:
        """That a behavior started: its ``planning-started``."""
        return self.sent(source, MessageKind.PLANNING_STARTED, words="started")

    def succeeded(self, source: str) -> T:
        """That a behavior succeeded: its ``task-successful``."""
        return self.sent(source, MessageKind.TASK_SUCCESSFUL, words="succeeded")

    def quit(self, source: str) -> T:
        """That a behavior was forced to quit."""
        return self.sent(source, MessageKind.FORCE_QUIT, words="was forced to quit")

    def ended(self, source: str) -> T:
        """That a behavior ended, however: its ``task-complete``."""
        return self.sent(source, MessageKind.TASK_COMPLETE, words="ended")

    def sent(self, source: str, message: str | MessageKind, *, words: str = "", **data: object) -> T:
        """That a behavior sent a message.

        Args:
            source: Its path, or the end of it.
            message: One of the fixed set.
            words: What that means, for the words of an error.
            **data: What the message carries, such as the outputs of a ``parameter-set``.

        Raises:
            NotFoundError: There is no such message.
        """
        kind = _member(MessageKind, "message", message).value
        told = words or f"said {kind}{_with(data)}"

        def matches(event: Event) -> bool:
            return event.kind == "message" and event.data.get("message") == kind and _has(event.data, data)

        return self._ask(EventQuery(f"'{source}' {told}", source, ("message", kind), matches))

    def failed(self, source: str, kind: str | FailureKind | None = None, *, saying: str = "", **facts: object) -> T:
        """That a behavior or a component failed.

        Args:
            source: Its path, or the end of it.
            kind: Of the failure; any unless given.
            saying: What is in the words of the failure or of what led to it.
            **facts: That the failure or something that led to it has: ``pair=("left_hand", "table")``, in any order.

        Raises:
            NotFoundError: There is no such kind of failure.
        """
        expected = None if kind is None else _member(FailureKind, "kind of failure", kind)
        why = ({"kind": expected.value} if expected else {}) | ({"saying": saying} if saying else {}) | facts
        failures = tuple(message.value for message in FAILED)

        def matches(event: Event) -> bool:
            told = event.data.get("message") in failures or (event.kind == "failure" and not event.data.get("optional"))
            return told and _is_failure(event, expected, saying, facts)

        return self._ask(EventQuery(f"'{source}' failed{_with(why)}", source, ("failure", *failures), matches))

    def held(self, source: str, *, saying: str = "", **facts: object) -> T:
        """That the commands of a behavior were held back, because robot or world was in the way.

        Args:
            source: Its path, or the end of it.
            saying: As in :meth:`failed`.
            **facts: As in :meth:`failed`.
        """

        def matches(event: Event) -> bool:
            return event.kind == "blocked" and _is_failure(event, None, saying, facts)

        return self._ask(EventQuery(f"'{source}' was held{_with(facts)}", source, ("blocked",), matches))

    def switched(
        self,
        source: str | None = None,
        *,
        start: str | None = None,
        stop: str | None = None,
        trigger: str | None = None,
    ) -> T:
        """That a machine followed a transition, or a component went to another mode.

        Args:
            source: Path of the machine, or the end of it; any unless given.
            start: A state that it started.
            stop: A state that it stopped.
            trigger: In words: ``reach task-successful``.
        """
        asked = {"start": start, "stop": stop, "trigger": trigger}
        given = {key: value for key, value in asked.items() if value is not None}

        def matches(event: Event) -> bool:
            found = event.kind == "transition" and trigger in (None, event.data.get("trigger"))
            return found and all(given[key] in _names(event.data.get(key)) for key in ("start", "stop") if key in given)

        words = f"'{source}' switched" if source else "something switched"
        return self._ask(EventQuery(words + _with(given), source, ("transition",), matches))

    def emitted(self, kind: str, source: str | None = None, **data: object) -> T:
        """That there was an event.

        Args:
            kind: Of the event; see :class:`~taskmatrix.core.base.events.Event`.
            source: Who told it: a path or the end of one; anybody unless given.
            **data: Facts that it has.
        """

        def matches(event: Event) -> bool:
            return event.kind == kind and _has(event.data, data)

        who = f"'{source}'" if source else "somebody"
        return self._ask(EventQuery(f"{who} told '{kind}'{_with(data)}", source, (kind,), matches))

    @abstractmethod
    def _ask(self, question: EventQuery) -> T:
        """Answer a query."""


def is_from(event: Event, source: str | None) -> bool:
    """Whether an event is of a path, or of one with that end."""
    return source is None or event.source == source or event.source.endswith(f"/{source}")


def _is_failure(event: Event, kind: FailureKind | None, saying: str, facts: Mapping[str, object]) -> bool:
    """Whether an event carries a failure that is of a kind, or because of one, and has facts and words somewhere."""
    failure = event.data.get("failure")
    if not isinstance(failure, Failure):
        return False
    chain = list(failure.chain())
    return (
        (kind is None or any(each.kind is kind for each in chain))
        and (not saying or any(saying in each.message for each in chain))
        and (all(any(_has(each.facts, {key: fact}) for each in chain) for key, fact in facts.items()))
    )


def _has(data: object, expected: Mapping[str, object]) -> bool:
    """Whether data has such facts."""
    return all(
        isinstance(data, Mapping) and key in data and _same(key, data[key], fact) for key, fact in expected.items()
    )


def _same(key: str, value: object, expected: object) -> bool:
    """Whether two facts are the same: numbers nearly, lists and tuples alike, a pair the other way round, too."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(expected, np.ndarray):
        expected = expected.tolist()
    if isinstance(value, (list, tuple)) and isinstance(expected, (list, tuple, set, frozenset)):
        if key in ANY_ORDER or isinstance(expected, (set, frozenset)):
            return sorted(map(str, value)) == sorted(map(str, expected))
        return len(value) == len(expected) and all(_same("", *both) for both in zip(value, expected, strict=True))
    if isinstance(value, (float, np.floating)) and isinstance(expected, (int, float)):
        return math.isclose(value, expected, rel_tol=ALIKE, abs_tol=ALIKE)
    return bool(value == expected)


def _names(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else ()


def _member(kinds: type[E], noun: str, name: object) -> E:
    """A member of an enumeration by its value."""
    known = {each.value: each for each in kinds}
    value = name.value if isinstance(name, Enum) else name
    if value not in known:
        raise NotFoundError(noun, str(value), known)
    return known[value]


def _with(facts: Mapping[str, object]) -> str:
    """Facts as a part of a sentence."""
    return f" ({'; '.join(f'{key} {readable(fact)}' for key, fact in facts.items())})" if facts else ""
