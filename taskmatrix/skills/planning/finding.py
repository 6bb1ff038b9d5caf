"""Configurations at goals, or why there are none (Definition 5 of the skill set)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Goal, GoalSolution, HandGoal, Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.kernel.ik.ik import BatchSolution, IkSettings, random_number, solve_each

from ..collision.collision import CollisionChecker
from ..kinematics.ik import LEVER
from ..kinematics.kinematics import Kinematics
from ..kinematics.nearest import Nearest, most_often, nearest_missed
from .goals import alike
from .queries import IkQuery
from .query_checks import check_ik_query
from .seeds import SeedSampler, anywhere

ONE_DESCENT = IkSettings(attempts=1)
FEW, MANY = 8, 32  # descents made at once, at first and from then on
TOGETHER, AT_ONCE = 6, 2  # rounds of descents to many goals, and descents to each in all but the first


@dataclass(frozen=True, eq=False)
class _Round:
    """Descents that are made at once, (b,) each."""

    goals: Indices
    """To which of the goals."""
    starts: Array
    """(b, n) From where."""
    seed: int
    """Of the random configurations."""
    scattered: bool = True
    """Whether they begin at random configurations."""
    refined: bool = False
    """Whether to come as near as possible where a goal is not reached."""


class Finder:
    """Answers one query; the answer depends on its arguments and the world only.

    Args:
        kinematics: Of the robot.
        checker: Knows the world; it keeps the allowed contacts that were in force.
        allowed_contacts: Those.
        query: What is asked.

    Raises:
        ParameterError: As for :meth:`taskmatrix.core.robot.skillset.SkillSet.find_configuration`.
        NotFoundError: Likewise.
    """

    def __init__(
        self,
        kinematics: Kinematics,
        checker: CollisionChecker,
        allowed_contacts: Iterable[AllowedContact],
        query: IkQuery,
    ) -> None:
        self._kinematics, self._checker, self._allowed_contacts, self._query = (
            kinematics,
            checker,
            tuple(allowed_contacts),
            query,
        )
        self._robot = kinematics.robot
        check_ik_query(self._robot, query)
        self._chains = {hand: self._chain(hand) for hand in dict.fromkeys(goal.hand for goal in query.goals)}
        anchor = query.starts[0] if query.reference is None else query.reference
        self._from_anchor: Callable[[Array], float] = lambda q: float(
            np.linalg.norm(kinematics.displacement * (q - anchor))
        )
        self._attempts = self._iterations = 0
        self._first_check = checker.checks
        self._blocked: Counter[tuple[str, str]] = Counter()
        self._nearest: Nearest | None = None
        self._found: list[tuple[float, GoalSolution]] = []
        self._refused: list[tuple[float, GoalSolution]] = []

    def find(self) -> GoalSolution | Failure:
        """A configuration at one of the goals, or why there is none."""
        for descents in self._rounds():
            self._descend(descents)
            if len(self._found) >= self._query.choices:
                break
        if not self._found and not self._refused and self._nearest is not None:
            self._descend(self._last_try(self._nearest))
        if not self._found:
            return self._failure()
        return replace(_first(self._found), work=self._work())

    def find_each(self) -> list[GoalSolution | Failure]:
        """For each goal a configuration, or why there is none: a few descents to all at once, then one by one."""
        goals, here, seed = self._query.goals, self._query.starts[:1], random_number(self._query.seed)
        moves_base = self._query.chains is not None and "base" in self._query.chains
        found = dict[int, GoalSolution]()
        for turn in range(1 if moves_base else TOGETHER):
            left = np.repeat([k for k in range(len(goals)) if k not in found], AT_ONCE if turn else 1)
            if not len(left):
                break
            starts = np.repeat(here, len(left), axis=0)
            self._descend(_Round(left, starts, seed + turn * AT_ONCE * len(goals), scattered=turn > 0))
            for _, solution in sorted(self._found, key=lambda way: way[0]):
                found.setdefault(solution.number, replace(solution, work=self._work()))
            self._found.clear()
        answers: list[GoalSolution | Failure] = []
        for number, goal in enumerate(goals):
            answer = found.get(number) or self._alone(goal).find()
            answers.append(answer if isinstance(answer, Failure) else replace(answer, number=number))
        return answers

    def _alone(self, goal: Goal) -> Finder:
        return Finder(self._kinematics, self._checker, self._allowed_contacts, replace(self._query, goals=(goal,)))

    def _chain(self, hand: str) -> Chain:
        """What moves a hand, the base within its range."""
        query, robot = self._query, self._robot
        chains = (robot.hands[hand].arm,) if query.chains is None else query.chains
        chain = self._kinematics.chain(hand, robot.indices(*chains))
        if not len(chain.indices):
            named = ", ".join(f"'{name}'" for name in chains)
            message = (
                f"none of the chains {named} moves the {hand} hand" if chains else f"no chain moves the {hand} hand"
            )
            raise ParameterError(f"{message}; its arm is '{robot.hands[hand].arm}'")
        if chain.indices[0] > 1:
            return chain
        low, high = robot.lower.copy(), robot.upper.copy()
        here = np.clip(query.starts[0, :2], low[:2], high[:2])
        low[:2], high[:2] = here - query.base_range, here + query.base_range
        return chain.narrowed(low, high)

    def _sampler(self, random: np.random.Generator) -> SeedSampler | None:
        """Draws places for the base, if that may move."""
        query, robot = self._query, self._robot
        if query.chains is None or "base" not in query.chains:
            return None
        arms = {hand.arm for hand in robot.hands.values()}
        chains = [chain for chain in query.chains if chain not in arms]
        are_free = self._checker.are_free if query.free else anywhere
        middle = (robot.lower + robot.upper) / 2.0
        return SeedSampler(self._kinematics, query.starts[0], random, chains, are_free=are_free, posture=middle)

    def _rounds(self) -> Iterator[_Round]:
        """From every start to every goal, the nearest first; then from random configurations, the goals in turn."""
        starts, attempts = self._query.starts, self._query.attempts
        errors = self._errors(starts)
        order = np.argsort(errors, axis=None, kind="stable")
        nearest = np.argsort(errors[0], kind="stable")
        for first, last in _slices(len(order)):
            rows, goals = np.divmod(order[first:last], errors.shape[1])
            yield _Round(goals, starts[rows], 0, scattered=False)
        random = np.random.default_rng(random_number(self._query.seed))
        seed, places = random_number(random), self._sampler(random)
        for first, last in _slices(attempts):
            rows, goals = np.divmod(np.arange(first, last), len(nearest))
            yield self._scattered(places, nearest[goals], starts[rows % len(starts)], seed + first)

    def _scattered(self, places: SeedSampler | None, goals: Indices, starts: Array, seed: int) -> _Round:
        """Descents to goals from random configurations; if the base may move, from places within reach of them."""
        if places is None:
            return _Round(goals, starts, seed)
        chosen, starts = [self._query.goals[k] for k in goals], starts.copy()
        for row, (goal, q) in enumerate(zip(chosen, places.draw(chosen), strict=True)):
            moving = self._chains[goal.hand].indices
            starts[row, moving] = q[moving]
        return _Round(goals, starts, seed, scattered=False)

    def _errors(self, starts: Array) -> Array:
        """(s, t) [m] How far the hands are from the goals at the starts (s, n); zeros where one way is all there is."""
        goals = self._query.goals
        if len(starts) == len(goals) == 1:
            return np.zeros((1, 1))
        turned = np.array([isinstance(goal, HandGoal) for goal in goals])
        places = np.array([goal.p_WH for goal in goals])
        axes = np.array([goal.X_WH[:3, :3] if isinstance(goal, HandGoal) else np.eye(3) for goal in goals])
        poses = [{hand: self._kinematics.pose(hand, start) for hand in self._chains} for start in starts]
        X = np.array([[here[goal.hand] for goal in goals] for here in poses])
        cosines = (np.einsum("tij,stij->st", axes, X[..., :3, :3]) - 1.0) / 2.0
        angles = np.where(turned, np.arccos(np.clip(cosines, -1.0, 1.0)), 0.0)
        errors: Array = np.linalg.norm(places - X[..., :3, 3], axis=2) + LEVER * angles
        return errors

    def _last_try(self, nearest: Nearest) -> _Round:
        """From the nearest, to its goal, as near as possible."""
        number = next(k for k, goal in enumerate(self._query.goals) if goal is nearest.goal)
        return _Round(np.array([number]), nearest.q[None], 0, scattered=False, refined=True)

    def _descend(self, descents: _Round) -> None:
        """Make descents, and keep those that will do."""
        kinds: dict[tuple[str, bool], list[int]] = {}
        goals = [self._query.goals[k] for k in descents.goals]
        for row, goal in enumerate(goals):
            kinds.setdefault((goal.hand, isinstance(goal, HandGoal)), []).append(row)
        arrived: dict[int, tuple[Array, float, float]] = {}
        for (hand, _), rows in kinds.items():
            solved = self._solved(self._chains[hand], [goals[k] for k in rows], descents, rows)
            for k in np.flatnonzero(solved.reached).tolist():
                arrived[rows[k]] = solved.q[k], float(solved.distance[k]), float(solved.angle[k])
        rows = sorted(arrived)
        free = self._free([goals[row] for row in rows], [arrived[row][0] for row in rows])
        for row, is_free in zip(rows, free, strict=True):
            solution = GoalSolution(*arrived[row], goals[row], int(descents.goals[row]), {})
            (self._found if is_free else self._refused).append((self._from_anchor(solution.q), solution))

    def _solved(self, chain: Chain, goals: Sequence[Goal], descents: _Round, rows: Sequence[int]) -> BatchSolution:
        """What descents of one hand come to."""
        targets = np.array([goal.X_WH if isinstance(goal, HandGoal) else goal.p_WH for goal in goals])
        starts = descents.starts[rows]
        if isinstance(goals[0], HandGoal) and not descents.scattered:
            starts = self._kinematics.towards(goals[0].hand, chain.indices, targets, starts)
        solved = solve_each(
            chain,
            targets,
            starts,
            ONE_DESCENT,
            reference=self._query.reference,
            seed=descents.seed,
            scattered=descents.scattered,
            refined=descents.refined,
        )
        self._attempts += len(rows)
        self._iterations += int(solved.iterations.sum())
        missed = nearest_missed(solved, goals, chain)
        if missed is not None and (self._nearest is None or missed.error < self._nearest.error):
            self._nearest = missed
        return solved

    def _free(self, goals: Sequence[Goal], Q: Sequence[Array]) -> NDArray[np.bool_]:
        """(b,) Whether configurations at goals are free, as far as that is asked for; what is in contact is counted."""
        free = np.ones(len(Q), dtype=bool)
        if self._query.free and len(Q):
            try:
                for touch, rows in alike(goals):
                    self._checker.set_allowed_contacts(
                        [*self._allowed_contacts, *([touch] if touch is not None else [])]
                    )
                    contacts = self._checker.contacts(np.array([Q[k] for k in rows]))
                    free[rows] = [pair is None for pair in contacts]
                    self._blocked.update(pair for pair in contacts if pair is not None)
            finally:
                self._checker.set_allowed_contacts(self._allowed_contacts)
        return free

    def _work(self) -> dict[str, int]:
        return {
            "ik_attempts": self._attempts,
            "ik_iterations": self._iterations,
            "collision_checks": self._checker.checks - self._first_check,
        }

    def _failure(self) -> Failure:
        facts: dict[str, object] = {"goals": len(self._query.goals)}
        kind, nearest = FailureKind.IK_EXHAUSTED, self._nearest
        if self._refused:
            kind, refused = FailureKind.COLLISION, _first(self._refused)
            at_limits = self._chains[refused.goal.hand].at_limits(refused.q)
            nearest = Nearest(refused.q, refused.distance, refused.angle, at_limits, refused.goal)
            message = f"none of {len(self._refused)} configurations at a goal is free of contact"
            facts = {**most_often(self._blocked), **facts}
        assert nearest is not None
        if not self._refused:
            message = f"no goal is within reach; {nearest.words()}"
        return Failure(kind, "inverse kinematics", message, {**facts, **nearest.facts(self._robot), **self._work()})


def _slices(count: int) -> Iterator[tuple[int, int]]:
    """First and last numbers of rounds of so many descents in all: a few at first, then many."""
    first = 0
    while first < count:
        last = min(first + (MANY if first else FEW), count)
        yield first, last
        first = last


def _first(ways: Sequence[tuple[float, GoalSolution]]) -> GoalSolution:
    """The one that costs least, of equals the first."""
    return min(ways, key=lambda way: way[0])[1]
