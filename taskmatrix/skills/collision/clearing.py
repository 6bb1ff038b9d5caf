"""Ways out of contact: what touches something comes apart, and nothing else comes into contact on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import daqp
import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

from ..kinematics.kinematics import Kinematics
from .collision import CollisionChecker

CLEAR = 0.010  # [m] between what was in contact, at the end of the way if there is room
STEP = 0.004  # [m] by which contacts come apart in one step
STEPS = 150  # at most
SMALL = (0.05, 0.02)  # [rad], [m] that a joint, or the base, moves at most in one step
NEAR = 0.03  # [m] bodies that are nearer are kept from coming nearer
SLACK = 0.0005  # [m] by which a contact may get deeper again on the way: bodies are not flat
BETWEEN = 0.001  # [m] that any point moves between two configurations whose contacts are measured
HALVINGS = 4  # of a step that does not lead out
HARD = 1e4  # times as dear as motion is what keeps contacts from coming apart
DIRECTIONS = 24  # in which the base goes straight, where the nearest way does not lead out
FARTHEST = 0.6  # [m] that it goes
DRAWS = 400  # configurations drawn around the start where that does not lead out either
SPREAD = (0.05, 0.8)  # [m] of displacement by which they are off, the nearest first


@dataclass(frozen=True, eq=False)
class WayOut:
    """What was found of a way out of contact."""

    legs: tuple[Array, ...]
    """(m, n) each, configurations from the start: with a stop between two, to be reached on straight lines."""
    clear: bool
    """Whether nothing is in contact at its end."""
    in_the_way: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Pairs that touch where it might have gone on."""


def leads_out(
    checker: CollisionChecker, Q: Array, pairs: Sequence[int], slack: float = SLACK, before: Array | float = -np.inf
) -> bool:
    """Whether along configurations Q (m, n), near one another, pairs in contact at the first come apart and stay so.

    None gets deeper than it was at its least, on the way to the first ``before`` (k,) [m] too, but for ``slack`` [m].
    Other pairs are not looked at.
    """
    if not len(pairs):
        return True
    least = np.maximum(np.minimum(checker.distances(pairs, Q[0]), 0.0), before)
    for q in Q[1:]:
        now = np.minimum(checker.distances(pairs, q), 0.0)
        if (now < least - slack).any():
            return False
        least = np.maximum(least, now)
    return True


