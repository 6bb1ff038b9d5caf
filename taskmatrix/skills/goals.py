"""From goals of a hand to whole configurations: inverse kinematics with restarts, approach, gaze and collisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from taskmatrix.core.geometry import wrap
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import HandGoal, Indices, Touch
from taskmatrix.robots import Robot

from . import ik
from .collision import CollisionChecker
from .kinematics import VIEW, Kinematics, in_limits
from .view import face, gaze_error

APPROACH_STEP = 0.006  # [m] between the configurations of the last stretch
FACING = np.deg2rad(2.0)  # [rad] an object this near the middle of the view counts as seen
ARM_SHARE = 0.25  # of the restarts begin with the arm in a random posture, the others near where it is


@dataclass(frozen=True, eq=False)
class Candidate:
    """A configuration that takes a goal."""

    goal: HandGoal
    """Which."""
    approach: Array
    """(m, n) Configurations of the last stretch; the first is free without touching, the last takes the goal."""
    faces: bool
    """Whether the view can face the object from there."""
    cost: float
    """[m] Displacement from the start."""


@dataclass
class Tally:
    """What the attempts came to; the facts of a failure."""

    attempts: int = 0
    """Inverse kinematics descents."""
    reached: int = 0
    """How many ended on their goal."""
    nearest: float = np.inf
    """[m] The least distance of those that did not."""
    blocked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Pairs in contact at those that did."""


class GoalSampler:
    """Finds configurations for goals.

    Args:
        kinematics: Of the robot.
        checker: With the world set.
        targets: (3,) [m] By object id, the point to look at.
        chains: Chains that may move besides the arm of a goal's hand.
        opening: By hand, the positions of its open fingers.
        tally: Where to count.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        checker: CollisionChecker,
        targets: Mapping[str, Array],
        chains: Sequence[str],
        opening: Mapping[str, Mapping[int, float]],
        tally: Tally,
    ) -> None:
        self._kinematics, self._checker = kinematics, checker
        self._targets, self._chains, self._opening = targets, chains, opening
        self._tally = tally
        self._robot = kinematics.robot
        self._base = "base" in chains
        self._head = np.array(self._robot.chains.get("head", ()), dtype=np.intp)

    def joints(self, hand: str) -> Indices:
        """(k,) Joints that take a hand to its goal."""
        chains = [*self._chains, self._robot.hands[hand].arm]
        return np.array(self._robot.indices(*chains), dtype=np.intp)

    def opened(self, q: Array, hand: str) -> Array:
        """(n,) The configuration with the fingers of a hand open."""
        q = q.copy()
        for index, position in self._opening.get(hand, {}).items():
            q[index] = position
        return q

    def candidate(self, goal: HandGoal, seed: Array, start: Array) -> Candidate | None:
        """Descend from a seed (n,) to a goal, and check what is found."""
        joints = self.joints(goal.hand)
        self._tally.attempts += 1
        solution = ik.solve(self._kinematics, goal.hand, goal.X_WH, joints, self.opened(seed, goal.hand))
        if not ik.reached(solution):
            self._tally.nearest = min(self._tally.nearest, solution.distance + 0.3 * solution.angle)
            return None
        self._tally.reached += 1
        q = solution.q
        if self._base:
            q[2] = wrap(q[2], start[2])
        if not in_limits(self._robot, q, joints) or not self._free(q, goal, touching=True):
            return None
        approach = self._approach(goal, q, joints)
        if approach is None:
            return None
        cost = float(np.linalg.norm(self._kinematics.displacement * (approach[0] - start)))
        return Candidate(goal, approach, self._faces(goal, q), cost)

    def seeds(self, goal: HandGoal, start: Array, random: np.random.Generator) -> Array:
        """(n,) A random configuration near a goal to descend from."""
        robot = self._robot
        q = start.copy()
        arm = np.array(robot.indices(robot.hands[goal.hand].arm), dtype=np.intp)
        if self._base:
            reach = arm_reach(robot, goal.hand)
            angle, radius = random.uniform(-np.pi, np.pi), random.uniform(0.4, 1.1) * reach
            q[:2] = goal.X_WH[:2, 3] + radius * np.array([np.cos(angle), np.sin(angle)])
            q[2] = angle + np.pi + random.normal(0.0, 0.5)
        moving = self.joints(goal.hand)
        trunk = np.setdiff1d(moving, np.concatenate([arm, [0, 1, 2]]))
        for joints, spread in ((arm, 0.25), (trunk, 0.15)):
            low, high = robot.lower[joints], robot.upper[joints]
            if random.uniform() < ARM_SHARE:
                q[joints] = random.uniform(low, high)
            else:
                q[joints] = np.clip(q[joints] + random.normal(0, spread, len(joints)) * (high - low), low, high)
        return q

    def _approach(self, goal: HandGoal, q: Array, joints: Indices) -> Array | None:
        """(m, n) The last stretch, from its beginning; None if it cannot be walked straight or touches something."""
        stretch = [q]
        steps = int(np.ceil(goal.retreat / APPROACH_STEP))
        for k in range(1, steps + 1):
            X = goal.X_WH.copy()
            X[:3, 3] -= X[:3, 2] * goal.retreat * k / steps
            solution = ik.solve(self._kinematics, goal.hand, X, joints, stretch[-1], iterations=20)
            if not ik.reached(solution) or not self._free(solution.q, goal, touching=k < steps):
                return None
            if np.max(np.abs(solution.q - stretch[-1])) > 0.25:
                return None
            stretch.append(solution.q)
        return np.array(stretch[::-1])

    def _free(self, q: Array, goal: HandGoal, touching: bool) -> bool:
        permit = [Touch(goal.hand, goal.object)] if touching and goal.object else []
        self._checker.set_touches(permit)
        free = self._checker.is_free(q)
        if not free:
            contact = self._checker.contact(q)
            if contact is not None:
                self._tally.blocked[contact.pair] += 1
        self._checker.set_touches([])
        return free

    def _faces(self, goal: HandGoal, q: Array) -> bool:
        if goal.object is None or self._robot.view is None or not len(self._head):
            return False
        point = self._targets[goal.object]
        turned = face(self._kinematics, point, self._head, q)
        return gaze_error(self._kinematics.pose(VIEW, turned), point) < FACING


def arm_reach(robot: Robot, hand: str) -> float:
    """[m] Length of a hand's arm stretched out, from its first joint to the grasp frame."""
    arm = robot.indices(robot.hands[hand].arm)
    length = float(np.linalg.norm(robot.hands[hand].X_LH[:3, 3]))
    joint = robot.model.frames[robot.model.getFrameId(robot.hands[hand].frame)].parentJoint
    first = robot.model.getJointId(robot.joints[arm[0]])
    while joint > 0 and joint != first:
        length += float(np.linalg.norm(robot.model.jointPlacements[joint].translation))
        joint = robot.model.parents[joint]
    return length
