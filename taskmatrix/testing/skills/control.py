"""Skill 3 of the fake robot: the arbiter really decides."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.plans import (
    Indices,
    TaskObjective,
)
from taskmatrix.core.world.objects import Array

from ..line_trajectory import LineTrajectory
from .state import FakeState


class FakeControl(FakeState):
    """Implements :class:`~taskmatrix.core.robot.skills.control.ControlSkills`."""

    def command(
        self,
        owner: str,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
        impedance: Impedance | None = None,
    ) -> None:
        """To the arbiter, which really decides."""
        zero = np.zeros(len(joints))
        v, a = (zero if values is None else values for values in (v, a))
        self._arbiter.command(owner, joints, q, v, a, objective, impedance)

    def weight(self, q: Array | None = None) -> Array:
        """(n,) Nothing: a fake robot has no masses."""
        return np.zeros(self.robot.n)

    def mass_matrix(self, q: Array | None = None) -> Array:
        """(n, n) Every joint is as if it moved 1 kg, or 1 kg m^2."""
        return np.eye(self.robot.n)

    def too_heavy(self, hand: str, object: str, q: Array | None = None) -> str:
        """Nothing is: no torques are known of its motors."""
        return ""

    def contact_torque(self) -> Array | None:
        """(n,) What a test scripts."""
        return self.touched

    def straight(self, goal: Mapping[int, float], duration: float) -> LineTrajectory:
        """A straight line, stretched to the velocity limits."""
        joints = np.array(sorted(goal), dtype=np.intp)
        begin, end = self._state.q[joints], np.array([goal[int(joint)] for joint in joints])
        fastest = float(np.max(np.abs(end - begin) / self.robot.velocity[joints], initial=0.0))
        return LineTrajectory(joints, begin, end, max(duration, fastest))

    def limits(self) -> tuple[Array, Array, Array, Array]:
        """(n,) each: lower, upper, velocity and acceleration limits."""
        return self.robot.lower, self.robot.upper, self.robot.velocity, self.robot.acceleration

    @property
    def holonomic(self) -> bool:
        """Whether the base can move in any direction."""
        return True
