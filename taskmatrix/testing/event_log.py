"""What a run told: a list of events that answers the questions of a test."""

from __future__ import annotations

from collections.abc import Iterable

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.message import Message, MessageKind, grammar_violation

from .event_match import EventMatch, is_telling, listed
from .event_queries import EventQueries, EventQuery, is_from

__tracebackhide__ = True  # pytest shows where a test asked, not how it is answered
NEAREST = 8  # events that are told where none is what was asked for
LIKE = 2  # that an event at least is like what was asked for, to be told


class EventLog(list[Event], EventQueries[EventMatch]):
    """The events of a run in their order, with questions that a test asks; a reader of the event stream.

    A question gives the first event that answers it. Where there is none, the error tells the nearest.

    Args:
        events: What was told so far.
        run: The log that it is a part of, which begins there at event ``first``.
        first: As in ``run``.

    Example:
        >>> from taskmatrix.behaviors import Pickup
        >>> from taskmatrix.testing import Bench, box_percept
        >>> bench = Bench([box_percept("cup", (0.5, 0.1, 0.9))])
        >>> outcome = bench.run(Pickup(object="cup"))
        >>> reached = bench.events.succeeded("reach")
        >>> print(reached.before(bench.events.started("grasp")))
        'reach' succeeded (at 4.50 s, step 450)
        >>> bench.events.never.failed("fixate")
        >>> len(bench.events.every.started("reach"))
        1
    """

    def __init__(self, events: Iterable[Event] = (), run: EventLog | None = None, first: int = 0) -> None:
        super().__init__(events)
        self._run, self._first = run, first

    def __call__(self, event: Event) -> None:
        """Keep an event."""
        self.append(event)

    def __repr__(self) -> str:
        """In short: a test that fails shows what it compares."""
        if not self:
            return "<EventLog: nothing>"
        return f"<EventLog: {len(self)} events from {self[0].time:.2f} s to {self[-1].time:.2f} s>"

    @property
    def never(self) -> Never:
        """The same questions, where nothing must answer them."""
        return Never(self)

    @property
    def every(self) -> Every:
        """The same questions, answered by all events that do; by none, maybe."""
        return Every(self)

    def since(self, match: EventMatch) -> EventLog:
        """The events after something that happened."""
        return self._between(match.number + 1, self._first + len(self))

    def until(self, match: EventMatch) -> EventLog:
        """The events before something that happened."""
        return self._between(self._first, match.number)

    def messages(self, source: str | None = None) -> list[str]:
        """What a behavior said, in order; without a name, what all said, each after its sender."""
        told = [(event.source, str(event.data["message"])) for event in self if event.kind == "message"]
        return [message if source else f"{sender} {message}" for sender, message in told if source in (None, sender)]

    def violation(self, complete: bool = True) -> str | None:
        """What breaks the grammar of the messages first, or None; ``complete`` demands that all runs have ended."""
        told = [event for event in self if event.kind == "message"]
        messages = [Message(MessageKind(event.data["message"]), event.source, event.time) for event in told]
        return grammar_violation(messages, complete)

    def find(self, question: EventQuery) -> list[EventMatch]:
        """All events that answer a question."""
        return [
            EventMatch(question.words, event, self._first + number, self._run or self)
            for number, event in enumerate(self)
            if is_from(event, question.source) and question.matches(event)
        ]

    def nearest(self, question: EventQuery) -> str:
        """What there is instead of an answer."""
        sources = dict.fromkeys(event.source for event in self if event.kind != "step")
        spoke = any(is_from(event, question.source) for event in self)
        ranked = [(_likeness(event, question), number) for number, event in enumerate(self)]
        best = sorted(ranked, key=lambda rank: (-rank[0], rank[1]))[:NEAREST]
        told = listed([self[number] for number in sorted(number for likeness, number in best if likeness >= LIKE)])
        nobody = "" if spoke or question.source is None else f"\n{not_found('source', question.source, sources)}"
        return nobody + (f"\nnearest:\n{told}" if told else "\nnothing like it was told")

    def _ask(self, question: EventQuery) -> EventMatch:
        found = self.find(question)
        if not found:
            raise AssertionError(f"no event{self._span()} tells that {question.words}{self.nearest(question)}")
        return found[0]

    def _span(self) -> str:
        """In words, which part of a run it is."""
        if self._run is None:
            return ""
        return f" from {self[0].time:.2f} s to {self[-1].time:.2f} s" if self else " of none"

    def _between(self, begin: int, end: int) -> EventLog:
        """Events of the run by their numbers."""
        run = self._run or self
        return EventLog(run[begin:end], run, begin)


class Never(EventQueries[None]):
    """Questions that no event of a log must answer.

    Args:
        log: The log.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def _ask(self, question: EventQuery) -> None:
        found = self._log.find(question)
        if found:
            often = "" if len(found) == 1 else f", {len(found)} times"
            raise AssertionError(f"{question.words}{often}:\n{listed([each.event for each in found[:NEAREST]])}")


class Every(EventQueries[list[EventMatch]]):
    """Questions that any number of events of a log may answer.

    Args:
        log: The log.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def _ask(self, question: EventQuery) -> list[EventMatch]:
        return self._log.find(question)


def _likeness(event: Event, question: EventQuery) -> int:
    """How much an event is like what was asked for."""
    said = event.data.get("message") if event.kind == "message" else event.kind
    asked = said in question.kinds
    if not (asked or is_telling(event)):
        return 0
    same_source = question.source is not None and is_from(event, question.source)
    failure = isinstance(event.data.get("failure"), Failure) and "failure" in question.kinds
    return LIKE * same_source + LIKE * asked + failure
