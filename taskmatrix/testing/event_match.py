"""Something that happened in a run, to compare with when something else did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from textwrap import shorten

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, readable

__tracebackhide__ = True  # pytest shows where a test asked, not how it is answered
BETWEEN = 8  # events that are told of those between two
LONGEST = 160  # characters of what an event tells, but for failures
_TELLING = ("message", "transition", "plan", "blocked", "failure", "recovery", "slip", "lost")
_GOALS = ("goal-achieved", "goal-failed")  # one every control step


@dataclass(frozen=True)
class EventMatch:
    """One event that a test asked for."""

    words: str
    """What happened: ``'reach' failed``."""
    event: Event
    """The event that tells it."""
    number: int
    """Of the event in its run."""
    run: Sequence[Event] = field(repr=False, compare=False)
    """All that was told."""

    @property
    def time(self) -> float:
        """[s] When it happened."""
        return self.event.time

    @property
    def failure(self) -> Failure | None:
        """Why, if it is a failure."""
        failure = self.event.data.get("failure")
        return failure if isinstance(failure, Failure) else None

    def before(self, other: EventMatch, within: float | None = None) -> EventMatch:
        """Expect it to have happened before something else, with at most ``within`` [s] between; returns itself.

        Raises:
            AssertionError: It did not; the message has what happened between the two.
            ParameterError: The other is of another run.
        """
        if other.run is not self.run:
            raise ParameterError(f"{self.words} and {other.words} in different runs: there is no order between them")
        wanted = "before" if within is None else f"at most {within:g} s before"
        late = within is not None and other.time - self.time > within + 1e-9
        if self.number >= other.number or late:
            first, last = sorted((self.number, other.number))
            between = _ends([event for event in self.run[first : last + 1] if is_telling(event)])
            raise AssertionError(f"{self} is not {wanted} {other}\nfrom the one to the other:\n{listed(between)}")
        return self

    def after(self, other: EventMatch, within: float | None = None) -> EventMatch:
        """Expect it to have happened after something else; the rest is as for :meth:`before`."""
        other.before(self, within)
        return self

    def __str__(self) -> str:
        return f"{self.words} (at {self.time:.2f} s, step {self.event.step})"


def is_telling(event: Event) -> bool:
    """Whether an event is worth a line of a report that is about others."""
    return event.kind in _TELLING and event.data.get("message") not in _GOALS


def listed(events: Iterable[Event]) -> str:
    """Events as lines of a report."""
    return "\n".join(f"  {event.time:7.2f} s  {event.source:<18} {_told(event)}" for event in events)


def _told(event: Event) -> str:
    message, failure = event.data.get("message"), event.data.get("failure")
    head = event.kind if message is None else str(message)
    if isinstance(failure, Failure):
        return f"{head}: {failure.kind.value}: {failure.explain()}"
    data = {key: fact for key, fact in event.data.items() if key != "message" and _is_brief(fact)}
    return shorten(f"{head}  {readable(data)}", LONGEST, placeholder=" ...") if data else head


def _is_brief(fact: object) -> bool:
    """Whether a fact is worth a word: neither nothing nor an array."""
    return not isinstance(fact, np.ndarray) and fact not in (None, [], (), {})


def _ends(events: Sequence[Event]) -> list[Event]:
    """The first and the last of many."""
    half = BETWEEN // 2
    return [*events[:half], *events[half:][-half:]]
