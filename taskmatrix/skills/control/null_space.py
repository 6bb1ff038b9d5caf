"""Several tasks at once: each in what those before it leave free, by a hierarchy of least squares (thesis 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import daqp
import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import VIEW, Indices, TaskObjective
from taskmatrix.core.robot.policy import JointCommand, Policy, overlaid
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.objects import Array

NEAR, CLEAR = 0.03, 0.003  # [m] bodies that are nearer come nearer slowly, and at last no nearer
APPROACH = 5.0  # [1/s] of the distance that is left
ASIDE = 0.3  # of the limits of velocity and acceleration is used to leave, for others, where a command has a joint
BRAKES = 0.9  # of the acceleration limits is braked with before a joint limit
KEPT = (0.001, np.deg2rad(0.5))  # [m], [rad] the first objective is not kept where it is missed by more
CLOSING, OPENING = 0.3, 2.0  # [s] in which the tolerance closes and opens again
AT = 1e-4  # [m, rad] a joint this near to where it is commanded is there
STILL = 1e-9  # [m, rad] a joint that may move less in a step has no choice
FAR = 1e30  # what has no limit


class NullSpace(Policy):
    """Behaviors with one chain move it together: those that come first as they want, the others as far as that allows.

    What counts of a command is its objective: a reach wants the pose of its hand, a fixate the direction of the view,
    and a behavior without an objective every joint that it commands. In each control step the least violation of the
    first objective is found, then that of the second among all steps that keep it, and so on; last come the joints that
    the commands had in mind. Joints stay within the tolerance of the objectives, the base exactly where the first has
    it that commands it, and the tolerance of the first closes where its objective is not kept. Limits of position,
    velocity and acceleration are never violated. Where no joint is commanded by two, the commands go out as they are.

    The hierarchy of quadratic programs is DAQP's (Arnström, Bemporad and Axehill, "A dual active-set solver for
    embedded quadratic programming using recursive LDL' updates", 2022).

    Args:
        order: Names of behaviors or components, those that come first before those that come later; all others come
            after them, in the order in which they were granted their chains.

    Raises:
        ParameterError: The names are no strings, or one stands there twice.
    """

    name = "null-space"
    _skills: SkillSet
    _dt: float  # [s]
    _lower: Array
    _upper: Array
    _velocity: Array
    _acceleration: Array
    _aside = False  # whether a joint was taken from where the first had it
    _trust = 1.0  # share of the first's tolerance

    def bind(self, skills: SkillSet, dt: float) -> Self:
        """The policy of one session: it has the kinematics and limits of its robot, and the control step [s]."""
        bound = super().bind(skills, dt)
        bound._skills, bound._dt = skills, dt
        bound._lower, bound._upper, bound._velocity, bound._acceleration = skills.limits()
        return bound

    def combine(self, commands: Sequence[JointCommand], last: Array, before: Array) -> tuple[Array, Array, Array]:
        """The step in which all come as near to their objectives as those before them allow."""
        counted = np.zeros(len(last), dtype=int)
        for command in commands:
            counted[command.joints] += 1
        if not commands or not (self._aside or counted.max() > 1):
            self._trust = 1.0
            return overlaid(commands, last)
        joints, ranked = np.flatnonzero(counted), self.ranked(commands)
        levels: list[tuple[Array, Array]] = []
        for command in ranked:
            levels += [self._objective(objective, command, last, joints) for objective in command.objectives] or [
                self._posture(command, last, joints)
            ]
        levels += [self._posture(command, last, joints) for command in ranked if command.objectives]
        least, most = self._bounds(joints, last, before)
        for command in ranked:
            low, high = self._room(command, last, self._trust if command is ranked[0] else 1.0)
            own = np.searchsorted(joints, command.joints)
            low, high = (np.clip(bound, least[own], most[own]) for bound in (low, high))
            least[own], most[own] = low, high
        step = _solve(levels, least, most, self._apart(ranked[0], last, joints))
        q, v, a = last.copy(), np.zeros(len(last)), np.zeros(len(last))
        q[joints] += step
        v[joints] = step / self._dt
        a[joints] = (step - (last - before)[joints]) / self._dt**2
        self._aside = any(np.max(np.abs(q[command.joints] - command.q), initial=0.0) > AT for command in commands)
        self._look(ranked[0], q)
        return q, v, a

    def _objective(
        self, objective: TaskObjective, command: JointCommand, last: Array, joints: Indices
    ) -> tuple[Array, Array]:
        """Rows (m, k) and right sides (m,) of what brings a frame in a step to where a command would have it."""
        wanted = last.copy()
        wanted[command.joints] = command.q
        X_WF, J = self._skills.differential_kinematics(objective.frame, last)
        X_WG, _ = self._skills.differential_kinematics(objective.frame, wanted)
        twist = pin.log6(pin.SE3(X_WF).actInv(pin.SE3(X_WG))).vector
        first = 4 if objective.frame == VIEW else 0  # the view's turn about its x axis does not matter
        return J[first:, joints], twist[first:]

    def _bounds(self, joints: Indices, last: Array, before: Array) -> tuple[Array, Array]:
        """(k,) each, the smallest and the largest step within the limits, from which joints can still brake."""
        dt, moving = self._dt, (last - before)[joints]
        change, fastest = self._acceleration[joints] * dt**2, self._velocity[joints] * dt
        most = np.minimum(fastest, _stopping(np.maximum(self._upper[joints] - last[joints], 0.0), BRAKES * change))
        least = -np.minimum(fastest, _stopping(np.maximum(last[joints] - self._lower[joints], 0.0), BRAKES * change))
        return np.clip(least, moving - change, moving + change), np.clip(most, moving - change, moving + change)

    def _room(self, command: JointCommand, last: Array, share: float) -> tuple[Array, Array]:
        """(k,) each, the smallest and the largest step of a command's joints that its tolerance allows."""
        far = min((objective.tolerance for objective in command.objectives), default=np.inf)
        tolerance = np.full(len(command.joints), far if np.isinf(far) else share * far)
        tolerance[command.joints < 3] = 0.0  # everything stands on the base, and not every base moves in all directions
        own = command.v * self._dt
        off = last[command.joints] + own - command.q
        return own - self._softly(command.joints, tolerance + off, ASIDE), own + self._softly(
            command.joints, tolerance - off, ASIDE
        )

    def _posture(self, command: JointCommand, last: Array, joints: Indices) -> tuple[Array, Array]:
        """Rows (m, k) and right sides (m,) of what brings each joint of a command to where it wants it."""
        own = command.v * self._dt
        step = own + self._softly(command.joints, command.q - last[command.joints] - own, BRAKES)
        return (command.joints[:, None] == joints).astype(float), step

    def _softly(self, joints: Indices, way: Array, share: float) -> Array:
        """(k,) The largest steps along ways (k,) after which joints stop in time, with a share of the limits."""
        change, fastest = (share * limit[joints] for limit in (self._acceleration, self._velocity))
        far = np.isinf(way)
        steps = np.minimum(fastest * self._dt, _stopping(np.where(far, 0.0, np.abs(way)), change * self._dt**2))
        return np.where(far, way, np.sign(way) * steps)

    def _apart(self, first: JointCommand, last: Array, joints: Indices) -> tuple[Array, Array]:
        """Rows (m, k), and what they are at least (m,), of steps that bring nothing into contact.

        The nearer two bodies are the slower they come nearer (Faverjon and Tournassoud 1987); or as the first would
        bring them nearer by itself.
        """
        distances, gradients = self._skills.nearer_than(last, NEAR)
        least = -APPROACH * self._dt * np.maximum(distances - CLEAR, 0.0)
        return gradients[:, joints], np.minimum(least, gradients[:, first.joints] @ first.v * self._dt)

    def _look(self, first: JointCommand, q: Array) -> None:
        """See what became of the first, with the robot at q (n,)."""
        kept = True
        for objective in first.objectives if self._aside else ():
            miss = self._objective(objective, first, q, first.joints)[1]
            kept = kept and bool(np.linalg.norm(miss[:-3]) <= KEPT[0] and np.linalg.norm(miss[-3:]) <= KEPT[1])
        self._trust = float(np.clip(self._trust + self._dt * (1.0 / OPENING if kept else -1.0 / CLOSING), 0.0, 1.0))