class Clearing:
    """Finds the way out of contact that moves the robot least: down the gradient, then straight, then by lot.

    Args:
        kinematics: Of the robot.
        checker: With the margins of planning, and permissions for what may be touched.
        joints: (k,) That may move.
        displacement: (n,) [m/rad or m/m] How far any point moves at most with each joint.
        random: Where the lot comes from.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        checker: CollisionChecker,
        joints: Indices,
        displacement: Array,
        random: np.random.Generator,
    ) -> None:
        robot = kinematics.robot
        self._checker, self._robot, self._random = checker, robot, random
        self._joints = joints[joints >= 2] if robot.rolls else joints  # a base that cannot slide turns
        self._slides = bool(np.isin([0, 1], joints).all())
        self._displacement = displacement
        self._largest = np.where(self._joints < 2, SMALL[1], SMALL[0])

    def way_out(self, q: Array) -> WayOut:
        """The way from configuration q (n,)."""
        self._in_the_way: Counter[tuple[str, str]] = Counter()
        self._least: dict[int, float] = {}
        path = self._descent(q)
        if self._is_clear(path[-1]):
            return WayOut((path,), True)
        last = path[-1]
        for end in (*self._straight(last), *self._drawn(last)):
            if self._goes(last, end):
                return WayOut((path, np.array([last, end])), True)
        return WayOut((path,), False, self._in_the_way)

    def _is_clear(self, q: Array) -> bool:
        return not self._checker.touching(q)

    def _descent(self, q: Array) -> Array:
        """(m, n) Small steps from q (n,), each the least motion that brings all contacts apart; as far as they go."""
        pairs, path = self._checker.touching(q), [q]
        for _ in range(STEPS if pairs else 0):
            here = path[-1]
            distances = self._checker.distances(pairs, here)
            for pair, distance in zip(pairs, np.minimum(distances, 0.0).tolist(), strict=True):
                self._least[pair] = max(distance, self._least.get(pair, distance))
            if (distances >= CLEAR).all():
                break
            step = self._least_step(here, pairs)
            there = next((end for end in self._shorter(here, step) if self._goes(here, end)), None)
            if there is None or np.abs(there - here) @ self._displacement < BETWEEN / 10:
                break
            path.append(there)
        return np.array(path)

    def _shorter(self, here: Array, step: Array) -> list[Array]:
        """(n,) each: where a step leads, and where the half of it, and so on."""
        return [here + step / 2**k for k in range(HALVINGS)]

    def _least_step(self, q: Array, pairs: Sequence[int]) -> Array:
        """(n,) The least motion, by displacement, with which pairs come apart and nothing else comes nearer.

        A quadratic program: that contacts stay is punished, that others touch is forbidden (as in
        :mod:`~taskmatrix.skills.control.null_space`, after Faverjon and Tournassoud 1987).
        """
        joints, checker = self._joints, self._checker
        others = [pair for pair in checker.touching(q, NEAR) if pair not in set(pairs)]
        apart, J_apart = checker.proximity(pairs, q)
        near, J_near = checker.proximity(others, q)
        wanted = np.clip(CLEAR - apart, -STEP, STEP)
        room = np.maximum(near - np.maximum(checker.margins(others), SLACK), 0.0) / 2
        weights = self._displacement[joints]
        A = J_apart[:, joints] / weights  # in displacement [m], so that all joints count alike
        H = np.eye(len(joints)) + HARD * A.T @ A
        f = -HARD * A.T @ wanted
        low = np.maximum(self._robot.lower[joints] - q[joints], -self._largest) * weights
        high = np.minimum(self._robot.upper[joints] - q[joints], self._largest) * weights
        rows = J_near[:, joints] / weights
        upper = np.concatenate([np.maximum(high, 0.0), np.full(len(rows), 1e30)])
        lower = np.concatenate([np.minimum(low, 0.0), -room])
        found, _, flag, _ = daqp.solve(H, f, rows, upper, lower, np.zeros(len(upper), dtype=np.int32))
        step = np.zeros(len(q))
        if flag > 0:
            step[joints] = np.clip(np.asarray(found) / weights, low / weights, high / weights)
        return step

    def _straight(self, q: Array) -> list[Array]:
        """(n,) each: with the base elsewhere, the nearest first; along its heading where it only rolls."""
        if not self._slides:
            return []
        angles = q[2] + 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
        angles = angles[[0, DIRECTIONS // 2]] if self._robot.rolls else angles
        ends = np.repeat(q[None], len(angles), axis=0)
        found = []
        for far in np.arange(STEP, FARTHEST, 2 * STEP):
            ends = ends.copy()
            ends[:, :2] = q[:2] + far * np.column_stack([np.cos(angles), np.sin(angles)])
            found += self._free(ends)
        return found[:DIRECTIONS]

    def _drawn(self, q: Array) -> list[Array]:
        """(n,) each: free configurations drawn around q (n,), the nearest first."""
        joints = self._joints
        far = np.geomspace(*SPREAD, DRAWS)[:, None]
        off = self._random.normal(size=(DRAWS, len(joints)))
        off *= far / np.abs(off).sum(axis=1, keepdims=True) / self._displacement[joints] * np.sqrt(len(joints))
        ends = np.repeat(q[None], DRAWS, axis=0)
        ends[:, joints] = np.clip(q[joints] + off, self._robot.lower[joints], self._robot.upper[joints])
        return self._free(ends)

    def _free(self, Q: Array) -> list[Array]:
        """Those of configurations Q (m, n) where nothing touches; the others' pairs are counted."""
        touching = self._checker.contacts(Q)
        self._in_the_way.update(pair for pair in touching if pair is not None)
        return [q for q, pair in zip(Q, touching, strict=True) if pair is None]

    def _goes(self, start: Array, end: Array) -> bool:
        """Whether on the straight line from one configuration to another contacts come apart, and no other arises."""
        pairs = self._checker.touching(start)
        self._checker.leave_out(pairs)
        free = self._checker.edge_is_free(start, end)
        self._checker.leave_out([])
        if not free:
            pair = self._checker.contacts(end[None])[0]
            self._in_the_way.update([pair] if pair is not None else [])
            return False
        count = int(np.abs(end - start) @ self._displacement / BETWEEN) + 2
        before = np.array([self._least.get(pair, -np.inf) for pair in pairs])
        return leads_out(self._checker, np.linspace(start, end, count), pairs, SLACK / 2, before)
