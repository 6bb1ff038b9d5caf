"""Skills 4, 5 and 10 of the fake robot: its kinematics are exact, in closed form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.spatial.transform

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import (
    VIEW,
    Goal,
    GoalSolution,
    HandGoal,
    PositionGoal,
    Solution,
)
from taskmatrix.core.world.geometry import inverse, pose_error, wrap
from taskmatrix.core.world.objects import Array

from .state import FakeState

TOLERANCE = 1e-6  # [m], [rad] of inverse kinematics
DIFFERENCE = 1e-5  # [m], [rad] of central differences


class FakeKinematics(FakeState):
    """Implements :class:`~taskmatrix.core.robot.skills.kinematics.KinematicsSkills`."""

    def forward_kinematics(self, hand: str, q: Array | None = None) -> Array:
        """X_WH: (4, 4) pose of a hand."""
        return self.robot.hand_pose(hand, self._at(q))

    def differential_kinematics(self, frame: str, q: Array | None = None) -> tuple[Array, Array]:
        """X_WF (4, 4) of a hand or of the ``view``, and (6, n) its twist for unit speeds, by central differences."""
        at = self._at(q)
        X_WF, J = self._frame(frame, at), np.zeros((6, len(at)))
        for joint in range(len(at)):
            step = np.zeros(len(at))
            step[joint] = DIFFERENCE
            change = inverse(self._frame(frame, at - step)) @ self._frame(frame, at + step)
            spin = scipy.spatial.transform.Rotation.from_matrix(change[:3, :3]).as_rotvec()
            J[:, joint] = np.concatenate([change[:3, 3], spin]) / (2.0 * DIFFERENCE)
        return X_WF, J

    def inverse_kinematics(
        self,
        hand: str,
        X_WH: Array,
        chains: Sequence[str],
        q: Array | None = None,
        reference: Array | None = None,
        within: Array | None = None,
    ) -> Solution:
        """The arm at the goal if it may move, within its limits."""
        found = self._at(q)
        if f"{hand}_arm" in chains:
            found[self.robot.arm(hand)] = self.robot.arm_joints(X_WH, found)
        if within is not None:
            found = self._at(q) + np.clip(found - self._at(q), -within, within)
        found = np.clip(found, self.robot.lower, self.robot.upper)
        return Solution(found, *pose_error(X_WH, self.robot.hand_pose(hand, found)))

    def find_configuration(
        self,
        goals: Sequence[Goal],
        chains: Sequence[str] | None = None,
        *,
        q: Array | None = None,
        reference: Array | None = None,
        free: bool = False,
        seed: int = 0,
        attempts: int = 200,
        choices: int = 1,
        base_range: float = 1.0,
    ) -> GoalSolution | Failure:
        """The arm at the first goal within its limits, where it touches nothing if that is asked for."""
        starts = np.array(self._at(q), ndmin=2)
        contact, tried = None, 0
        for number, goal in enumerate(goals):
            for start in starts:
                tried += 1
                X_WH = goal.X_WH if isinstance(goal, HandGoal) else self.robot.hand_pose(goal.hand, start)
                if isinstance(goal, PositionGoal):
                    X_WH[:3, 3] = goal.p_WH
                moving = [f"{goal.hand}_arm"] if chains is None else chains
                found = self.inverse_kinematics(goal.hand, X_WH, moving, start)
                if max(found.distance, found.angle) < TOLERANCE:
                    contact = self.contact(found.q) if free else None
                    if contact is None:
                        work = {"ik_attempts": tried, "ik_iterations": tried, "collision_checks": tried * free}
                        return GoalSolution(found.q, found.distance, found.angle, goal, number, work)
        if contact is not None:
            message, facts = "no configuration at a goal is free of contact", {"pair": contact.pair}
            return Failure(FailureKind.COLLISION, "inverse kinematics", message, facts)
        message = "no goal is within reach"
        return Failure(FailureKind.IK_EXHAUSTED, "inverse kinematics", message, {"ik_attempts": tried})

    def find_configurations(
        self,
        goals: Sequence[Goal],
        chains: Sequence[str] | None = None,
        *,
        q: Array | None = None,
        reference: Array | None = None,
        free: bool = False,
        seed: int = 0,
        attempts: int = 200,
        base_range: float = 1.0,
    ) -> Sequence[GoalSolution | Failure]:
        """The arm at each of the goals."""
        return [self.find_configuration([goal], chains, q=q, free=free) for goal in goals]

    def inverse_kinematics_of_view(self, point: Array, chains: Sequence[str], q: Array | None = None) -> Array:
        """(n,) Head and base turned to a point: the head first, the base for what the head cannot."""
        found = self._at(q)
        off = point - self.robot.view_position(found)
        bearing = float(np.arctan2(off[1], off[0]))
        limit = self.robot.upper[3]
        if "head" in chains:
            found[3] = np.clip(wrap(bearing - found[2]), -limit, limit)
            found[4] = np.clip(np.arctan2(off[2], np.hypot(off[0], off[1])), self.robot.lower[4], self.robot.upper[4])
        if "base" in chains:
            found[2] += wrap(bearing - found[2] - found[3])
        return found

    def _frame(self, frame: str, q: Array) -> Array:
        """(4, 4) Pose of a hand or of the view."""
        if frame != VIEW:
            return self.robot.hand_pose(frame, q)
        X_WV = np.eye(4)
        X_WV[:3] = np.column_stack([self.robot.view(q), self.robot.view_position(q)])
        return X_WV


class FakeView(FakeState):
    """Implements :class:`~taskmatrix.core.robot.skills.view.ViewSkills`."""

    def view(self, q: Array | None = None) -> Array:
        """(3, 3) Viewing direction, up, and their cross product as columns."""
        return self.robot.view(self._at(q))

    def view_position(self, q: Array | None = None) -> Array:
        """(3,) [m] Where the robot views from."""
        return self.robot.view_position(self._at(q))

    def able_to_view(self) -> bool:
        """What ``sees`` says."""
        return self.sees
