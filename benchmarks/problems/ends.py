"""Start and goal configurations of planning problems: hands where they are wanted, everything free."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pinocchio as pin

from .models import Checker
from .rows import Array

CLOSE = 1e-3
"""[m] Of a hand to the point where it is wanted."""


class Ends:
    """Searches configurations of one robot in one world.

    Args:
        checker: Says what is free.
        tips: Links that are hands.
        random: Where all numbers come from.
        driven: Whether the first three joints are those of a base, which then starts near where the robot stands.
    """

    def __init__(self, checker: Checker, tips: Sequence[str], random: np.random.Generator, driven: bool) -> None:
        self._checker, self._random, self._driven = checker, random, driven
        self._frames = [checker.model.getFrameId(tip) for tip in tips]

    def search(self, points: Callable[[], Array], tries: int, steps: int) -> Array | None:
        """A free configuration (n,) with the hands at points, or None.

        Args:
            points: Draws where the hands are wanted, (k, 3) [m].
            tries: Draws of points and of configurations to start from.
            steps: Of damped least squares in each.
        """
        model = self._checker.model
        for _ in range(tries):
            wanted = np.atleast_2d(points())
            q = self._random.uniform(model.lowerPositionLimit, model.upperPositionLimit)
            if self._driven:
                q[:3] = [self._random.uniform(*span) for span in ((-0.3, 0.8), (-0.6, 0.6), (-0.8, 0.8))]
            q, residual = self._moved(q, wanted, steps)
            if residual < CLOSE and not self._checker.hits(q):
                return q
        return None

    def _moved(self, q: Array, wanted: Array, steps: int) -> tuple[Array, float]:
        model, data, frames = self._checker.model, self._checker.data, self._frames
        residual = np.inf
        for _ in range(steps):
            pin.framesForwardKinematics(model, data, q)
            error = (wanted - [data.oMf[frame].translation for frame in frames]).ravel()
            residual = float(np.linalg.norm(error))
            if residual < CLOSE:
                break
            axes = pin.LOCAL_WORLD_ALIGNED
            J = np.vstack([pin.computeFrameJacobian(model, data, q, frame, axes)[:3] for frame in frames])
            step = J.T @ np.linalg.solve(J @ J.T + 1e-4 * np.eye(len(J)), error)
            q = np.clip(q + step, model.lowerPositionLimit, model.upperPositionLimit)
        return q, residual


def straight(checker: Checker, start: Array, goal: Array, samples: int = 80) -> bool:
    """Whether the straight line is free: no problem at all."""
    return not checker.edge_hits(start, goal, samples=samples)
