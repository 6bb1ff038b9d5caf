"""Between two commands: where the joints should be at each step of the physics."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.arbiter import Command
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

CONSISTENT = 0.02  # [rad/s] or [m/s] by which a command's velocity may differ from what its position says


class Reference:
    """A cubic through positions and velocities of the commands.

    Args:
        q: (n,) Where the joints are at rest.
    """

    def __init__(self, q: Array) -> None:
        self.q = np.array(q, dtype=float)
        """(n,) Where the last command wants the joints."""
        self._v = np.zeros(len(q))
        self._before = self.q.copy()

    def towards(self, command: Command, dt: float, steps: int) -> tuple[Array, Array, Array]:
        """The way to a command.

        A velocity that does not belong to the positions, as after a filter that cut them, is replaced by their
        difference.

        Args:
            command: Where to be at the end of the control step.
            dt: [s] The control step.
            steps: Steps of the physics in it.

        Returns:
            Positions, velocities and accelerations (steps, n) at the beginning of each step, as differences of the
            positions: a body with these accelerations comes to exactly these positions.
        """
        mean = (command.q - self.q) / dt
        agrees = np.abs(mean - (self._v + command.v) / 2) < CONSISTENT
        v: Array = np.where(agrees, command.v, mean)
        s = np.arange(1, steps + 1)[:, None] / steps
        cubic = s * s * (3 - 2 * s)
        path = self.q + cubic * (command.q - self.q) + dt * s * (1 - s) * ((1 - s) * self._v - s * v)
        points = np.vstack([self._before, self.q, path])
        self._before, self.q, self._v = points[-2].copy(), points[-1].copy(), v
        h = dt / steps
        velocities = np.diff(points, axis=0) / h
        return points[1:-1], velocities[:-1], np.diff(velocities, axis=0) / h

    def restart(self, joints: Indices, q: Array) -> None:
        """Begin anew for some joints, at rest at positions q (k,)."""
        self.q[joints] = self._before[joints] = q
        self._v[joints] = 0.0
