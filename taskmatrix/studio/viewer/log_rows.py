"""The log of a viewer: a row for every event that is worth a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taskmatrix.session.event_text import event_text

Row = tuple[int, float, int, str, str, str, str]
MOST = 200_000  # rows that are kept
LONGEST = 4000  # characters of a row's text


class LogRows:
    """Rows ``(index, time, step, kind, source, text, level)``; the oldest are forgotten when there are too many.

    Attributes:
        first: Index of the oldest row.
    """

    def __init__(self, most: int = MOST) -> None:
        self.first = 0
        self._rows: list[Row] = []
        self._most = most

    @property
    def end(self) -> int:
        """Index of the next row."""
        return self.first + len(self._rows)

    def add(self, event: Mapping[str, Any]) -> None:
        """Write a row for an event."""
        text, level = event_text(event["kind"], event["data"])
        if len(text) > LONGEST:
            text = text[:LONGEST] + " ..."
        self._rows.append((self.end, event["time"], event["step"], event["kind"], event["source"], text, level))
        if len(self._rows) > self._most:
            gone = self._most // 10 or 1
            del self._rows[:gone]
            self.first += gone

    def piece(self, begin: int, most: int) -> list[Row]:
        """At most so many rows from an index on, or from the oldest if that is later."""
        start = max(begin - self.first, 0)
        return self._rows[start : start + most]
