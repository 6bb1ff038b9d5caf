"""From any configuration to one near it where constraints of hands are kept (Berenson, Srinivasa and Kuffner 2011)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import HandConstraint, HandsTogether, Indices, Kept
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array

from ..kinematics.kinematics import Kinematics
from ..kinematics.load import Load

ROUNDS = 30  # steps of Newton's method at most
AMPLE = math.radians(1.0)  # of a tilt that is allowed, or half of it; left for the curve between two configurations
NEAR = 1e-4  # [m, rad] what is off by less is kept
DAMPING = 1e-6  # [m^2, rad^2] where the joints hardly move what is off
SPARE = 0.03  # of a motor's torque that a projected configuration needs less than may be; for the curve between
TINY = 1e-4  # [rad, m] between two of which a gradient is the difference
EVERY = 0.02  # [s] a motion is looked at
KEPT = (
    2e-3,
    math.radians(1.0),
)  # [m], [rad] what a finished motion is off by at most; an angle only if less is allowed


class Projection:
    """Keeps constraints with some joints, the others standing still.

    Args:
        kinematics: Of the robot.
        constraints: What is kept.
        q: (n,) Where the others stand.
        joints: (k,) Joints that may move.
        weights: (k,) [m/rad, m/m] The metric in which the nearest is looked for.
        lower: (k,) [rad, m] Limits.
        upper: (k,)
        loads: What the arms have to be able to hold.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        constraints: Sequence[Kept],
        q: Array,
        joints: Indices,
        weights: Array,
        lower: Array,
        upper: Array,
        loads: Sequence[Load] = (),
    ) -> None:
        self._kinematics, self._joints, self._q = kinematics, joints, q.copy()
        self._lower, self._upper, self._mobility = lower, upper, weights**-2.0
        self._loads = loads
        self._constraints = constraints
        self._together = [each for each in constraints if isinstance(each, HandsTogether)]
        alone = [each for each in constraints if isinstance(each, HandConstraint)]
        self._of = {each.hand: [c for c in alone if c.hand == each.hand] for each in alone}

    def __call__(self, x: Array) -> Array | None:
        """(k,) A configuration near x (k,) where all is kept; None if none was found."""
        x = x.copy()
        for _ in range(ROUNDS):
            off, J = self._rows(x)
            if not len(off):
                return x
            lever = J * self._mobility
            step = lever.T @ np.linalg.solve(lever @ J.T + DAMPING * np.eye(len(off)), off)
            x = np.clip(x - step, self._lower, self._upper)
        return None

    def nearly(self, x: Array) -> bool:
        """Whether all is kept at x (k,) within half of :data:`KEPT`."""
        self._q[self._joints] = x
        if any(load.share(self._kinematics, self._q) > load.limit for load in self._loads):
            return False
        half = KEPT[0] / 2, KEPT[1] / 2
        return not broken(self._kinematics, self._constraints, self._q, half)

    def _rows(self, x: Array) -> tuple[Array, Array]:
        """(r,) [m, rad] What is off, and (r, k) how that changes with the joints."""
        self._q[self._joints] = x
        off, rows = list[float](), list[Array]()
        for hand, constraints in self._of.items():
            placement, J = self._kinematics.placement_and_jacobian(hand, self._q, self._joints)
            X_WH = placement.homogeneous
            R = X_WH[:3, :3]
            for each in constraints:
                tilted = each.tilted(X_WH)
                inside = each.tilt - min(AMPLE, each.tilt / 2)
                if each.axis is not None and each.direction is not None and tilted > inside + NEAR:
                    normal = np.cross(R.T @ each.direction, each.axis)
                    sine = max(float(np.linalg.norm(normal)), NEAR)
                    off.append(tilted - inside)
                    rows.append((normal / sine) @ J[3:])
                outside = each.outside(X_WH)
                wrong = np.flatnonzero(np.abs(outside) > NEAR)
                if len(wrong) and each.point is not None and each.X_WB is not None:
                    moves = each.X_WB[:3, :3].T @ R @ (J[:3] + np.cross(J[3:].T, each.point).T)
                    off += outside[wrong].tolist()
                    rows += list(moves[wrong])
        for both in self._together:
            here, J_H = self._kinematics.placement_and_jacobian(both.hand, self._q, self._joints)
            other, J_O = self._kinematics.placement_and_jacobian(both.other, self._q, self._joints)
            wanted = here * pin.SE3(both.X_HO)
            error = pin.log6(other.actInv(wanted)).vector
            if np.abs(error).max() > NEAR:
                off += error.tolist()
                rows += list(other.actInv(here).action @ J_H - J_O)
        for load in self._loads:
            excess = load.shares(self._kinematics, self._q) - load.limit
            over = np.flatnonzero(excess > 0.0)
            if len(over):
                off += (excess[over] + SPARE).tolist()
                rows += list(self._gradient(load)[over])
        return np.array(off), np.array(rows)

    def _gradient(self, load: Load) -> Array:
        """(a, k) [1/rad, 1/m] How the shares of the arm's motors change with the joints."""
        q = self._q.copy()
        here, columns = load.shares(self._kinematics, q), list[Array]()
        for joint in self._joints:
            q[joint] += TINY
            columns.append((load.shares(self._kinematics, q) - here) / TINY)
            q[joint] -= TINY
        return np.column_stack(columns)


def broken(
    kinematics: Kinematics,
    constraints: Sequence[Kept],
    q: Array,
    slack: tuple[float, float] = (NEAR, NEAR),
) -> str:
    """Which constraint is not kept at joint positions q (n,), and by how much; empty if all are.

    Args:
        kinematics: Of the robot.
        constraints: What is to be kept.
        q: (n,) [rad, m]
        slack: [m] By which a point may be outside, and [rad] angle that is always allowed.
    """
    for each in constraints:
        X_WH = kinematics.pose(each.hand, q)
        if isinstance(each, HandsTogether):
            off, angle = pose_error(X_WH @ each.X_HO, kinematics.pose(each.other, q))
            if off > max(2 * NEAR, slack[0]) or angle > max(2 * NEAR, slack[1]):
                return each.words(off, angle)
            continue
        off, angle = each.excess(X_WH)
        if off > slack[0] or angle > max(NEAR, slack[1] - each.tilt):
            return each.words(X_WH)
    return ""


def first_broken(
    kinematics: Kinematics,
    constraints: Sequence[Kept],
    sample: Callable[[float], Array],
    duration: float,
    loads: Sequence[Load] = (),
) -> str:
    """Which constraint a motion breaks, where it does so first; empty if it keeps all within :data:`KEPT`.

    Args:
        kinematics: Of the robot.
        constraints: What is to be kept.
        sample: From a time [s] to joint positions (n,).
        duration: [s] Of the motion.
        loads: What the arms have to be able to hold all along.
    """
    times = np.linspace(0.0, duration, 2 + math.ceil(duration / EVERY))
    for time in times:
        q = sample(float(time))
        lost = broken(kinematics, constraints, q, KEPT) or _given_in(kinematics, loads, q)
        if lost:
            return lost
    return ""


def _given_in(kinematics: Kinematics, loads: Sequence[Load], q: Array) -> str:
    """Which motor cannot hold at q (n,) what a hand holds, not even with what is left for moving; empty if all can."""
    return next(filter(None, (load.excess(kinematics, q, SPARE) for load in loads)), "")
