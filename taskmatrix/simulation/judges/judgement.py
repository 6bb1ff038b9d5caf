"""What a judge found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Judgement:
    """What a judge found about one run."""

    success: bool
    """Whether everything asked for holds."""
    reason: str
    """The first thing that does not; empty on success."""
    check: str = ""
    """Which check does not hold: ``claim``, ``goal``, ``handling``, ``limits``, ``kept`` or ``contact``; else empty."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """What was measured: ``steps``, the worst ``acceleration`` as a share of its limit, and what the behavior's judge
    adds, in metres and radians."""
