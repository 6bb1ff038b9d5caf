"""What is served when two recordings are shown side by side."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    """``differences.json``: the ``names`` of both, a ``summary``, and ``rows`` of what differs."""
