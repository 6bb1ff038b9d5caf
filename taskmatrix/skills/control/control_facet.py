"""Skill 3: what goes to the arbiter, within which limits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import Indices, TaskObjective, Trajectory
from taskmatrix.core.world.objects import Array

from ..shared_state import SharedState
from ..trajectories.trajectory import Limits, time_parameterise


class ControlFacet(SharedState):
    """Implements :class:`~taskmatrix.core.robot.skills.control.ControlSkills`."""

    def command(
        self,
        owner: str,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
    ) -> None:
        """Send a command to joints that ``owner`` has been granted."""
        zero = np.zeros(len(joints))
        self._arbiter.command(owner, joints, q, zero if v is None else v, zero if a is None else a, objective)

    def straight(self, goal: Mapping[int, float], duration: float) -> Trajectory | Failure:
        """A straight line of joints to positions within the limits of velocity and acceleration; not checked."""
        joints = np.array(sorted(goal), dtype=np.intp)
        path = np.array([self._state.q[joints], [goal[int(index)] for index in joints]])
        limits = Limits.of(self.robot, joints)
        return time_parameterise([path], joints, limits, self._kinematics.displacement[joints], duration)

    def limits(self) -> tuple[Array, Array, Array, Array]:
        """Lower, upper, velocity and acceleration limits, (n,) each."""
        robot = self.robot
        return robot.lower, robot.upper, robot.velocity, robot.acceleration

    @property
    def holonomic(self) -> bool:
        """Whether the base can move in any direction; if not, it only turns and rolls along its heading."""
        return not self.robot.rolls
