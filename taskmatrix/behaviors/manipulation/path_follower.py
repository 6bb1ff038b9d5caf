"""Keeping a hand on its planned path although the base drifts and what it holds slips."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.plans import Trajectory
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array

from ..common.tolerances import ARM_REACHES
from ..locomotion.base_correction import HolonomicCorrection, RollingCorrection
from .in_hand import InHand

NEGLIGIBLE = 3e-4  # [m], [rad] by which joints may be off without anything to be made up for
ON_PATH = (2e-4, 2e-3)  # [m], [rad] a hand this near its path needs no correction
MENDING = 0.3  # of a joint's velocity limit, at most, for corrections: near a singular posture a small one takes far
COASTS = 0.002  # [rad], [m] at most on which a joint would go on if it braked now, of a robot that has arrived


class PathFollower:
    """Turns a time along a trajectory into the command that keeps the hand on its path.

    The base returns to its path slowly; until then the arm and the torso make up for it, as near as they can to the
    posture planned, and where they cannot, the base moves as far as it takes, within its limits. They go on from where
    they are, as the plan does: of two postures with the hand on its path it is the one at hand.

    Args:
        context: Robot and arbiter.
        hand: Name of the hand.
        trajectory: The plan's, which begins where the robot is.
        chains: Torso, if there is one, and arm: what makes up for the base.
        in_hand: How far what the hand carries has slipped in it, kept up to date by whoever knows; None if it carries
            nothing.
        other: Name of the other hand, where both go along: then chains are only their arms.

    Attributes:
        wanted: (4, 4) each: where the last step wanted the hands; none before the first.
        joints: (k,) What is commanded: the trajectory's joints, and where chains are shared all that bear the hand.
    """

    def __init__(
        self,
        context: Context,
        hand: str,
        trajectory: Trajectory,
        chains: Sequence[str],
        in_hand: InHand | None,
        other: str | None = None,
    ) -> None:
        self._hands = (hand,) if other is None else (hand, other)
        self._skills, self._arbiter, self._dt = context.skills, context.arbiter, context.dt
        self._trajectory, self._chains, self._in_hand = trajectory, chains, in_hand
        skills, here, last = self._skills, self._skills.position(), self._arbiter.last
        self.joints = trajectory.indices
        if self._arbiter.shares:  # what the hand stands on stays, or others would move it
            self.joints = np.union1d(self.joints, skills.joints("base", *chains))
        self._start, self._commanded = here, last  # (n,) where the trajectory begins; what was commanded last
        self._before: Array | None = None  # (n,) where the last step had the robot on the trajectory
        self.wanted: list[Array] = []
        self._speed = np.zeros(len(self.joints))
        step = skills.limits()[2][:3] * self._dt
        self._base = (
            HolonomicCorrection(step, self._dt, last[:3] - here[:3])
            if skills.holonomic
            else RollingCorrection(step, self._dt)
        )

    def follow(self, time: float) -> tuple[Array, Array, Array]:
        """Positions, velocities and accelerations (k,) of the joints at a time [s], which may be beyond the end."""
        planned = self._trajectory.indices
        reference = self._skills.position()
        reference[self.joints], rates = self._start[self.joints], np.zeros((2, len(reference)))
        reference[planned], rates[0, planned], rates[1, planned] = self._trajectory.sample(time)
        one, *others = (self._skills.forward_kinematics(hand, reference) for hand in self._hands)
        self.wanted = [self.corrected(one), *others]
        command = self._correct(reference, self.wanted)[self.joints]
        self._speed = (command - self._last()[self.joints]) / self._dt
        self._commanded[self.joints] = command
        self._before = reference
        return command, rates[0, self.joints], rates[1, self.joints]

    def corrected(self, X_WH: Array) -> Array:
        """(4, 4) Where the hand has to be instead of X_WH because what it holds has slipped."""
        return X_WH if self._in_hand is None or self._in_hand.offset is None else X_WH @ self._in_hand.offset

    def deviation(self) -> tuple[float, float]:
        """[m], [rad] Of the hand from where the last step wanted it; none before the first. Of two the greater."""
        off = [
            pose_error(X_WH, self._skills.forward_kinematics(hand))
            for hand, X_WH in zip(self._hands, self.wanted, strict=bool(self.wanted))
        ]
        return max((each[0] for each in off), default=0.0), max((each[1] for each in off), default=0.0)

    def is_at_rest(self) -> bool:
        """Whether the robot would stay where it is if it was told nothing more."""
        acceleration = self._skills.limits()[3][self.joints]
        return bool((self._speed**2 / (2.0 * acceleration) <= COASTS).all())

    def _last(self) -> Array:
        """(n,) What was commanded last; what went out, unless others may have taken shared joints elsewhere since."""
        return self._commanded if self._arbiter.shares else self._arbiter.last

    def _correct(self, reference: Array, wanted: Sequence[Array]) -> Array:
        """(n,) The command that has each hand at its pose (4, 4) although the base is not where the reference is."""
        hand, X_WH = self._hands[0], wanted[0]
        chains = self._chains if len(self._hands) == 1 else self._chains[:1]
        skills, base, last = self._skills, self._base, self._last()
        before = reference if self._before is None else self._before
        sensed, joints = skills.position()[:3], skills.joints(*self._chains)
        base.measure(sensed, last[:3], before[:3])
        off = max(np.max(np.abs(base.off)), np.max(np.abs(base.drift)), np.max(np.abs(last - before)[joints]))
        slipped = self._in_hand is not None and self._in_hand.offset is not None
        if not slipped and off < NEGLIGIBLE:
            return reference
        lower, upper, speed, _ = skills.limits()
        expected = reference.copy()
        expected[:3] = base.advance(reference[:3], before[:3])
        distance, angle = pose_error(X_WH, skills.forward_kinematics(hand, expected))
        expected[joints] = np.clip(last + reference - before, lower, upper)[joints]
        if distance > ON_PATH[0] or angle > ON_PATH[1]:
            solution = skills.inverse_kinematics(hand, X_WH, chains, expected, reference)
            if solution.distance > ARM_REACHES[0] or solution.angle > ARM_REACHES[1]:
                whole = skills.inverse_kinematics(hand, X_WH, ["base", *chains], solution.q, reference)
                expected[:3] = base.help(whole.q[:3] - expected[:3])
        mending = MENDING * speed * self._dt
        solution = skills.inverse_kinematics(hand, X_WH, chains, expected, reference, mending)
        for other, X_WO, arm in zip(self._hands[1:], wanted[1:], self._chains[1:], strict=False):
            solution = skills.inverse_kinematics(other, X_WO, [arm], solution.q, reference, mending)
        command = solution.q.copy()
        command[:3] = base.command(reference[:3], last[:3], sensed)
        return command
