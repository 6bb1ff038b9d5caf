"""Random configurations near goals of a hand, from which inverse kinematics descends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.robot.plans import Goal, Indices
from taskmatrix.core.world.geometry import wrap
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..kinematics.kinematics import Kinematics
from ..kinematics.view import face_each

BENT_SHARE = 0.7  # begin with the torso bent so that the head can face the object
ARM_SHARE = 0.25  # begin with the limb in a random posture, the others near where it is
ARM_SPREAD, TRUNK_SPREAD = 0.25, 0.15  # of a joint's range, around where it is
PLACES = 3  # of the base are drawn until the robot can stand there; then it takes one of another goal


def anywhere(Q: Array) -> NDArray[np.bool_]:
    """(m,) That all of configurations (m, n) are places to stand."""
    return np.ones(len(Q), dtype=bool)


class SeedSampler:
    """Draws configurations for goals.

    Args:
        kinematics: Of the robot.
        start: (n,) Around which to draw, and where what does not move is.
        random: Where random numbers come from.
        chains: Chains that may move besides the arm of a goal's hand.
        targets: (3,) [m] By object id, the point to look at; without them the torso does not care.
        are_free: (m,) Of configurations (m, n), whether the robot can stand there.
        posture: (n,) Around which the arm is drawn; the start unless given.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        start: Array,
        random: np.random.Generator,
        chains: Sequence[str],
        targets: Mapping[str, Array] | None = None,
        are_free: Callable[[Array], NDArray[np.bool_]] = anywhere,
        posture: Array | None = None,
    ) -> None:
        self._kinematics, self._robot = kinematics, kinematics.robot
        self._start, self._random, self._targets, self._are_free = start, random, targets or {}, are_free
        self._posture = start if posture is None else posture
        self._base = "base" in chains
        trunk = np.array(self._robot.indices(*chains), dtype=np.intp)
        self._trunk = trunk[trunk >= 3]
        self._bending = np.array([*self._trunk, *self._robot.chains.get("head", ())], dtype=np.intp)

    def draw(self, goals: Sequence[Goal]) -> Array:
        """(b, n) A configuration for each goal: the base within reach of it, trunk and arm at random."""
        random = self._random
        Q = np.tile(self._start, (len(goals), 1))
        if self._base:
            self._stand(Q, goals)
        hands = np.array([goal.hand for goal in goals])
        for hand in dict.fromkeys(hands.tolist()):
            arm = np.array(self._robot.indices(self._robot.hands[hand].arm), dtype=np.intp)
            Q[np.ix_(hands == hand, arm)] = self._posture[arm]
            self._scatter(Q, hands == hand, arm, ARM_SPREAD)
        bent = random.uniform(size=len(goals)) < BENT_SHARE
        bent &= [self._robot.view is not None and goal.object in self._targets for goal in goals]
        if len(self._trunk):
            self._scatter(Q, ~bent, self._trunk, TRUNK_SPREAD)
            objects = [goal.object for goal in goals]
            for object in dict.fromkeys(np.array(objects)[bent].tolist()):
                rows = np.flatnonzero([bent[k] and objects[k] == object for k in range(len(goals))])
                facing, _ = face_each(self._kinematics, self._targets[str(object)], self._bending, Q[rows])
                Q[np.ix_(rows, self._trunk)] = facing[:, self._trunk]
        return Q

    def _scatter(self, Q: Array, chosen: NDArray[np.bool_], joints: Indices, spread: float) -> None:
        """Put joints of the chosen of Q (b, n) at random: anywhere for a share of them, else around where they are."""
        random, rows = self._random, np.flatnonzero(chosen)
        low, high = self._robot.lower[joints], self._robot.upper[joints]
        shape = len(rows), len(joints)
        near = np.clip(Q[np.ix_(rows, joints)] + random.normal(0, spread, shape) * (high - low), low, high)
        far = random.uniform(low, high, shape)
        Q[np.ix_(rows, joints)] = np.where(random.uniform(size=(len(rows), 1)) < ARM_SHARE, far, near)

    def _stand(self, Q: Array, goals: Sequence[Goal]) -> None:
        """Put the base of Q (b, n) within reach of the goals, looking towards them, where the robot has room."""
        random, start = self._random, self._start
        places = np.array([goal.p_WH[:2] for goal in goals])
        lengths = {hand: arm_reach(self._robot, hand) for hand in {goal.hand for goal in goals}}
        reach = np.array([lengths[goal.hand] for goal in goals])
        left = np.arange(len(goals))
        for _ in range(PLACES):
            angle = random.uniform(-np.pi, np.pi, len(left))
            radius = random.uniform(0.4, 1.1, len(left)) * reach[left]
            Q[left, :2] = places[left] + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
            yaws = angle + np.pi + random.normal(0.0, 0.5, len(left))
            Q[left, 2] = [wrap(yaw, start[2]) for yaw in yaws]
            left = left[~self._are_free(Q[left])]
            if not len(left):
                return
        others = np.setdiff1d(np.arange(len(goals)), left)
        if len(others):
            Q[left, :3] = Q[random.choice(others, len(left)), :3]


def arm_reach(robot: Robot, hand: str) -> float:
    """[m] Length of a hand's arm stretched out, from its first joint to the grasp frame."""
    arm = robot.indices(robot.hands[hand].arm)
    link = robot.model.frames[robot.model.getFrameId(robot.hands[hand].frame)]
    length = float(np.linalg.norm((link.placement.homogeneous @ robot.hands[hand].X_LH)[:3, 3]))
    joint, first = link.parentJoint, robot.model.getJointId(robot.joints[arm[0]])
    while joint > 0 and joint != first:
        length += float(np.linalg.norm(robot.model.jointPlacements[joint].translation))
        joint = robot.model.parents[joint]
    return length
