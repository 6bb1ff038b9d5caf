"""Tells on the stream of events what the map of space shows."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.world.occupancy import OCCUPIED

from .octree import Octree

EVERY = 0.5  # [s] at most


class MapPublisher:
    """Tells the occupied space when it has changed, now and then; called once a control step.

    An event ``map`` has the ``size`` [m] of a cell, and ``boxes`` (m, 6), lower and upper corners [m] of boxes of many
    cells that fill the occupied space above the ground.

    Args:
        octree: The map.
        events: Where it is told.
        clock: The time.
    """

    def __init__(self, octree: Octree, events: EventStream, clock: Clock) -> None:
        self._octree, self._events, self._clock = octree, events, clock
        self._told = (-math.inf, 0)

    def __call__(self) -> None:
        """Tell it if it is another map than the last, and that was a while ago."""
        now, (then, version) = self._clock.now(), self._told
        if self._octree.version == version or now < then + EVERY - 1e-9:
            return
        self._told = now, self._octree.version
        boxes = self._octree.boxes(OCCUPIED)
        corners = np.hstack([boxes.low, boxes.high])
        self._events.emit("map", "map", size=self._octree.resolution, boxes=corners)
