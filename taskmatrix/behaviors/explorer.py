"""What explorers have in common: a map of space, and care for what is not in it yet (thesis 4.3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.machine import Machine
from taskmatrix.core.parameter import Parameter

from .bounds import wrong_region

SWEEPS = 3  # of the head from side to side in a scan: six rows, which overlap in images 35 degrees high


class Explorer(Machine):
    """Base of machines that explore: as long as one runs, space that nobody has seen is in the way.

    An explorer takes a map, which perception with a depth camera makes. Whatever else plans meanwhile keeps off unseen
    space too; at the end that is as it was before.
    """

    duration = Parameter(float, default=60.0, minimum=0.0, doc="[s] how long")
    period = Parameter(float, default=6.0, minimum=0.1, doc="[s] of the scan; longer where the head takes longer")
    width = Parameter(float, default=1.0, minimum=0.0, maximum=2.5, doc="[rad] of the scan, to each side")
    up = Parameter(float, default=0.4, minimum=-1.5, maximum=1.5, doc="[rad] of the scan, above the horizon")
    down = Parameter(float, default=1.1, minimum=-1.5, maximum=1.5, doc="[rad] of the scan, below the horizon")
    xmin = Parameter(float, default=None, doc="[m] of the region in which the base stays; no bound unless given")
    ymin = Parameter(float, default=None, doc="[m] the same")
    xmax = Parameter(float, default=None, doc="[m] the same")
    ymax = Parameter(float, default=None, doc="[m] the same")

    def required_chains(self) -> Sequence[str] | Failure:
        """None; the states have the base and the head. There has to be a map."""
        if self.context.skills.occupancy is None:
            message = "there is no map of space to explore for; perception with a depth camera makes one"
            return self.fail(FailureKind.NOT_ABLE, message)
        return wrong_region(self) or ()

    def plan(self) -> Failure | None:
        """Let unseen space be in the way, and start."""
        self._avoided = self.context.skills.avoid_unseen(True)
        return super().plan()

    def finish(self) -> None:
        """Let it be as it was."""
        super().finish()
        self.context.skills.avoid_unseen(self._avoided)


SCANNED: dict[str, Any] = {
    "period": Explorer.period,
    "width": Explorer.width,
    "up": Explorer.up,
    "down": Explorer.down,
    "sweeps": SWEEPS,
}
"""Parameters of an explorer's scans."""
