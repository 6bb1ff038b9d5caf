"""What is served when two recordings are shown side by side."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

import orjson

from ..recording import Recording, compare, differences, summary
from .viewer import Run
from .watch import Encoded


@dataclass
class Shown:
    """A run, or a recording, that a server shows."""

    run: Run
    """What happened, and happens."""
    scene: bytes
    """``scene.json``, gzipped or not."""
    encoded: Encoded = field(default_factory=Encoded)
    """Shared by those who look at it."""


@dataclass(frozen=True)
class Beside:
    """A second recording, to be shown beside the first."""

    shown: Shown
    """The second."""
    differences: bytes
    """``differences.json``, see :func:`account`."""


def account(first: Recording, second: Recording) -> bytes:
    """Where two recordings differ, as JSON: their ``names``, a ``summary``, and ``rows`` of what differs."""
    found = compare(first, second)
    rows = [asdict(each) for each in differences(found)]
    return orjson.dumps({"names": found.names, "same": found.same, "summary": summary(found), "rows": rows})
