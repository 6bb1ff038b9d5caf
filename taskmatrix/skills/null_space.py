"""Several tasks at once: each in what those before it leave free, by a hierarchy of least squares (thesis 6.4)."""

from __future__ import annotations

from collections.abc import Sequence

import daqp
import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array
from taskmatrix.core.policy import Policy, Wish, laid_over
from taskmatrix.core.skillset import VIEW, Indices, SkillSet

NEAR, CLEAR = 0.05, 0.003  # [m] bodies that are nearer come nearer slowly, and at last no nearer
APPROACH = 5.0  # [1/s] of the distance that is left
TUBE = (0.05, 0.25)  # [m, rad] that others may take the base, and other joints, from where the first would have them
BRAKES = 0.9  # of the acceleration limits is braked with before a joint limit


class NullSpace(Policy):
    """Behaviors with one chain move it together: those that come first as they want, the others as far as that allows.

    What counts of a command is its aims: a reach wants the pose of its hand, a fixate the direction of the view, and a
    behavior without aims every joint that it commands. In each control step the least violation of the first aim is
    found, then that of the second among all steps that keep it, and so on; last come the joints that the commands had
    in mind. Limits of position, velocity and acceleration are never violated. Where no joint is commanded by two, the
    commands go out as they are.

    The hierarchy of quadratic programs is DAQP's (Arnström, Bemporad and Axehill, "A dual active-set solver for
    embedded quadratic programming using recursive LDL' updates", 2022).

    Args:
        order: Names of behaviors or components, those that come first before those that come later; all others come
            after them, in the order in which they were granted their chains.

    Raises:
        ParameterError: The names are no strings, or one stands there twice.
    """

    name = "null-space"

    def bind(self, skills: SkillSet, dt: float) -> None:
        """Take kinematics, limits and the control step [s]."""
        self._skills, self._dt = skills, dt
        self._lower, self._upper, self._velocity, self._acceleration = skills.limits()

    def combine(self, wishes: Sequence[Wish], last: Array, before: Array) -> tuple[Array, Array, Array]:
        """The step in which all come as near to what they aim at as those before them allow."""
        counted = np.zeros(len(last), dtype=int)
        for wish in wishes:
            counted[wish.joints] += 1
        if counted.max(initial=0) < 2:
            return laid_over(wishes, last)
        joints = np.flatnonzero(counted)
        column = np.zeros(len(last), dtype=np.intp)
        column[joints] = np.arange(len(joints))
        ranked = self.ranked(wishes)
        levels: list[tuple[Array, Array]] = []
        for wish in ranked:
            levels += [self._aim(frame, wish, last, joints) for frame in wish.aims]
            levels += [] if wish.aims else [_posture(wish, last, column, len(joints))]
        levels += [_posture(wish, last, column, len(joints)) for wish in ranked if wish.aims]
        least, most = self._bounds(joints, last, before)
        near, first = column[ranked[0].joints], ranked[0]
        away, tube = first.q - last[first.joints], np.where(first.joints < 3, TUBE[0], TUBE[1])
        least[near] = np.minimum(np.maximum(least[near], away - tube), most[near])
        most[near] = np.maximum(np.minimum(most[near], away + tube), least[near])
        step = _solve(levels, least, most, self._apart(last, joints))
        q, v, a = last.copy(), np.zeros(len(last)), np.zeros(len(last))
        q[joints] += step
        v[joints] = step / self._dt
        a[joints] = (step - (last - before)[joints]) / self._dt**2
        return q, v, a

    def _aim(self, frame: str, wish: Wish, last: Array, joints: Indices) -> tuple[Array, Array]:
        """Rows (m, k) and right sides (m,) of what brings a frame in a step to where a wish would have it."""
        wanted = last.copy()
        wanted[wish.joints] = wish.q
        X_WF, J = self._skills.differential_kinematics(frame, last)
        X_WG, _ = self._skills.differential_kinematics(frame, wanted)
        twist = pin.log6(pin.SE3(X_WF).actInv(pin.SE3(X_WG))).vector
        first = 4 if frame == VIEW else 0  # the view looks along its x axis: it does not matter how it turns about it
        return J[first:, joints], twist[first:]

    def _bounds(self, joints: Indices, last: Array, before: Array) -> tuple[Array, Array]:
        """(k,) each, the smallest and the largest step within the limits, from which joints can still brake."""
        dt, moving = self._dt, (last - before)[joints]
        change = self._acceleration[joints] * dt**2
        fastest = self._velocity[joints] * dt
        most = np.minimum(fastest, _stopping(np.maximum(self._upper[joints] - last[joints], 0.0), BRAKES * change))
        least = -np.minimum(fastest, _stopping(np.maximum(last[joints] - self._lower[joints], 0.0), BRAKES * change))
        return np.clip(least, moving - change, moving + change), np.clip(most, moving - change, moving + change)

    def _apart(self, last: Array, joints: Indices) -> tuple[Array, Array]:
        """Rows (m, k), and what they are at least (m,), of steps that bring nothing into contact.

        The nearer two bodies are the slower they come nearer (Faverjon and Tournassoud 1987).
        """
        distances, gradients = self._skills.nearer_than(last, NEAR)
        return gradients[:, joints], -APPROACH * self._dt * np.maximum(distances - CLEAR, 0.0)


def _stopping(room: Array, change: Array) -> Array:
    """(k,) The largest steps after which joints come to rest within ``room``, where a step may change by ``change``."""
    steps: Array = np.minimum(room, np.sqrt(change**2 / 4.0 + 2.0 * change * room) - change / 2.0)
    return steps


def _posture(wish: Wish, last: Array, column: Indices, count: int) -> tuple[Array, Array]:
    """Rows (m, k) and right sides (m,) of what brings each joint of a wish to where it wants it."""
    rows = np.zeros((len(wish.joints), count))
    rows[np.arange(len(wish.joints)), column[wish.joints]] = 1.0
    return rows, wish.q - last[wish.joints]


def _solve(levels: Sequence[tuple[Array, Array]], least: Array, most: Array, apart: tuple[Array, Array]) -> Array:
    """(k,) The step between ``least`` and ``most`` (k,) that violates each level least, after those before it.

    What keeps bodies apart comes before all of them.
    """
    count = len(least)
    rows = np.vstack([apart[0], *(A for A, _ in levels)])
    sides = np.concatenate([b for _, b in levels])
    ends = np.cumsum([count, len(apart[1]), *(len(b) for _, b in levels)])
    ends = np.unique(ends).astype(np.int32)
    lower = np.concatenate([least, apart[1], sides])
    upper = np.concatenate([most, np.full(len(apart[1]), 1e30), sides])
    sense = np.zeros(len(upper), dtype=np.int32)
    step, _, flag, _ = daqp.solve(np.eye(count), np.zeros(count), rows, upper, lower, sense, break_points=ends)
    FLAGS[flag] = FLAGS.get(flag, 0) + 1
    within: Array = np.clip(step, least, most)
    return within


FLAGS: dict[int, int] = {}
