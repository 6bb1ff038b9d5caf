"""Planning to pass an object from one hand to the other: both arms move, and meet where the taker can grasp it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.geometry import inverse, planar
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import HandGoal, Indices, Plan

from .goals import Candidate, GoalSampler, arm_reach
from .problem import Problem
from .queries import HandoverQuery
from .reaching import with_fingers

POSES = 4000  # of the giver's arm drawn, most of which carry the object out of the way only
MEETINGS = 160  # descents of the taker's arm
ENOUGH = 3  # meetings found, of which the nearest that can be gone to is taken
SIDE = 0.5  # of the arm's reach: how far to the side of the middle they may meet


class Handover:
    """Finds how two arms can meet over what one of them holds.

    Args:
        problem: What to plan with.
        query: Who gives and who takes, and what can be grasped.
        X_HO: (4, 4) The object in the giver's hand.
        centre: (3,) [m] Middle of the object, in its frame.
    """

    def __init__(self, problem: Problem, query: HandoverQuery, X_HO: Array, centre: Array) -> None:
        robot = problem.kinematics.robot
        self._problem, self._query, self._X_HO, self._centre = problem, query, X_HO, centre
        self._giver = np.array(robot.indices(robot.hands[query.giver].arm), dtype=np.intp)
        self._taker = np.array(robot.indices(robot.hands[query.taker].arm), dtype=np.intp)

    def plan(self) -> Plan | Failure:
        """A motion of both arms, or why there is none."""
        found: list[Candidate] = []
        tries = 0
        for _ in range(POSES):
            if tries >= MEETINGS or len(found) >= ENOUGH:
                break
            q = self._presented()
            if q is None or not self._problem.checker.is_free(q):
                continue
            for _ in range(4):
                tries += 1
                candidate = self._taken(q)
                if candidate is not None:
                    found.append(candidate)
                    break
        failures: list[Failure] = []
        for candidate in sorted(found, key=lambda item: item.cost):
            plan = self._connected(candidate)
            if isinstance(plan, Plan):
                return plan
            failures.append(plan)
        return self._failure(len(found), failures)

    def _presented(self) -> Array | None:
        """(n,) The object held out in front of the robot by a random posture; None where it is somewhere else."""
        problem, robot = self._problem, self._problem.kinematics.robot
        low, high = robot.lower[self._giver], robot.upper[self._giver]
        q = problem.start.copy()
        q[self._giver] = problem.random.uniform(low, high)
        X_WO = problem.kinematics.pose(self._query.giver, q) @ self._X_HO
        middle = inverse(planar(*q[:3])) @ X_WO @ np.append(self._centre, 1.0)
        reach = arm_reach(robot, self._query.giver)
        ahead = 0.2 * reach < middle[0] < reach and abs(middle[1]) < SIDE * reach
        return q if ahead and 0.4 * robot.shoulder_height < middle[2] < 1.1 * robot.shoulder_height else None

    def _taken(self, q: Array) -> Candidate | None:
        """The taker's hand at a random grasp of what is presented at q (n,)."""
        problem, query = self._problem, self._query
        X_WO = problem.kinematics.pose(query.giver, q) @ self._X_HO
        grasp = query.grasps[int(problem.random.integers(len(query.grasps)))]
        goal = HandGoal(query.taker, X_WO @ grasp.X_OH, grasp.name, query.object, query.retreat)
        sampler = self._sampler(q)
        return sampler.candidate(goal, sampler.seed(goal)) if sampler.fits(goal) else None

    def _sampler(self, q: Array) -> GoalSampler:
        return GoalSampler(replace(self._problem, start=q), {}, (), self._query.opening)

    def _connected(self, candidate: Candidate) -> Plan | Failure:
        problem, query = self._problem, self._query
        joints: Indices = np.concatenate([self._giver, self._taker])
        opening = query.opening.get(query.taker, {})
        fingers = np.array(sorted(opening), dtype=np.intp)
        opened = np.array([opening[int(index)] for index in fingers])
        start = problem.start.copy()
        start[fingers] = opened
        path = problem.connect(start, candidate.approach[0], joints)
        if path is None:
            return problem.exhausted("the arms cannot be taken to where they would meet")
        indices = np.concatenate([joints, fingers])
        legs = [with_fingers(path, problem.start[fingers], opened), candidate.approach[:, indices]]
        return problem.plan(legs, indices, query.duration, candidate.goal)

    def _failure(self, found: int, failures: Sequence[Failure]) -> Failure:
        tally = self._problem.tally
        facts: dict[str, object] = {"grasps": len(self._query.grasps), **self._problem.work()}
        if found:
            cause = failures[-1] if failures else None
            message = f"the hands can meet in {found} ways, but not get there"
            return Failure(FailureKind.PLANNER_EXHAUSTED, "planner", message, facts, cause)
        if tally.blocked:
            facts = {"pair": tally.blocked.most_common(1)[0][0], **facts}
            return Failure(FailureKind.COLLISION, "planner", "wherever the hands would meet they are in each other's way", facts)
        return Failure(FailureKind.IK_EXHAUSTED, "planner", "the hands cannot meet at the object", facts)
