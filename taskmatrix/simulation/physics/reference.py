"""Between two commands: where the joints should be at each step of the physics."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

CONSISTENT = 0.02  # [rad/s] or [m/s] by which a command's velocity may differ from what its position says
MOST = 1e6  # [rad/s], [m/s^2], and so on: as much as there will be
ROUNDING = 1e-9  # [rad/s] or [m/s]
BRAKES = 0.8  # of the acceleration that is allowed, with which a joint comes to where it was not taken at once


class Reference:
    """A cubic through positions and velocities of the commands.

    A joint that a command wants to start or to stop more quickly than is allowed - after commands that came late, or
    where a filter held it - goes on from how it moves, and comes to its command as soon as it may: never so fast that
    it could not brake on the way that is left.

    Args:
        q: (n,) Where the joints are at rest.
        velocity: (n,) [m/s, rad/s] At most, of a joint that comes to its command later; any unless given.
        acceleration: (n,) [m/s^2, rad/s^2] At most; any unless given.
    """

    def __init__(self, q: Array, velocity: Array | None = None, acceleration: Array | None = None) -> None:
        self.q = np.array(q, dtype=float)
        """(n,) Where the joints are wanted at the end of the last step: where they were commanded, if they may."""
        boundless = np.full(len(q), MOST)
        self._velocity = boundless if velocity is None else velocity
        self._acceleration = boundless if acceleration is None else acceleration
        self._told = self.q.copy()  # by the last command
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
        quick = np.abs(v - self._v) > self._acceleration * dt + ROUNDING
        later = self._later(command, dt)
        q, v = np.where(quick, later[0], command.q), np.where(quick, later[1], v)
        self._told = command.q.copy()
        s = np.arange(1, steps + 1)[:, None] / steps
        cubic = s * s * (3 - 2 * s)
        path = self.q + cubic * (q - self.q) + dt * s * (1 - s) * ((1 - s) * self._v - s * v)
        points = np.vstack([self._before, self.q, path])
        self._before, self.q, self._v = points[-2].copy(), points[-1].copy(), v
        h = dt / steps
        velocities = np.diff(points, axis=0) / h
        return points[1:-1], velocities[:-1], np.diff(velocities, axis=0) / h

    def _later(self, command: Command, dt: float) -> tuple[Array, Array]:
        """Positions and velocities (n,) after a control step of ``dt`` [s] with accelerations that are allowed."""
        off, rate = self._told - self.q, (command.q - self._told) / dt
        back = np.minimum(np.abs(off) / dt, np.sqrt(2 * BRAKES * self._acceleration * np.abs(off)))
        wanted = np.clip(rate + np.sign(off) * back, -self._velocity, self._velocity)
        most = self._acceleration * dt
        v: Array = self._v + np.clip(wanted - self._v, -most, most)
        return self.q + (self._v + v) / 2 * dt, v

    def restart(self, joints: Indices, q: Array, v: Array | float = 0.0, step: float = 0.0) -> None:
        """Begin anew for some joints, at positions q (k,) with velocities v (k,), after a physics step of so long."""
        self.q[joints] = self._told[joints] = q
        self._before[joints] = q - v * step
        self._v[joints] = v
