"""What a check of a robot found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from taskmatrix.core.base.failure import plain

PASSES, FAILS, UNABLE, TOLD = "passes", "fails", "not able", "told"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    part: str
    """Of the check: ``adapter``, ``skills``, ``postures and motions``, ``reach`` or ``behaviors``."""
    name: str
    """What was looked at."""
    verdict: str
    """``passes``, ``fails``, ``not able`` where the robot lacks what it takes, ``told`` where nothing is judged."""
    text: str
    """What was found, a clause without a final stop."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Measured, with the unit in the name."""

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON has it."""
        data: dict[str, Any] = plain(asdict(self))  # type: ignore[assignment]
        return data


def judged(part: str, name: str, passes: bool, text: str, **figures: float) -> Finding:
    """A finding that passes or fails."""
    return Finding(part, name, PASSES if passes else FAILS, text, figures)
