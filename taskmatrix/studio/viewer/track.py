"""Events of which only the last before a time matters, kept undecoded."""

from __future__ import annotations

from bisect import bisect_right


class Track:
    """The bodies of such events by time, thinned out where they get too many.

    Args:
        most: [bytes] Of all bodies; above it, of the older half every second one is forgotten.
    """

    def __init__(self, most: int) -> None:
        self.times: list[float] = []
        self._numbers: list[int] = []
        self._bodies: list[bytes] = []
        self._most, self._size = most, 0

    def __len__(self) -> int:
        return len(self.times)

    def add(self, number: int, time: float, body: bytes) -> None:
        """Keep an event; numbers and times [s] go up."""
        self._numbers.append(number)
        self.times.append(time)
        self._bodies.append(body)
        self._size += len(body)
        if self._size > self._most and len(self) > 3:
            self._thin()

    def until(self, time: float) -> int:
        """How many happened until a time [s]."""
        return bisect_right(self.times, time)

    def at(self, index: int) -> tuple[int, bytes]:
        """Number and body of one."""
        return self._numbers[index], self._bodies[index]

    def _thin(self) -> None:
        half = len(self) // 2
        gone = sum(map(len, self._bodies[1:half:2]))
        for values in (self.times, self._numbers, self._bodies):
            del values[1:half:2]
        self._size -= gone
