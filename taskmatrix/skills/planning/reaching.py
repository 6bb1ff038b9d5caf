"""Planning from a configuration to operational space, with many goals (Definition 7 of the skill set)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import HandGoal, Plan
from taskmatrix.core.world.objects import Array

from ..kinematics.load import BORNE
from ..kinematics.nearest import most_often
from .goals import LOADED, Arrival, Candidate, GoalSampler
from .problem import Problem
from .queries import PoseQuery
from .seeds import SeedSampler

NEAR = 2.0  # [m] tree nodes this near an operational goal try inverse kinematics (thesis 5.5.4)
ATTEMPTS = 504  # inverse kinematics descents before giving up
FROM_START = 8  # of them begin at the start
BATCHES = 16, 32  # are made at once after that, and from then on
ENOUGH = 4  # candidates from which the object can be seen, and lifted
CLOSELY = 4  # of the others are looked at at once, the nearest first
TRIED = 8  # candidates that are connected to the start, the best first
ROUNDS = 3  # trees grown for each hand when no candidate could be connected
NODES = 40  # of each tree that try inverse kinematics, the nearest first


class Reaching:
    """Finds configurations for the goals and connects one of them; if none can be, RDT-IK (thesis 5.5.4).

    Args:
        problem: What to plan with.
        query: The goals.
        targets: (3,) [m] By object id, the point to look at.
    """

    def __init__(self, problem: Problem, query: PoseQuery, targets: Mapping[str, Array]) -> None:
        self._problem, self._query = problem, query
        self._sampler = GoalSampler(problem, targets, query.chains, query.opening)
        self._seeds = SeedSampler(
            problem.kinematics, problem.start, problem.random, query.chains, targets, problem.checker.are_free
        )

    def plan(self) -> Plan | Failure:
        """A motion to one of the goals, or why there is none.

        One on which the head may turn to the goal's object all the while, if there is one among those that are tried.
        """
        ways: list[tuple[Array, Candidate]] = []
        failures: list[Failure] = []
        tried = 0
        for candidate in islice(self._candidates(), TRIED):
            tried += 1
            hand = candidate.goal.hand
            joints = self._sampler.joints(hand)
            start = self._sampler.opened(self._problem.start, hand)
            path = self._problem.connect(start, candidate.approach[0], joints)
            if path is not None:
                plan = self._with_approach(path, candidate)
                if isinstance(plan, Plan):
                    return plan
                failures.append(plan)
                ways.append((path, candidate))
        for path, candidate in ways:
            plan = self._with_approach(path, candidate, turning=False)
            if isinstance(plan, Plan):
                return plan
        grown = self.rdt_ik() if self._problem.tally.reached and not self._problem.keep else None
        return grown or self._failure(tried, failures)

    def _candidates(self) -> Iterator[Candidate]:
        """Candidates, those first from which the object can be seen, and lifted, and of these the nearest to the start.

        It goes on looking as long as there are too few of them. What cannot see the object is looked at closely only
        when there is nothing else; last come those that cannot lift it as high as they should, the highest first, or
        only with nearly all that their motors have.
        """
        seeing: list[Candidate] = []
        unable: list[Candidate] = []
        others: list[Arrival] = []
        for arrivals in self._arrivals():
            found = self._sampler.candidates([item for item in arrivals if item.faces])
            seeing += [item for item in found if item.easy]
            unable += [item for item in found if not item.easy]
            others += [item for item in arrivals if not item.faces]
            if len(seeing) >= ENOUGH:
                yield from sorted(seeing, key=_cost)
                seeing.clear()
        yield from sorted(seeing, key=_cost)
        others.sort(key=_cost)
        for first in range(0, len(others), CLOSELY):
            found = self._sampler.candidates(others[first : first + CLOSELY])
            yield from (item for item in found if item.easy)
            unable += [item for item in found if not item.easy]
        yield from sorted(unable, key=_wanting)

    def _arrivals(self) -> Iterator[list[Arrival]]:
        """What inverse kinematics finds, from the start and then from elsewhere, in rounds of many at once."""
        problem, goals = self._problem, self._sampler.fitting(self._query.goals)
        counts = (FROM_START, BATCHES[0], *[BATCHES[1]] * ((ATTEMPTS - FROM_START - BATCHES[0]) // BATCHES[1]))
        for batch, count in enumerate(counts if goals else ()):
            chosen = [goals[k] for k in problem.random.integers(len(goals), size=count)]
            seeds = self._seeds.draw(chosen) if batch else np.tile(problem.start, (count, 1))
            yield self._sampler.arrivals(chosen, seeds)
            problem.progress(problem.work())

    def rdt_ik(self) -> Plan | None:
        """Grow a tree from the start and try inverse kinematics from its nodes near a goal (thesis 5.5.4)."""
        problem = self._problem
        hands = sorted({goal.hand for goal in self._query.goals})
        for attempt in range(ROUNDS * len(hands)):
            hand = hands[attempt % len(hands)]
            goals = [goal for goal in self._query.goals if goal.hand == hand]
            joints = self._sampler.joints(hand)
            start = self._sampler.opened(problem.start, hand)
            space = problem.space(start, joints, [goal.X_WH[:2, 3] for goal in goals])
            distance = self._distance(hand, goals, start)
            tree = space.grow(start[joints], problem.seed + attempt, problem.settings.checks)
            problem.progress(problem.work())
            near = sorted((distance(node), index) for index, node in enumerate(tree.nodes))
            for far, index in near[:NODES]:
                if far > NEAR:
                    break
                node = start.copy()
                node[joints] = tree.nodes[index]
                goal = goals[int(problem.random.integers(len(goals)))]
                for candidate in self._sampler.candidates(self._sampler.arrivals([goal], node[None])):
                    last = space.direct(node[joints], candidate.approach[0][joints]) if candidate.whole else None
                    if last is None:
                        continue
                    path = np.vstack([tree.branch(index), last[1:]])
                    plan = self._with_approach(problem.shortened(path, space), candidate)
                    if isinstance(plan, Plan):
                        return plan
        return None

    def _distance(self, hand: str, goals: list[HandGoal], start: Array) -> Callable[[Array], float]:
        """From values of the hand's joints (k,) to the distance [m] of the hand from the nearest goal."""
        places = np.array([goal.X_WH[:3, 3] for goal in goals])
        joints, q = self._sampler.joints(hand), start.copy()

        def distance(values: Array) -> float:
            q[joints] = values
            p_WH = self._problem.kinematics.pose(hand, q)[:3, 3]
            return float(np.linalg.norm(places - p_WH, axis=1).min())

        return distance

    def _with_approach(self, path: Array, candidate: Candidate, turning: bool = True) -> Plan | Failure:
        """Add the fingers and the approach to a path; ``turning`` is whether the head may turn meanwhile."""
        hand = candidate.goal.hand
        joints, opening = self._sampler.joints(hand), self._sampler.opening(hand)
        fingers = np.array(sorted(opening), dtype=np.intp)
        indices = np.concatenate([joints, fingers])
        opened = np.array([opening[int(index)] for index in fingers])
        transit = with_fingers(path, self._problem.start[fingers], opened)
        legs = [transit, candidate.approach[:, indices]]
        turn = self._turn(candidate.goal) if turning else None
        return self._problem.plan(legs, indices, self._query.duration, candidate.goal, turn)

    def _turn(self, goal: HandGoal) -> Callable[[Array], Array] | None:
        """Turns the head to the goal's object, as somebody may while the hand is on its way; None without a head."""
        before = self._sampler.facing(goal, self._problem.start[None])
        if before is None:
            return None
        head = list(self._problem.kinematics.robot.chains["head"])

        def turn(Q: Array) -> Array:
            Q = Q.copy()
            Q[:, head] = before[0][0, head]
            facing = self._sampler.facing(goal, Q, following=True)
            return Q if facing is None else facing[0]

        return turn

    def _failure(self, candidates: int, failures: list[Failure]) -> Failure:
        tally = self._problem.tally
        facts: dict[str, object] = {"goals": len(self._query.goals)}
        if candidates:
            message = f"none of {candidates} configurations at a goal could be connected"
            failure = self._problem.exhausted(message, **facts)
            return Failure(
                failure.kind, failure.where, failure.message, failure.facts, failures[-1] if failures else None
            )
        if tally.too_heavy:
            message = f"the hand cannot hold it at any goal: {tally.too_heavy}"
            kind, facts = FailureKind.IK_EXHAUSTED, {**facts, **most_often(tally.blocked)}
        elif tally.blocked or tally.reached or tally.nearest is None:
            message = f"neither the hand at a goal nor any of {tally.reached} configurations found there will do"
            kind = FailureKind.COLLISION if tally.blocked else FailureKind.IK_EXHAUSTED
            facts |= {**most_often(tally.blocked), "not_straight": tally.not_straight, "beyond_limits": tally.beyond}
        else:
            message, kind = f"no goal is within reach; {tally.nearest.words()}", FailureKind.IK_EXHAUSTED
        if tally.nearest is not None and not tally.reached:
            facts |= tally.nearest.facts(self._problem.kinematics.robot)
        return Failure(kind, "planner", message, {**facts, **self._problem.work()})


def _cost(item: Arrival) -> float:
    return item.cost


def _wanting(item: Candidate) -> tuple[bool, bool, float, bool, bool, float]:
    return item.load > BORNE, not item.whole, -item.lift, item.load > LOADED, not item.faces, item.cost


def with_fingers(path: Array, closed: Array, opened: Array) -> Array:
    """(m, k + f) The path (m, k) with fingers going from ``closed`` (f,) to ``opened`` (f,) in its first part."""
    if len(path) == 2 and len(opened):
        path = np.vstack([path[0], path[0] + 0.4 * (path[1] - path[0]), path[1]])
    lengths = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    share = np.minimum(1.0, along / max(along[-1] * 0.4, 1e-9))[:, None]
    return np.hstack([path, closed + share * (opened - closed)])
