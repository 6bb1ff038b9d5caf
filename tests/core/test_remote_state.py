"""States that arrive: which is the last, and whose is believed."""

from __future__ import annotations

from typing import Any

from taskmatrix.core.base.wire import encode
from taskmatrix.core.remote.remote_state import StateReader


def state(number: int, by: str = "a", **values: Any) -> bytes:
    """A message with a state."""
    rest = {"state": "active", "achieved": False, "failure": None, "values": values}
    return encode({"by": by, "number": number, **rest})


def test_the_last_state_is_the_one_with_the_largest_number() -> None:
    """One that is overtaken on the way is left out without a word."""
    reader = StateReader("player", 0.5)
    assert reader.read(state(2, x=2), 1.0) is None
    assert reader.read(state(1, x=1), 1.1) == ""
    assert reader.known is not None
    assert (reader.known.values, reader.known.arrived) == ({"x": 2}, 1.0)


def test_another_process_is_believed_once_the_first_is_lost() -> None:
    """Though it counts from the beginning."""
    reader = StateReader("player", 0.5)
    reader.read(state(90), 1.0)
    assert reader.read(state(1, "b"), 1.4) == "two processes serve 'player'; the first is believed"
    assert reader.read(state(2, "b"), 1.5) == ""
    assert reader.read(state(3, "b"), 1.6) is None
    assert reader.known is not None
    assert reader.known.by == "b"


def test_what_cannot_be_read_is_told_once_and_forgotten_with_the_next_good_one() -> None:
    """The last good one stays."""
    reader = StateReader("player", 0.5)
    reader.read(state(1), 1.0)
    assert "cannot be read" in str(reader.read(b"what?", 1.1))
    assert reader.read(b"what?", 1.2) == ""
    assert "cannot be read" in reader.problem
    assert reader.read(state(2), 1.3) is None
    assert reader.problem == ""
