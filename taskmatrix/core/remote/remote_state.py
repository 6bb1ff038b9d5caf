"""The states that arrive of a component of another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..base.failure import Failure
from ..base.wire import WireError, decode


@dataclass(frozen=True)
class RemoteState:
    """What is known of a component of another process."""

    by: str
    """Which process tells it."""
    number: int
    """Of the state; later ones have larger numbers."""
    state: str
    """``active``, ``achieved``, ``failed`` or ``inactive``; or its mode."""
    achieved: bool
    """Whether what it is there for is achieved."""
    failure: Failure | None
    """Why it cannot go on."""
    values: Mapping[str, Any]
    """Its public attributes, by name."""
    arrived: float
    """[s] When, on the clock of the run here."""


class StateReader:
    """Reads the states that arrive, and keeps the last.

    Of two processes that tell the state of one component, the one that was heard first is believed until it is lost.

    Args:
        at: Where the component is.
        lost_after: [s] Without a word, after which another process is believed.

    Attributes:
        known: The last state, None before the first.
        problem: Why what arrived last could not be used; empty if it could.
    """

    def __init__(self, at: str, lost_after: float) -> None:
        self._at, self._lost_after = at, lost_after
        self.known: RemoteState | None = None
        self.problem = ""
        self._told: set[str] = set()

    def read(self, data: bytes, now: float) -> str | None:
        """Read a state that arrived at ``now`` [s].

        Returns:
            None where it is the last now, else why it is not; empty where that was said before, or goes without saying.
        """
        try:
            state = _state(decode(data), now)
        except (WireError, LookupError, TypeError) as error:
            return self._tell(f"what comes from there cannot be read: {error}")
        known = self.known
        if known is not None and state.by != known.by and now - known.arrived <= self._lost_after:
            return self._tell(f"two processes serve '{self._at}'; the first is believed")
        if known is not None and state.by == known.by and state.number <= known.number:
            return ""
        self.known, self.problem = state, ""
        return None

    def _tell(self, problem: str) -> str:
        self.problem = problem
        if problem in self._told or len(self._told) > 20:
            return ""
        self._told.add(problem)
        return problem


def _state(said: Any, now: float) -> RemoteState:
    """The state in a message, checked."""
    failure = Failure.from_dict(said["failure"]) if said["failure"] is not None else None
    by, number, state, values = said["by"], said["number"], said["state"], said["values"]
    checks = {"by": (by, str), "number": (number, int), "state": (state, str), "values": (values, dict)}
    for name, (value, type) in checks.items():
        if not isinstance(value, type):
            raise WireError(f"'{name}' is {value!r:.50}")
    return RemoteState(by, number, state, bool(said["achieved"]), failure, values, now)
