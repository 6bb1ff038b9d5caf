"""What goes through the pipe from a run to its viewer: frames with a head that says when and what, without decoding."""

from __future__ import annotations

import struct
from typing import NamedTuple

HEAD = struct.Struct("<cHIQ")
"""The head: what it is, bytes of the source's name, bytes of the body, and the time [ns]."""
STEP, TREE, MAP = b"s", b"t", b"m"  # events of which only the last one before a time matters
EVENT = b"e"  # any other
HELLO, SCENE, STATUS, REFUSAL = b"h", b"c", b"r", b"x"
LAST_MATTERS = (STEP, TREE, MAP)
_KINDS = {"step": STEP, "tree": TREE, "map": MAP}
NANO = 1e9  # [1/s]


class Frame(NamedTuple):
    """One piece of what a run tells its viewer."""

    kind: bytes
    """One of this module's letters."""
    time: float
    """[s] On the clock of the run; 0 where it does not matter."""
    source: str
    """Path of the behavior, or name of the part, that tells it; empty where it does not matter."""
    body: bytes
    """JSON, or gzipped JSON for a scene."""

    def packed(self) -> bytes:
        """As bytes for a pipe."""
        source = self.source.encode()
        return HEAD.pack(self.kind, len(source), len(self.body), round(self.time * NANO)) + source + self.body


def kind_of(event_kind: str) -> bytes:
    """The letter of a kind of event."""
    return _KINDS.get(event_kind, EVENT)


def unpacked_head(head: bytes) -> tuple[bytes, int, int, float]:
    """What a head says: the kind, the lengths [bytes] of source and body, and the time [s]."""
    kind, source, body, time = HEAD.unpack(head)
    return kind, source, body, time / NANO
