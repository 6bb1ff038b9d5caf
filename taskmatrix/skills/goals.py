"""From goals of a hand to whole configurations: inverse kinematics with restarts, approach, gaze and collisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.geometry import wrap
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import HandGoal, Indices, Touch
from taskmatrix.robots import Robot

from . import ik
from .departure import LIFT, STEP, UP, straight
from .kinematics import VIEW, in_limits
from .problem import Problem
from .view import face, gaze_error

APPROACH_STEP = 0.006  # [m] between the configurations of the last stretch
APPROACH_TURN = 0.12  # [rad] that no joint may exceed between two of them: the arm would flip
FACING = np.deg2rad(2.0)  # [rad] an object this near the middle of the view counts as seen
BENT_SHARE = 0.7  # of the restarts begin with the torso bent so that the head can face the object
ARM_SHARE = 0.25  # of the restarts begin with the limb in a random posture, the others near where it is
PLACES = 10  # of the base are drawn until the robot can stand there


@dataclass(frozen=True, eq=False)
class Candidate:
    """A configuration that takes a goal."""

    goal: HandGoal
    """Which."""
    approach: Array
    """(m, n) Configurations of the last stretch; the first is free without touching, the last takes the goal."""
    faces: bool
    """Whether the view can face the object from there."""
    lifts: bool
    """Whether the hand can lift the object from there; true if it is not to grasp one."""
    cost: float
    """[m] Displacement from the start."""


class GoalSampler:
    """Finds configurations for goals.

    Args:
        problem: Start, collision checks, random numbers and tally.
        targets: (3,) [m] By object id, the point to look at.
        chains: Chains that may move besides the arm of a goal's hand.
        opening: By hand, the positions of its open fingers.
    """

    def __init__(
        self,
        problem: Problem,
        targets: Mapping[str, Array],
        chains: Sequence[str],
        opening: Mapping[str, Mapping[int, float]],
    ) -> None:
        self._problem, self._targets, self._chains, self._opening = problem, targets, chains, opening
        self._kinematics, self._checker = problem.kinematics, problem.checker
        self._robot = self._kinematics.robot
        self._base = "base" in chains
        self._head = np.array(self._robot.chains.get("head", ()), dtype=np.intp)

    def joints(self, hand: str) -> Indices:
        """(k,) Joints that take a hand to its goal."""
        chains = [*self._chains, self._robot.hands[hand].arm]
        return np.array(self._robot.indices(*chains), dtype=np.intp)

    def opened(self, q: Array, hand: str) -> Array:
        """(n,) The configuration with the fingers of a hand open, if it holds nothing."""
        return _with(q, self.opening(hand))

    def opening(self, hand: str) -> Mapping[int, float]:
        """Positions of the fingers that open on the way."""
        return {} if self._checker.holds(hand) else self._opening.get(hand, {})

    def fits(self, goal: HandGoal) -> bool:
        """Whether the hand, open and without its arm, is free at a goal and where the last stretch to it begins."""
        q = self.opened(self._problem.start, goal.hand)
        for X, touching in ((goal.X_WH, True), (goal.X_WB, False)):
            self._checker.set_touches([Touch(goal.hand, goal.object)] if touching and goal.object else [])
            pair = self._checker.hand_contact(goal.hand, X, q)
            self._checker.set_touches([])
            if pair is not None:
                self._problem.tally.blocked[pair] += 1
                return False
        return True

    def candidate(self, goal: HandGoal, seed: Array) -> Candidate | None:
        """Descend from a seed (n,) to a goal, and check what is found."""
        joints, start, tally = self.joints(goal.hand), self._problem.start, self._problem.tally
        tally.attempts += 1
        solution = ik.solve(self._kinematics, goal.hand, goal.X_WH, joints, self.opened(seed, goal.hand))
        if not ik.reached(solution):
            tally.missed(solution)
            return None
        tally.reached += 1
        q = solution.q
        if self._base:
            q[2] = wrap(q[2], start[2])
        if not in_limits(self._robot, q, joints):
            tally.beyond += 1
            return None
        if not self._free(q, goal, touching=True):
            return None
        if goal.lets_go and not self._free(_with(q, self._opening.get(goal.hand, {})), goal, touching=True):
            return None
        facing = self.facing(goal, q)
        if facing is not None and not self._free(facing, goal, touching=True):
            return None
        approach = self._approach(goal, q, joints)
        if approach is None:
            return None
        cost = float(np.linalg.norm(self._problem.displacement * (approach[0] - start)))
        faces = facing is not None and self._faces(goal, facing)
        return Candidate(goal, approach, faces, self._lifts(goal, approach[-1], joints), cost)

    def facing(self, goal: HandGoal, q: Array) -> Array | None:
        """(n,) The configuration with the head turned to the goal's object as far as it goes; None without a head."""
        point = self._targets.get(goal.object) if goal.object is not None else None
        if point is None or self._robot.view is None or not len(self._head):
            return None
        return face(self._kinematics, point, self._head, q)

    def seed(self, goal: HandGoal) -> Array:
        """(n,) A random configuration near a goal to descend from."""
        robot, random = self._robot, self._problem.random
        q = self._problem.start.copy()
        if self._base:
            self._stand(q, goal)
        arm = np.array(robot.indices(robot.hands[goal.hand].arm), dtype=np.intp)
        trunk = np.setdiff1d(self.joints(goal.hand), [*arm, 0, 1, 2])
        self._scatter(q, arm, 0.25, ARM_SHARE)
        if len(trunk) and random.uniform() < BENT_SHARE and self.facing(goal, q) is not None:
            bent = face(self._kinematics, self._targets[str(goal.object)], np.concatenate([trunk, self._head]), q)
            q[trunk] = bent[trunk]
        else:
            self._scatter(q, trunk, 0.15, ARM_SHARE)
        return q

    def _scatter(self, q: Array, joints: Indices, spread: float, share: float) -> None:
        """Put joints of q (n,) at random: anywhere for a share of the calls, else around where they are."""
        random = self._problem.random
        low, high = self._robot.lower[joints], self._robot.upper[joints]
        if random.uniform() < share:
            q[joints] = random.uniform(low, high)
        else:
            q[joints] = np.clip(q[joints] + random.normal(0, spread, len(joints)) * (high - low), low, high)

    def _stand(self, q: Array, goal: HandGoal) -> None:
        """Put the base of q (n,) within reach of the goal, looking towards it, where the robot has room."""
        random, reach = self._problem.random, arm_reach(self._robot, goal.hand)
        for _ in range(PLACES):
            angle, radius = random.uniform(-np.pi, np.pi), random.uniform(0.4, 1.1) * reach
            q[:2] = goal.X_WH[:2, 3] + radius * np.array([np.cos(angle), np.sin(angle)])
            q[2] = wrap(angle + np.pi + random.normal(0.0, 0.5), self._problem.start[2])
            if self._checker.is_free(q):
                break

    def _approach(self, goal: HandGoal, q: Array, joints: Indices) -> Array | None:
        """(m, n) The last stretch, from its beginning; None if it cannot be walked straight or touches something."""
        stretch = [q]
        steps = int(np.ceil(goal.retreat / APPROACH_STEP))
        for k in range(1, steps + 1):
            X = goal.on_last_stretch(goal.retreat * k / steps)
            solution = ik.solve(self._kinematics, goal.hand, X, joints, stretch[-1], iterations=20)
            if not ik.reached(solution) or np.max(np.abs(solution.q - stretch[-1])) > APPROACH_TURN:
                self._problem.tally.not_straight += 1
                return None
            if not self._free(solution.q, goal, touching=k < steps):
                return None
            stretch.append(solution.q)
        return np.array(stretch[::-1])

    def _free(self, q: Array, goal: HandGoal, touching: bool) -> bool:
        self._checker.set_touches([Touch(goal.hand, goal.object)] if touching and goal.object else [])
        contact = self._checker.contact(q)
        self._checker.set_touches([])
        if contact is not None:
            self._problem.tally.blocked[contact.pair] += 1
        return contact is None

    def _lifts(self, goal: HandGoal, q: Array, joints: Indices) -> bool:
        """Whether a hand that has grasped the goal's object at q (n,) can lift it: no joint is at its end."""
        if goal.object is None or self._checker.holds(goal.hand):
            return True

        def is_free(first: Array, last: Array) -> bool:
            return self._free(last, goal, touching=True)

        return len(straight(self._kinematics, goal.hand, q, UP, LIFT, joints, is_free)) > LIFT / STEP

    def _faces(self, goal: HandGoal, facing: Array) -> bool:
        assert goal.object is not None
        return bool(gaze_error(self._kinematics.pose(VIEW, facing), self._targets[goal.object]) < FACING)


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


def _with(q: Array, positions: Mapping[int, float]) -> Array:
    """(n,) The configuration with some joints elsewhere."""
    q = q.copy()
    for index, position in positions.items():
        q[index] = position
    return q
