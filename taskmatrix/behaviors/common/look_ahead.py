"""Looking ahead along a plan for what has come into its way since it was made."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.perception import Percept

from .pace import Pace
from .tolerances import DISPLACED

EVERY = 0.1  # [s] it looks
LAG = 0.2  # [s] that the robot is behind what it is told, at most
SAMPLES = 6  # of the way ahead that are looked at
TURNED = np.deg2rad(2.0)  # [rad] an object that has turned by so much is at another place


class LookAhead:
    """Looks as far ahead as a robot goes on when it brakes; the guard sees no further than the next step.

    Args:
        context: Robot and world.
        path: Whose plan it is, for failures.
        pace: The plan's, which begins now.
        goal: Id of the object that the plan leads to, which may be touched; None if there is none.
    """

    def __init__(self, context: Context, path: str, pace: Pace, goal: str | None = None) -> None:
        self._context, self._path, self._pace, self._goal = context, path, pace, goal
        self._before = dict(context.perception.percepts)
        self._looked = -np.inf
        self._found: Failure | None = None

    def find(self) -> Failure | None:
        """What has come into the way that lies ahead; asked once a control step."""
        now = self._context.clock.now()
        if now - self._looked >= EVERY:
            self._looked = now
            self._found = self._look()
        return self._found

    def _look(self) -> Failure | None:
        moved = {id for id, seen in self._context.perception.percepts.items() if self._has_moved(id, seen)}
        if not moved:
            return None
        pace, skills = self._pace, self._context.skills
        times = np.linspace(0.0, pace.braking_time() / 2.0 + LAG, SAMPLES + 1)[1:]
        for q in pace.trajectory.sample(pace.time + times)[0]:
            contact = skills.collision(pace.trajectory.indices, q)
            met = moved.intersection(contact.pair) if contact else set()
            if contact and met:
                facts = {"pair": contact.pair, "distance": contact.distance}
                ahead = Failure(FailureKind.COLLISION, "look-ahead", f"{' and '.join(contact.pair)} would touch", facts)
                return Failure(FailureKind.COLLISION, self._path, f"'{min(met)}' has come into the way", cause=ahead)
        return None

    def _has_moved(self, id: str, seen: Percept) -> bool:
        """Whether something that nobody holds is elsewhere than when the plan was made."""
        before = self._before.get(id)
        if before is seen or seen.held_by is not None or id == self._goal:
            return False
        if before is None:
            return True
        moved, turned = pose_error(before.X_WO, seen.X_WO)
        return moved > DISPLACED or turned > TURNED
