"""Drive straight back (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

from typing import ClassVar

from taskmatrix.core.base.parameter import Parameter

from .drive import Drive


class Reverse(Drive):
    """Drive straight back for a short way, or until an obstacle or the edge of the region is near."""

    distance = Parameter(float, default=0.5, minimum=0.0, doc="[m] furthest")

    sense: ClassVar[float] = -1.0
