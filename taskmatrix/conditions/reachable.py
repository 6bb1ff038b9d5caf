"""Whether a hand could get to an object."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.plans import Solution
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.objects import Array, Grasp

from .grasping import asked
from .tolerances import APPROACH

ATTEMPTS = 64  # descents of inverse kinematics
DISTANCE, ANGLE = 1e-3, 1e-2  # [m], [rad] of a hand from its goal
GOLDEN = (np.sqrt(5) - 1) / 2  # multiples of it, modulo 1, are spread over the grasps
TURN = np.pi * (3 - np.sqrt(5))  # [rad] by which the next attempt stands further round
IRRATIONAL = np.sqrt([2, 3, 5, 7, 11, 13, 17, 19, 23, 29])  # of a Weyl sequence over the joints' ranges


class Reachable(Condition):
    """One of the free hands, or the one named, can take one of the object's grasps.

    Answered by inverse kinematics from at most 64 starting points, and collision checks at the grasp and 3 cm before
    it; no path is planned, and a yes means that reaching is worth a try. The same question has the same answer.
    Collisions are checked with the world as the skills perceive it, also where the object is supposed elsewhere.

    Args:
        object: Id of the object.
        hand: Name of a hand; any free one unless given.
        move_base: Whether the base may move.
    """

    def __init__(self, object: object, hand: object = None, move_base: object = True) -> None:
        super().__init__(object=object, hand=hand, move_base=move_base)

    def evaluate(self, context: Context) -> Verdict:
        """Try a bounded number of ways."""
        skills, target = context.skills, str(self.arguments["object"])
        if target not in context.perception:
            return Verdict(False, not_found("object", target, context.perception.percepts))
        hands = asked(skills, self.arguments["hand"])
        if isinstance(hands, Verdict):
            return hands
        free = [hand for hand in hands if skills.held(hand) is None]
        goals = [(hand, grasp) for hand in free for grasp in skills.grasps(target, hand)]
        if not goals:
            return Verdict(False, f"no free hand has a grasp of '{target}'")
        return _Attempts(skills, target, context.perception.pose(target), bool(self.arguments["move_base"])).over(goals)


@dataclass(frozen=True, eq=False)
class _Attempts:
    """Ways to take an object at X_WO (4, 4)."""

    skills: SkillSet
    object: str
    X_WO: Array
    move_base: bool

    def over(self, goals: list[tuple[str, Grasp]]) -> Verdict:
        """The first way that will do, or why none does."""
        nearest, trouble, last = np.inf, None, None
        for attempt in range(ATTEMPTS):
            hand, grasp = goals[int(attempt * GOLDEN % 1.0 * len(goals))]
            solution = self._descend(hand, self.X_WO @ grasp.X_OH, self._seed(hand, attempt, last))
            nearest = min(nearest, solution.distance)
            if not _reached(solution):
                continue
            last = solution.q
            trouble = self._trouble(hand, grasp, solution)
            if trouble is None:
                why = f"the {hand} hand can take '{self.object}' by grasp '{grasp.name}'"
                return Verdict(True, why, {"hand": hand, "grasp": grasp.name, "distance": solution.distance})
        found = trouble or f"the nearest that a free hand comes to a grasp of '{self.object}' is {nearest:.3f} m"
        return Verdict(False, found, {"distance": nearest})

    def _chains(self, hand: str) -> list[str]:
        trunk = ("base", "torso") if self.move_base else ("torso",)
        return [*(chain for chain in trunk if chain in self.skills.chains), self.skills.chains_of_hand(hand)[0]]

    def _descend(self, hand: str, X_WH: Array, q: Array) -> Solution:
        return self.skills.inverse_kinematics(hand, X_WH, self._chains(hand), q)

    def _seed(self, hand: str, attempt: int, last: Array | None) -> Array:
        """(n,) Where to begin: as it stands, round the object from the last way found, or with the arm elsewhere."""
        skills = self.skills
        q = skills.position() if last is None or not self.move_base else last.copy()
        for joint, wide in skills.hand_posture(hand, None).items():
            q[joint] = wide
        if attempt == 0:
            return q
        if last is not None and self.move_base:
            cos, sin = np.cos(TURN), np.sin(TURN)
            q[:2] = self.X_WO[:2, 3] + np.array([[cos, -sin], [sin, cos]]) @ (q[:2] - self.X_WO[:2, 3])
            q[2] += TURN
        if attempt % 2 or not self.move_base:
            arm = skills.joints(skills.chains_of_hand(hand)[0])
            lower, upper = (limit[arm] for limit in skills.limits()[:2])
            q[arm] = lower + (attempt * np.resize(IRRATIONAL, len(arm)) % 1.0) * (upper - lower)
        return q

    def _trouble(self, hand: str, grasp: Grasp, solution: Solution) -> str | None:
        """Why a configuration at a grasp, where the hand may touch the object, will not do."""
        joints = np.arange(len(solution.q))
        contact = self.skills.collision(joints, solution.q)
        if contact is None or self.object in contact.pair:
            X_WH = self.X_WO @ grasp.X_OH
            X_WH[:3, 3] -= APPROACH * X_WH[:3, 2]
            before = self._descend(hand, X_WH, solution.q)
            if not _reached(before):
                return f"the {hand} hand cannot come straight to grasp '{grasp.name}' of '{self.object}'"
            contact = self.skills.collision(joints, before.q)
        if contact is None:
            return None
        return f"at grasp '{grasp.name}' of '{self.object}', or before it, {contact.first} would touch {contact.second}"


def _reached(solution: Solution) -> bool:
    return solution.distance <= DISTANCE and solution.angle <= ANGLE
