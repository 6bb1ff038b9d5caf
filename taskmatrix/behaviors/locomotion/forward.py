"""Drive straight ahead (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

from typing import ClassVar

from .drive import Drive


class Forward(Drive):
    """Drive straight ahead until an obstacle or the edge of the region is near."""

    sense: ClassVar[float] = 1.0
