"""Skill 3: what goes to the arbiter, within which limits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.plans import Indices, TaskObjective, Trajectory
from taskmatrix.core.world.objects import Array

from ..shared_state import SharedState
from ..trajectories.trajectory import Limits, time_parameterise
from .momentum_observer import MomentumObserver


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
        impedance: Impedance | None = None,
    ) -> None:
        """Send a command to joints that ``owner`` has been granted."""
        zero = np.zeros(len(joints))
        v, a = (zero if values is None else values for values in (v, a))
        self._arbiter.command(owner, joints, q, v, a, objective, impedance)

    def weight(self, q: Array | None = None) -> Array:
        """What holds the robot, with what its hands hold, still against gravity, (n,)."""
        q = self._state.q if q is None else np.asarray(q, dtype=float)
        total = self._kinematics.weight(q)
        for load in self._loads().values():
            total = total + load.torques(self._kinematics, q)
        return total

    def mass_matrix(self, q: Array | None = None) -> Array:
        """Inertia of the joints, with what the hands hold, (n, n)."""
        q = self._state.q if q is None else np.asarray(q, dtype=float)
        total = self._kinematics.mass_matrix(q)
        for load in self._loads().values():
            J = load.jacobian(self._kinematics, q)
            total = total + load.mass * J.T @ J
        return total

    def too_heavy(self, hand: str, object: str, q: Array | None = None) -> str:
        """Which motor of the arm an object is too heavy for, held or taken where it is, at joint positions q (n,)."""
        q = self._state.q if q is None else np.asarray(q, dtype=float)
        load = self._load(hand, object, self._state.q if self.held(hand) == object else q)
        return "" if load is None else load.excess(self._kinematics, q)

    def contact_torque(self) -> Array | None:
        """With which contacts turn the joints, (n,); None where the plant senses no torques of the motors."""
        if self._state.torque is None:
            return None
        if self._observer is None:
            self._observer = MomentumObserver(self.robot)
            self._observer.carry(self._loads())
            self._observer.observe(self._state, 0.0)
        return self._observer.torque.copy()

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
