"""Time is an argument: a clock that is simulated, and one that is real."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """What the executive and the behaviors ask for the time."""

    @property
    def simulated(self) -> bool:
        """Whether time passes only when the executive says so."""
        ...

    @property
    def late(self) -> float:
        """[s] By which it was too late when it was last to wait: that of the present control step."""
        ...

    def now(self) -> float:
        """[s] Since the clock was made."""
        ...

    def sleep_until(self, when: float) -> float:
        """Return at ``when`` [s], or at once if it has passed.

        Returns:
            [s] How late it is, 0 if on time.
        """
        ...


class SimulatedClock:
    """Stands still until it is told to go on; nothing waits."""

    simulated = True
    late = 0.0

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """[s] The simulated time."""
        return self._now

    def sleep_until(self, when: float) -> float:
        """Jump to ``when`` [s]; never late."""
        self._now = max(self._now, when)
        return 0.0


class RealClock:
    """The monotonic clock of the machine; who pauses a run holds it."""

    simulated = False

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._held: float | None = None
        self.late = 0.0

    def now(self) -> float:
        """[s] Since the clock was made, without the time for which it was held."""
        return (time.monotonic() if self._held is None else self._held) - self._start

    def hold(self) -> None:
        """Stop the time; it goes on from here with :meth:`resume`."""
        if self._held is None:
            self._held = time.monotonic()

    def resume(self) -> None:
        """Go on from where it was held."""
        if self._held is not None:
            self._start += time.monotonic() - self._held
            self._held = None

    def sleep_until(self, when: float) -> float:
        """Sleep until ``when`` [s]; returns how late it is [s]."""
        remaining = when - self.now()
        self.late = max(-remaining, 0.0)
        if remaining > 0:
            time.sleep(remaining)
        return self.late
