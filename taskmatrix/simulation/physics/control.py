"""Computed torque: inverse dynamics of where the joints should be, with PID on what they are off by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

BANDWIDTH = 60.0  # [rad/s] Natural frequency with which an error dies away, at most
STABLE = 0.2  # [rad] of it in a step of the physics, at most
INTEGRAL = 0.1  # of the cube of the bandwidth, at most: takes out loads that the model does not know
CALM = 0.4  # times the share of a loaded joint's inertia that is its own: an integral of 2 times swings the load
QUICK = 3.0  # of a joint's acceleration limit: a command that leaps is not leapt after
ROUNDING = 1e-9  # [N m] or [N]
STUCK, MOVES = 1e-3, 0.02  # [rad/s] or [m/s] a joint that is slower, and should be faster than that by now, sticks
MOST = 400.0  # [rad/s^2] or [m/s^2] that the integral makes up for


class ComputedTorque:
    """Torques of the active joints that make them follow a reference.

    ``tau = M(q) (a + Kp e + Kd e' + Ki integral e) + h(q, v)`` with Pinocchio's mass matrix M, and h for gravity and
    Coriolis forces; joints that follow others count with those. Of a joint whose torque is at its limit, or that
    sticks, M is multiplied with how it accelerates, not with how it should: the others are not thrown off by it.

    Args:
        robot: The robot.
        model: Its model, with the masses that are simulated.
        dt: [s] A step of the physics.
    """

    def __init__(self, robot: Robot, model: pin.Model, dt: float) -> None:
        self._bare, self._model, self._data = model, model.copy(), model.createData()
        self._S, self._dt, self._carries = robot.S, dt, False
        leaders = np.abs(robot.S).argmax(axis=1)
        ratios = robot.S[np.arange(len(leaders)), leaders]
        self._order = np.argsort(leaders, kind="stable")  # of all joints: who follows the same one is side by side
        self._first = np.searchsorted(leaders[self._order], np.arange(robot.n))
        self._share = np.outer(ratios[self._order], ratios[self._order])
        self._leaders = [model.joints[model.getJointId(name)].idx_v for name in robot.joints]
        self._velocity, self._quick = robot.velocity, QUICK * robot.acceleration
        self._limited = np.isfinite(robot.effort)  # not the base: a constraint holds it, or its wheels drive it
        self._effort: Array = np.where(self._limited, robot.effort, 0.0)
        self._sprung = np.isin(robot.joints, sorted(robot.counterbalanced))
        self._bandwidth = min(BANDWIDTH, STABLE / dt)
        self._integral = np.zeros(robot.n)  # [rad/s^2] or [m/s^2] that makes up for what the model does not know
        self._next = np.zeros(robot.n)  # velocities to which the last torques should have led
        self.strength = 1.0
        """Share of their torques that the motors give at most."""
        self.inertia = np.zeros(robot.n)
        """(n,) [kg m^2, kg] Of the joints in the last step, with all that they carry."""
        self.parts: dict[str, Array] = {}
        """(n,) [N, N m] What the last torques were made of: ``acceleration``, ``feedback`` and ``weight``."""

    @property
    def limits(self) -> Array:
        """(n,) [N, N m] The largest torques that motors give now; infinite where the model has none."""
        return np.where(self._limited, self._effort * self.strength, np.inf)

    def carry(self, loads: Mapping[int, pin.Inertia]) -> None:
        """Count with what the robot carries from now on: its inertia by the joint that carries it, in its frame."""
        self._carries = bool(loads)
        for joint, bare in enumerate(self._bare.inertias):
            self._model.inertias[joint] = bare + loads[joint] if joint in loads else bare

    def torques(
        self,
        q: Array,
        v: Array,
        wanted: tuple[Array, Array, Array],
        passive: Sequence[int] | Indices = (),
        impedance: Impedance | None = None,
    ) -> Array:
        """Torques for one step of the physics.

        Args:
            q: (n_full,) Positions.
            v: (n_full,) Velocities.
            wanted: Positions, velocities and accelerations of the active joints, (n,) each.
            passive: Active joints that something else moves; they take no torque.
            impedance: (n,) How hard joints are driven, where they are not made to follow.

        Returns:
            (n,) [N, N m] Within the limits.
        """
        w, dt, S, speed = self._bandwidth, self._dt, self._S, v[self._leaders]
        error = wanted[0] - q[self._leaders]
        M = self._inertias(self._bare, q)
        gain = np.full(len(error), INTEGRAL) * w**3
        if self._carries:
            own = M.diagonal() / self._inertias(self._model, q).diagonal()
            gain = np.minimum(INTEGRAL, CALM * own) * w**3
        back = w**2 * error + 2 * w * (wanted[1] - speed) + self._integral
        free = list(passive)
        back[free] = 0.0
        ahead = np.clip(wanted[2], -self._quick, self._quick)
        a = np.clip(ahead + back, (-self._velocity - speed) / dt, (self._velocity - speed) / dt)
        a[free] = ahead[free]
        weight = S.T @ pin.rnea(self._model, self._data, q, v, S @ ahead) - M @ ahead
        stuck = (np.abs(speed) < STUCK) & (np.abs(self._next) > MOVES)  # it is pushed all the same, and does not move
        stuck[free] = False
        added = np.zeros(len(error))
        soft = np.zeros(len(error), dtype=bool)
        if impedance is not None:
            soft = impedance.driven
            soft[free] = False
            stuck[soft] = False
            added = np.where(soft, 0.0, np.nan_to_num(impedance.torque))
            a[soft] = self._yielding(impedance.of(soft), soft, (error, wanted[1] - speed), v, (M, weight, a))
        freed = a  # how those that stick would accelerate if they did not
        push, a = np.where(stuck, M.diagonal() * a, 0.0), np.where(stuck, 0.0, a)
        tau = M @ a + weight + push + added
        springs = np.where(self._sprung, weight, 0.0)
        limits = self.limits
        limited: Array = np.clip(tau - springs, -limits, limits) + springs
        weak = np.abs(limited - tau) > ROUNDING
        weak[free] = False
        left = weak & ~stuck
        if left.any():  # they accelerate as their torques let them
            a[left] = np.linalg.solve(
                M[np.ix_(left, left)], (limited - weight)[left] - M[np.ix_(left, ~left)] @ a[~left]
            )
            tau = np.where(weak | stuck, limited, M @ a + weight + added)
            limited = np.clip(tau - springs, -limits, limits) + springs
        self._next = speed + np.where(stuck, freed, a) * dt
        limited[free] = 0.0
        led = ~weak & (np.abs(limited - tau) < ROUNDING)  # where a torque is at its limit the integral waits
        self._integral[free] = self._integral[soft] = 0.0
        self._integral = np.clip(self._integral + np.where(led, gain * error * dt, 0.0), -MOST, MOST)
        self.inertia = np.diag(M).copy()
        self.parts = {"acceleration": M @ ahead, "feedback": M @ (a - ahead), "weight": weight}
        return limited

    def _yielding(
        self, impedance: Impedance, soft: NDArray[np.bool_], off: tuple[Array, Array], v: Array, rest: tuple[Array, ...]
    ) -> Array:
        """(k,) [rad/s^2, m/s^2] How joints accelerate that are springs and dampers, while the others go on as they do.

        Springs and dampers act as at the end of the step, which no stiffness makes unstable (Tan, Liu and Turk, "Stable
        proportional-derivative controllers", 2011).
        """
        M, weight, a = rest
        dt, speed = self._dt, v[self._leaders][soft]
        torque, K, D = (np.nan_to_num(values) for values in (impedance.torque, impedance.stiffness, impedance.damping))
        force = torque + K * (off[0][soft] - speed * dt) + D * off[1][soft]
        others = M[np.ix_(soft, ~soft)] @ a[~soft]
        inertia = M[np.ix_(soft, soft)] + np.diag(D * dt + K * dt**2)
        return np.asarray(np.linalg.solve(inertia, force - weight[soft] - others))

    def _inertias(self, model: pin.Model, q: Array) -> Array:
        """(n, n) [kg m^2, kg] Of the active joints at q (n_full,)."""
        M = np.triu(pin.crba(model, self._data, q))[np.ix_(self._order, self._order)]
        M = (M + M.T - np.diag(M.diagonal())) * self._share
        whole: Array = np.add.reduceat(np.add.reduceat(M, self._first, axis=0), self._first, axis=1)
        return whole
