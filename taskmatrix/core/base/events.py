"""The one stream on which everything that happens is told; viewers, recorders and tests are its readers."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .clock import Clock
from .failure import plain

CTRL_C = "interrupted by Ctrl-C"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Event:
    """One thing that happened."""

    time: float
    """[s] On the clock of the run."""
    step: int
    """Number of the control step in which it happened."""
    kind: str
    """``program`` (what is going to run), ``run``, ``message``, ``parameters`` (with which a behavior starts),
    ``transition``, ``condition`` (when its answer is another), ``grant``, ``release``, ``plan``, ``planning``,
    ``replan``, ``motion``, ``blocked``, ``attach``, ``detach``, ``slip`` and ``lost`` (of what a hand holds),
    ``failure``, ``recovery`` (from the failure of a state), ``tree``, ``contest`` (of two that modulate one component),
    ``schedule`` and ``load`` (of activation trees), ``reflex`` (which takes the robot back), ``distances`` (to
    whoever asked for them), ``solid`` (of an object with which collisions are ignored), ``object`` (of which only the
    robot knows, and what it looks like), ``perception``, ``map`` (of space), ``overrun``, ``remote`` (of other
    processes), ``moved`` and ``adjusted`` (by who looks), ``outcome`` or ``step`` (the plant's own truth,
    or what is sensed and perceived, and what was commanded, once every step)."""
    source: str
    """Path of the behavior, or name of the part, that tells it."""
    data: Mapping[str, object]
    """The facts."""

    def to_json(self) -> str:
        """The event as one line of JSON."""
        return json.dumps(
            {"time": round(self.time, 9), "step": self.step, "kind": self.kind, "source": self.source}
            | {"data": plain(dict(self.data))}
        )


Reader = Callable[[Event], None]


class EventStream:
    """Delivers events to readers in the order in which they happen: what a reader tells comes after what it is told.

    A reader that raises is taken off the stream, with a word in the log: a broken viewer does not stop a robot. A
    Ctrl-C in a reader is noted, and waits until all readers have been told and the executive asks.

    Attributes:
        step: Number of the present control step.
        interrupted: Whether somebody wants the run to end.
        interrupted_by: Who does, for the failure with which it ends.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._readers: list[Reader] = []
        self._waiting: deque[Event] = deque()
        self._telling = False
        self.step = 0
        self.interrupted = False
        self.interrupted_by = CTRL_C

    def subscribe(self, reader: Reader) -> Callable[[], None]:
        """Add a reader; the function returned takes it off again."""
        self._readers.append(reader)

        def unsubscribe() -> None:
            if reader in self._readers:
                self._readers.remove(reader)

        return unsubscribe

    def emit(self, kind: str, source: str, /, **data: object) -> None:
        """Tell all readers; called by a reader, when all have been told what it was told."""
        self._waiting.append(Event(self._clock.now(), self.step, kind, source, data))
        if self._telling:
            return
        self._telling = True
        try:
            while self._waiting:
                self._tell(self._waiting.popleft())
        finally:
            self._telling = False

    def _tell(self, event: Event) -> None:
        for reader in tuple(self._readers):
            try:
                reader(event)
            except KeyboardInterrupt:
                self.interrupted = True
            except Exception:
                if reader in self._readers:
                    self._readers.remove(reader)
                _log.exception("a reader of the event stream raised and was taken off: %r", reader)
