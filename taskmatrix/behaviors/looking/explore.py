"""Look and walk about, to see as much of the surroundings as there is time for (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

from taskmatrix.core.machines.machine import State, start

from ..locomotion.random_walk import RandomWalk
from .explorer import SCANNED, Explorer
from .scan import Scan


class Explore(Explorer):
    """Walk at random and scan all the while; what is seen goes into the map, and what is not seen is kept off."""

    scan = State(Scan, **SCANNED, optional=True)
    walk = State(
        RandomWalk,
        duration=Explorer.duration,
        xmin=Explorer.xmin,
        ymin=Explorer.ymin,
        xmax=Explorer.xmax,
        ymax=Explorer.ymax,
        final=True,
    )

    transitions = (start(scan), start(walk))
