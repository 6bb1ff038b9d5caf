"""SearchNet: looks for the net (BICA VI)."""

from __future__ import annotations

import math

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.components.part import Part

from .head import Head
from .seeing import Seeing
from .sweep import Sweep, levels

HIGHEST, LOWEST = math.radians(2.0), math.radians(30.0)  # below the horizon, where the middle of a net may be
THERE = math.radians(10.0)  # off the net where it should be seen
SETTLED = 0.3  # [s] after which a head that has arrived has done so here
NOW = 0.2  # [s] since it was seen: the scan is complete


class SearchNet(Seeing, frequency=10.0):
    """Looks where the net was seen last, or else sweeps with the eyes, until it sees it or has looked everywhere.

    Where the head does not turn to where the net was seen, that counts.

    Attributes:
        complete: Whether the scan is complete; then
        found: whether it is known where the net is.
    """

    pace = Parameter(float, default=1.5, minimum=0.1, doc="[rad/s] of the head")

    head = Part(Head)

    complete = found = False

    def started(self) -> None:
        """Begin a new scan, without having found the net."""
        self.complete, self.found = False, False
        self._sweep: Sweep | None = None

    def inform(self) -> None:
        """Ask for the net."""
        self.perception.step()

    def work(self) -> bool:
        """Move the sweep on, and note whether the net is seen."""
        knows = self.perception
        if self.complete:
            return True
        if knows.net_age <= NOW:
            self.complete = self.found = True
        elif knows.net_known:
            there = knows.net_direction
            turns = abs(there.pan) <= self.head.widest
            if turns:
                self.head.pan, self.head.tilt = there.pan, there.tilt
            arrived = self.elapsed > SETTLED and self.head.arrived
            if not turns or arrived or self.head.looks_at(there.pan, there.tilt, THERE):
                self.complete = self.found = True
        else:
            if self._sweep is None:
                self._sweep = Sweep(self.head, levels(HIGHEST, min(LOWEST, self.head.lowest)))
            self._sweep.go(self.head, self.pace)
            self.complete = self._sweep.over
        return self.complete

    def act(self) -> None:
        """Step the head, which turns the view."""
        self.head.step()
