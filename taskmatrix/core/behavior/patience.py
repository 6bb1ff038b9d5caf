"""Waiting for what moves to get out of the way."""

from __future__ import annotations

import numpy as np

from ..base.failure import Failure, FailureKind
from .context import Context

PAUSE = 2.5  # [s] after which it is tried again
TIMES = 8  # that it waits at most
MOVES = 0.05  # [m/s] what is as fast may be gone soon; slower is noise
IN_THE_WAY = (FailureKind.COLLISION, FailureKind.PLANNER_EXHAUSTED, FailureKind.IK_EXHAUSTED)


class Patience:
    """How often a run still waits where something that moves is in its way, in one of its phases.

    Args:
        context: Of the behavior that runs.
        path: Its name in events.
    """

    def __init__(self, context: Context, path: str) -> None:
        self._context, self._path = context, path
        self._times, self._end = 0, -np.inf

    def waits_for(self, failure: Failure) -> bool:
        """Begin to wait, and tell it, if a failure names something in the way that moves and is in no hand."""
        percepts = self._context.perception.percepts.items()
        moving = [
            id
            for id, percept in percepts
            if percept.held_by is None and np.linalg.norm(percept.velocity[:3]) > MOVES and failure.names(id)
        ]
        if not moving or failure.root.kind not in IN_THE_WAY or self._times >= TIMES:
            return False
        self._times += 1
        self._end = self._context.clock.now() + PAUSE
        self._context.events.emit("wait", self._path, object=moving[0], cause=failure)
        return True

    def lasts(self) -> bool:
        """Whether it waits now."""
        return self._context.clock.now() < self._end