def _stopping(room: Array, change: Array) -> Array:
    """(k,) The largest steps after which joints come to rest within ``room``, where a step may change by ``change``."""
    steps: Array = np.minimum(room, np.sqrt(change**2 / 4.0 + 2.0 * change * room) - change / 2.0)
    return steps


def _solve(levels: Sequence[tuple[Array, Array]], least: Array, most: Array, apart: tuple[Array, Array]) -> Array:
    """(k,) The step between ``least`` and ``most`` (k,) that violates each level least, after those before it.

    What keeps bodies apart comes before all of them.
    """
    step, free = (least + most) / 2.0, most - least > STILL
    step[free] = 0.0
    count, blocks = int(free.sum()), []
    for A, low, high in ((*apart, np.full(len(apart[1]), FAR)), *((A, b, b) for A, b in levels)):
        rows = A[:, free]
        some = np.abs(rows).max(axis=1, initial=0.0) > STILL
        done = A[some] @ step
        blocks.append((rows[some], low[some] - done, high[some] - done))
    lower, upper = (np.concatenate([end[free], *(block[k] for block in blocks)]) for k, end in ((1, least), (2, most)))
    rows = np.vstack([A for A, _, _ in blocks])
    ends = np.unique(np.cumsum([count, *(len(A) for A, _, _ in blocks)])).astype(np.int32)
    sense = np.zeros(len(upper), dtype=np.int32)
    found, *_ = daqp.solve(np.eye(count), np.zeros(count), rows, upper, lower, sense, break_points=ends)
    step[free] = np.clip(found, least[free], most[free])
    return step
