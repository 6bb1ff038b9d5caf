"""Planning with both hands at once: to two grasps of one thing, and from place to place with what both hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import HandGoal, Indices, Plan
from taskmatrix.core.world.geometry import inverse, planar, wrap
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import limits_met

from ..kinematics import ik
from ..kinematics.both_hands import follow_both, solve_both
from ..kinematics.kinematics import in_limits
from ..kinematics.nearest import Nearest, most_often
from .goals import APPROACH_TURN, GoalSampler
from .problem import Problem
from .queries import PoseQuery
from .reaching import with_fingers
from .retreat import LIFT, UP
from .seeds import arm_reach
from .straight_motion import STEP, TURN, line, standing

ATTEMPTS = 1200  # descents before giving up
ENOUGH = 6  # candidates found, of which the nearest that can be gone to is taken
FROM_START = 4  # descents that begin where the robot is
STAND = (0.25, 0.95)  # of the arm's reach: how far from the middle of both hands the base stands
BESIDE, TURNED = 0.08, 0.25  # [m], [rad] off straight in front of it
SPREAD = 0.2  # of a joint's range, around where it is
ANYWHERE = 0.4  # share of seeds with arms anywhere


@dataclass(frozen=True, eq=False)
class Candidate:
    """A configuration with both hands at their goals, and the way there."""

    goal: HandGoal
    """Which."""
    approach: Array
    """(m, n) Configurations of the approach; the last takes the goal."""
    lift: float
    """[m] How high both can lift what they are to take."""
    cost: float
    """[m] Displacement from the start."""


class ReachingWithBoth:
    """Finds configurations with both hands at their goals, and connects one of them to the start.

    Args:
        problem: What to plan with; it keeps the hands together where they hold one thing.
        query: Goals that have partners, of the same two hands.
    """

    def __init__(self, problem: Problem, query: PoseQuery) -> None:
        self._problem, self._query = problem, query
        robot = self._robot = problem.kinematics.robot
        one, other = query.goals[0].hands
        self._hands = one, other
        self._carries = problem.checker.holds(one) is not None
        trunk = tuple(chain for chain in query.chains if chain not in {hand.arm for hand in robot.hands.values()})
        arms = [robot.hands[hand].arm for hand in self._hands]
        self._trunk = np.array(robot.indices(*trunk), dtype=np.intp)
        self._arms = np.array(robot.indices(*arms), dtype=np.intp)
        self._joints: Indices = np.concatenate([self._trunk, self._arms])
        self._base = "base" in query.chains
        opening = {} if self._carries else {k: v for hand in self._hands for k, v in query.opening[hand].items()}
        self._fingers = np.array(sorted(opening), dtype=np.intp)
        self._open = np.array([opening[int(index)] for index in self._fingers])
        stance = robot.posture(robot.stance)
        sides = [float(self._seen_from_base(hand, stance)[1, 3]) for hand in self._hands]
        self._left_first = sides[0] > sides[1]
        self._reach = min(arm_reach(robot, hand) for hand in self._hands)

    def plan(self) -> Plan | Failure:
        """A motion to one of the goals, or why there is none."""
        found, goals, problem = list[Candidate](), self._fitting(), self._problem
        for attempt in range(ATTEMPTS if goals else 0):
            if len(found) >= ENOUGH:
                break
            if attempt % 20 == 0:
                problem.progress(problem.work())
            goal = goals[int(problem.random.integers(len(goals)))]
            candidate = self._candidate(goal, problem.start if attempt < FROM_START else self._drawn(goal))
            found += [] if candidate is None else [candidate]
        failures = list[Failure]()
        for candidate in sorted(found, key=lambda each: (each.lift < LIFT, each.cost)):
            plan = self._connected(candidate)
            if isinstance(plan, Plan):
                return plan
            failures.append(plan)
        return self._failure(len(found), failures)

    def _fitting(self) -> list[HandGoal]:
        """Goals at which each of the hands alone has room."""
        sampler = GoalSampler(self._problem, {}, self._query.chains, self._query.opening)
        fit = set[int]()
        for hand in self._hands:
            mine = {id(each.X_WH): each for goal in self._query.goals for each in _both(goal) if each.hand == hand}
            fit |= {id(goal.X_WH) for goal in sampler.fitting(list(mine.values()))}
        return [goal for goal in self._query.goals if all(id(each.X_WH) in fit for each in _both(goal))]

    def _drawn(self, goal: HandGoal) -> Array:
        """(n,) The robot in front of the middle of both hands' goals, its left hand to the left; the rest at random."""
        random, robot, q = self._problem.random, self._robot, self._problem.start.copy()
        if self._base:
            left, right = (each.p_WH[:2] for each in (_both(goal) if self._left_first else _both(goal)[::-1]))
            across = (left - right) / max(float(np.linalg.norm(left - right)), 1e-9)
            ahead = np.array([across[1], -across[0]])
            away = random.uniform(*STAND) * self._reach
            q[:2] = (left + right) / 2.0 - away * ahead + random.normal(0.0, BESIDE) * across
            q[2] = wrap(float(np.arctan2(ahead[1], ahead[0])) + random.normal(0.0, TURNED), q[2])
        joints: Indices = np.concatenate([self._trunk[self._trunk >= 3], self._arms])
        low, high = robot.lower[joints], robot.upper[joints]
        near = np.clip(q[joints] + random.normal(0.0, SPREAD, len(joints)) * (high - low), low, high)
        q[joints] = random.uniform(low, high) if random.uniform() < ANYWHERE else near
        return q

    def _candidate(self, goal: HandGoal, seed: Array) -> Candidate | None:
        """What comes of a descent from a seed (n,) to a goal; None where that will not do."""
        problem, kinematics, tally = self._problem, self._problem.kinematics, self._problem.tally
        one, other = _both(goal)
        tally.attempts += 1
        q, distance, angle = solve_both(kinematics, self._hands, (one.X_WH, other.X_WH), seed, self._joints)
        if distance > ik.POSITION_TOLERANCE or angle > ik.ROTATION_TOLERANCE:
            lower, upper = self._robot.lower[self._joints], self._robot.upper[self._joints]
            tally.missed(Nearest(q, distance, angle, limits_met(q, self._joints, lower, upper)))
            return None
        tally.reached += 1
        if self._base:
            q[2] = wrap(float(q[2]), problem.start[2])
        if not in_limits(self._robot, q, self._joints):
            tally.beyond += 1
            return None
        if not self._is_free(goal, self._opened(q)) or not self._bears(goal, q):
            return None
        approach = self._approach(goal, q)
        if approach is None:
            return None
        cost = float(np.linalg.norm(problem.displacement * (approach[0] - problem.start)))
        return Candidate(goal, approach, np.inf if self._carries else self._lift(goal, q), cost)

    def _is_free(self, goal: HandGoal, q: Array) -> bool:
        """Whether the hands are free at their goals, and can let go there if they are to."""
        checker, tally = self._problem.checker, self._problem.tally
        checker.set_allowed_contacts(goal.contacts)
        contact = checker.contact(q) or (checker.contact(self._letting_go(q)) if goal.releases else None)
        checker.set_allowed_contacts([])
        if contact is not None:
            tally.blocked[contact.pair] += 1
        return contact is None

    def _letting_go(self, q: Array) -> Array:
        opened = q.copy()
        for hand in self._hands:
            for index, position in self._query.opening[hand].items():
                opened[index] = position
        return opened

    def _bears(self, goal: HandGoal, q: Array) -> bool:
        """Whether each arm can hold its half at q (n,)."""
        loads = [self._problem.load(each) for each in _both(goal)]
        return all(load is None or self._problem.bears(load, q) for load in loads)

    def _approach(self, goal: HandGoal, q: Array) -> Array | None:
        """(m, n) The way in to q (n,), straight with both hands; None where there is no room for it."""
        problem, checker = self._problem, self._problem.checker
        steps = round(goal.approach_distance / STEP)
        shares = np.arange(1, steps + 1) / max(steps, 1)
        one, other = (
            np.array([each.on_approach(each.approach_distance * share) for share in shares]).reshape(-1, 4, 4)
            for each in _both(goal)
        )
        joints = standing(problem.kinematics, self._joints)
        back = follow_both(problem.kinematics, self._hands, (one, other), self._opened(q), joints, APPROACH_TURN)
        if len(back) <= steps:
            problem.tally.not_straight += 1
            return None
        checker.set_allowed_contacts(goal.contacts)
        blocked = checker.first_not_free(back[:-1])
        checker.set_allowed_contacts([])
        contact = checker.contact(back[-1] if blocked is None else back[blocked])
        if blocked is not None or contact is not None:
            if contact is not None:
                problem.tally.blocked[contact.pair] += 1
            return None
        return back[::-1]

    def _lift(self, goal: HandGoal, q: Array) -> float:
        """[m] How high both hands can go together from q (n,)."""
        checker, kinematics = self._problem.checker, self._problem.kinematics
        one, other = (line(each.X_WH, UP, LIFT) for each in _both(goal))
        checker.set_allowed_contacts(goal.contacts)
        joints = standing(kinematics, self._joints)
        up = follow_both(kinematics, self._hands, (one, other), self._opened(q), joints, TURN, checker.first_not_free)
        checker.set_allowed_contacts([])
        return LIFT * (len(up) - 1) / len(one)

    def _connected(self, candidate: Candidate) -> Plan | Failure:
        problem, start = self._problem, self._opened(self._problem.start)
        path = problem.connect(start, candidate.approach[0], self._joints)
        if path is None:
            return problem.exhausted("the hands cannot be taken together to where they should be")
        indices: Indices = np.concatenate([self._joints, self._fingers])
        transit = with_fingers(path, problem.start[self._fingers], self._open)
        legs = [transit, candidate.approach[:, indices]]
        return problem.plan(legs, indices, self._query.duration, candidate.goal)

    def _opened(self, q: Array) -> Array:
        """(n,) The configuration with the fingers of hands open that are to take something."""
        q = q.copy()
        q[self._fingers] = self._open
        return q

    def _seen_from_base(self, hand: str, q: Array) -> Array:
        X: Array = inverse(planar(*q[:3])) @ self._problem.kinematics.pose(hand, q)
        return X

    def _failure(self, found: int, failures: Sequence[Failure]) -> Failure:
        tally, hands = self._problem.tally, " and ".join(self._hands)
        facts: dict[str, object] = {"goals": len(self._query.goals), **self._problem.work()}
        if found:
            message = f"none of {found} configurations with both hands at a goal could be connected"
            return Failure(FailureKind.PLANNER_EXHAUSTED, "planner", message, facts, failures[-1] if failures else None)
        if tally.too_heavy:
            message = f"the {hands} hands cannot hold it together at any goal: {tally.too_heavy}"
            return Failure(FailureKind.IK_EXHAUSTED, "planner", message, facts)
        if tally.reached or tally.nearest is None:
            message = f"none of {tally.reached} configurations with both hands at a goal will do"
            facts |= {**most_often(tally.blocked), "not_straight": tally.not_straight}
            kind = FailureKind.COLLISION if tally.blocked else FailureKind.IK_EXHAUSTED
            return Failure(kind, "planner", message, facts)
        message = f"the {hands} hands reach no two goals at once; {tally.nearest.words()}"
        return Failure(FailureKind.IK_EXHAUSTED, "planner", message, facts | tally.nearest.facts(self._robot))


def _both(goal: HandGoal) -> tuple[HandGoal, HandGoal]:
    assert goal.partner is not None
    return goal, goal.partner
