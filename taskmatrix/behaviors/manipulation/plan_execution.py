"""Time along a plan: how fast it runs, when it waits, and when the hand has arrived."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array

from ..common.tolerances import HAND_ARRIVED, HAND_BEHIND, HAND_HELD_OFF, SETTLING_TIME

STANDING_TIME = 0.5  # [s] for which it has stood still then
STANDS = (0.0005, np.deg2rad(0.1))  # [m], [rad] that it moves at most meanwhile
BRAKING = 0.3  # [s] from full speed to rest, or longer where the acceleration limits ask for it


class PlanExecution:
    """Runs the time of a plan from its start to beyond its end.

    Args:
        plan: The plan.
        acceleration: (n,) Acceleration limits of the robot's joints [m/s^2, rad/s^2].
        X_WH: (4, 4) Pose of the hand now.
        dt: [s] The control step.

    Attributes:
        plan: The plan.
        time: [s] Along the plan.
        rate: Of that time to the clock's, from 0, at rest, to 1.
        behind_for: [s] That the hand has been off its path without a break.
    """

    def __init__(self, plan: Plan, acceleration: Array, X_WH: Array, dt: float) -> None:
        self.plan, self.time, self.rate = plan, 0.0, 1.0
        self.behind_for = 0.0
        self._acceleration, self._dt = acceleration[plan.trajectory.indices], dt
        self._stood, self._X_WH = 0.0, X_WH

    @property
    def is_late(self) -> bool:
        """Whether the hand has had its time for corrections at the end."""
        return self.time - self.plan.trajectory.duration > SETTLING_TIME

    @property
    def is_over(self) -> bool:
        """Whether the plan has come to its end."""
        return self.time >= self.plan.trajectory.duration

    @property
    def is_approaching(self) -> bool:
        """Whether this is the last stretch, on which the hand may touch its object."""
        return self.time >= self.plan.approach

    def is_behind(self, distance: float, angle: float) -> bool:
        """Whether a hand that is so far from its path [m], [rad] has to be waited for; asked once a control step."""
        behind = bool(distance > HAND_BEHIND[0] or angle > HAND_BEHIND[1])
        self.behind_for = self.behind_for + self._dt if behind else 0.0
        return behind

    def advance(self, brake: bool) -> None:
        """Go on by a control step, slower than before if it is to brake, else faster up to full speed."""
        change = self._dt / self._braking_time()
        self.rate = max(0.0, self.rate - change) if brake else min(1.0, self.rate + change)
        self.time += self.rate * self._dt

    def has_arrived(self, distance: float, angle: float, X_WH: Array, at_rest: bool) -> bool:
        """Whether the hand is at the goal, asked once a control step at the end.

        It is if it is near and the robot stays there; one that stands still, kept off by what bears on it, may be
        less near.

        Args:
            distance: [m] From the goal.
            angle: [rad] From the goal.
            X_WH: (4, 4) Pose of the hand.
            at_rest: Whether the robot would stay where it is.
        """
        if distance <= HAND_ARRIVED[0] and angle <= HAND_ARRIVED[1] and (at_rest or self.is_late):
            return True
        return bool(self._stands(X_WH) and distance <= HAND_HELD_OFF[0] and angle <= HAND_HELD_OFF[1])

    def _stands(self, X_WH: Array) -> bool:
        moved, turned = pose_error(self._X_WH, X_WH)
        if moved > STANDS[0] or turned > STANDS[1]:
            self._stood, self._X_WH = 0.0, X_WH
        else:
            self._stood += self._dt
        return self._stood >= STANDING_TIME

    def _braking_time(self) -> float:
        """[s] From full speed to rest."""
        _, v, _ = self.plan.trajectory.sample(self.time)
        return max(BRAKING, 2.0 * float(np.max(np.abs(v) / self._acceleration, initial=0.0)))
