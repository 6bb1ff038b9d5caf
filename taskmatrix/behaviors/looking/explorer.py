"""What explorers have in common: a map of space, and care for what is not in it yet (thesis 4.3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.machines.machine import Machine
from taskmatrix.core.world.occupancy import UNKNOWN

from ..common.bounds import region_of, wrong_region

SWEEPS = 3  # of the head from side to side in a scan: six rows, which overlap in images 35 degrees high

AROUND = 2.0  # [m] of where it begins, in which its share is reckoned
NEWS = 0.01  # of the space there that is seen for the first time, at least,
ENOUGH = 0.5  # unless so much of it is known


class Explorer(Machine):
    """Base of machines that explore: as long as one runs, space that nobody has seen is in the way.

    An explorer takes a map, which perception with a depth camera makes. Whatever else plans meanwhile keeps off unseen
    space too; at the end that is as it was before. It fails with ``not_achieved`` where next to nothing new was seen
    and much is still unknown.
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

    seen = Output(float, doc="[-] share of the space around where it began that is known in the end")

    def required_chains(self) -> Sequence[str] | Failure:
        """None; the states have the base and the head. There has to be a map."""
        if self.context.skills.occupancy is None:
            message = "there is no map of space to explore for; perception with a depth camera makes one"
            return self.fail(FailureKind.NOT_ABLE, message)
        return wrong_region(self) or ()

    def plan(self) -> Failure | None:
        """Let unseen space be in the way, and start."""
        self._place = self.context.skills.position()[:2]
        self._before = self._known()
        self._avoided = self.context.skills.avoid_unseen(True)
        return super().plan()

    def achieved(self) -> Failure | bool:
        """Whether it has seen something new, or most was known; how much that is now is told."""
        known = self._known()
        self.publish(seen=known)
        if known - self._before >= NEWS or known >= ENOUGH:
            return True
        message = f"nothing new was seen: {known:.0%} of the space within {AROUND:g} m is known, as before"
        return self.fail(FailureKind.NOT_ACHIEVED, message, before=self._before, known=known)

    def _known(self) -> float:
        """The share of the space around the beginning, as high as the robot, that is known; of its region only."""
        skills, region = self.context.skills, region_of(self)
        assert skills.occupancy is not None
        low, high = self._place - AROUND, self._place + AROUND
        if region is not None:
            low = np.clip(low, region.lower[:2], region.upper[:2])
            high = np.clip(high, region.lower[:2], region.upper[:2])
        _, states = skills.occupancy.window(
            np.append(low, skills.occupancy.ground), np.append(high, skills.extent()[1])
        )
        return float(np.mean(states != UNKNOWN)) if states.size else 1.0

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
