"""Time along a plan: when it waits for the hand, and when that has arrived."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array

from ..common.pace import Pace
from ..common.tolerances import HAND_ARRIVED, HAND_BEHIND, HAND_HELD_OFF, SETTLING_TIME

STANDING_TIME = 0.5  # [s] for which it has stood still then
STANDS = (0.0005, np.deg2rad(0.1))  # [m], [rad] that it moves at most meanwhile


class PlanExecution(Pace):
    """Runs the time of a plan, with an eye on the hand that follows it.

    Args:
        plan: The plan.
        acceleration: (n,) Acceleration limits of the robot's joints [m/s^2, rad/s^2].
        X_WH: (4, 4) Pose of the hand now.
        dt: [s] The control step.

    Attributes:
        plan: The plan.
        behind_for: [s] That the hand has been off its path without a break.
    """

    def __init__(self, plan: Plan, acceleration: Array, X_WH: Array, dt: float) -> None:
        super().__init__(plan.trajectory, acceleration, dt)
        self.plan, self.behind_for = plan, 0.0
        self._stood, self._X_WH = 0.0, X_WH

    @property
    def is_late(self) -> bool:
        """Whether the hand has had its time for corrections at the end."""
        return self.time - self.trajectory.duration > SETTLING_TIME

    @property
    def is_approaching(self) -> bool:
        """Whether this is the last stretch, on which the hand may touch its object."""
        return self.time >= self.plan.approach

    def is_behind(self, distance: float, angle: float) -> bool:
        """Whether a hand that is so far from its path [m], [rad] has to be waited for; asked once a control step."""
        behind = bool(distance > HAND_BEHIND[0] or angle > HAND_BEHIND[1])
        self.behind_for = self.behind_for + self._dt if behind else 0.0
        return behind

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
