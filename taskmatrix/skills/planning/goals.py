"""From goals of a hand to whole configurations: inverse kinematics with restarts, approach, gaze and collisions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.robot.plans import AllowedContact, Goal, HandGoal, Indices
from taskmatrix.core.world.geometry import wrap
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.ik import IkSettings, solve_each

from ..kinematics.kinematics import in_limits
from ..kinematics.nearest import nearest_missed
from ..kinematics.view import face_each
from ..tolerances import IN_VIEW
from .along import longest
from .problem import Problem
from .retreat import LIFT, UP
from .straight_motion import STEP, arm_first, line, standing, straight

APPROACH_TURN = 0.12  # [rad] that no joint may exceed between two steps of the approach: the arm would flip
LOADED = 0.6  # the rest is for what pushes
OPENING = 9  # configurations in which fingers open that let go of something
ROOM = 0.0005  # [m] that they have then, at least
ONE_DESCENT = IkSettings(attempts=1)

Key = TypeVar("Key")


@dataclass(frozen=True, eq=False)
class Arrival:
    """A free configuration at a goal."""

    goal: HandGoal
    """Which."""
    q: Array
    """(n,) The configuration."""
    faces: bool
    """Whether the view can face the object from there; true if there is nothing to look at, or nothing to turn."""
    cost: float
    """[m] Displacement from the start."""


@dataclass(frozen=True, eq=False)
class Candidate(Arrival):
    """One to which the approach can be gone."""

    approach: Array
    """(m, n) Configurations of the approach; the first is free without touching, the last takes the goal."""
    whole: bool
    """Whether the approach is as long as it should be."""
    lift: float
    """[m] How high the hand can lift the object from there; more than enough if it is not to grasp one."""
    load: float
    """Of the torques of the arm's motors, what the one that is nearest to its limit needs to hold the object there."""

    @property
    def easy(self) -> bool:
        """Whether nothing of this is wanting."""
        return self.whole and self.lift >= LIFT and self.load <= LOADED


class GoalSampler:
    """Finds configurations for goals, many at once.

    Args:
        problem: Start, collision checks and tally.
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
        chains = dict.fromkeys([*self._chains, self._robot.hands[hand].arm])
        return np.array(self._robot.indices(*chains), dtype=np.intp)

    def opened(self, q: Array, hand: str) -> Array:
        """(..., n) Configurations with the fingers of a hand open, if it holds nothing."""
        return _with(q, self.opening(hand))

    def opening(self, hand: str) -> Mapping[int, float]:
        """Positions of the fingers that open on the way."""
        return {} if self._checker.holds(hand) else self._opening.get(hand, {})

    def fitting(self, goals: Sequence[HandGoal]) -> list[HandGoal]:
        """Those where the hand, open and without its arm, is free, and where the approach to it begins.

        Where no margin is left between any hand and what it opens around, none is asked for.
        """
        fit = self._fitting(goals)
        if fit or not goals:
            return fit
        for touch, _ in alike(goals):
            if touch is not None:
                for checker in (self._checker, self._problem.fine):
                    checker.relax_contact(touch)
        return self._fitting(goals)

    def _fitting(self, goals: Sequence[HandGoal]) -> list[HandGoal]:
        fits = np.ones(len(goals), dtype=bool)
        for touch, rows in alike(goals):
            hand = goals[rows[0]].hand
            q = self.opened(self._problem.start, hand)
            for begins in (False, True):
                left = rows[fits[rows]]
                if len(left):
                    X = np.array([goals[k].X_WB if begins else goals[k].X_WH for k in left])
                    self._permit(None if begins else touch)
                    fits[left] = self._count(self._checker.hand_contacts(hand, X, q))
        self._permit(None)
        return [goal for goal, fit in zip(goals, fits, strict=True) if fit]

    def arrivals(self, goals: Sequence[HandGoal], seeds: Array) -> list[Arrival]:
        """Descend from seeds (b, n), each to its goal, and check what is found; in the order of the goals."""
        found: dict[int, Arrival] = {}
        for touch, rows in alike(goals):
            for row, arrival in self._arrived([goals[k] for k in rows], seeds[rows], touch):
                found[int(rows[row])] = arrival
        self._permit(None)
        return [found[k] for k in sorted(found)]

    def candidates(self, arrivals: Sequence[Arrival]) -> list[Candidate]:
        """Those of the arrivals to which the approach can be gone, in their order."""
        found: dict[int, Candidate] = {}
        for touch, rows in alike([arrival.goal for arrival in arrivals]):
            for row, candidate in self._approached([arrivals[k] for k in rows], touch):
                found[int(rows[row])] = candidate
        self._permit(None)
        return [found[k] for k in sorted(found)]

    def facing(self, goal: HandGoal, Q: Array, following: bool = False) -> tuple[Array, Array] | None:
        """Configurations Q (b, n) with the head turned to the goal's object, see :func:`~.view.face_each`.

        None if there is nothing to look at, or nothing to turn.
        """
        point = self._targets.get(goal.object) if goal.object is not None else None
        if point is None or self._robot.view is None or not len(self._head):
            return None
        return face_each(self._kinematics, point, self._head, Q, following=following)

    def _arrived(
        self, goals: Sequence[HandGoal], seeds: Array, touch: AllowedContact | None
    ) -> Iterator[tuple[int, Arrival]]:
        """Arrivals at goals of one hand, with their numbers."""
        hand, start, tally = goals[0].hand, self._problem.start, self._problem.tally
        joints = self.joints(hand)
        targets = np.array([goal.X_WH for goal in goals])
        chain = self._kinematics.chain(hand, joints)
        starts = self._kinematics.towards(hand, joints, targets, self.opened(seeds, hand))
        solved = solve_each(chain, targets, starts, ONE_DESCENT)
        tally.attempts += len(goals)
        nearest = nearest_missed(solved, goals, chain)
        if nearest is not None:
            tally.missed(nearest)
        Q, rows = solved.q, np.flatnonzero(solved.reached).tolist()
        tally.reached += len(rows)
        if self._base:
            Q[:, 2] = [wrap(yaw, start[2]) for yaw in Q[:, 2]]
        within = [k for k in rows if in_limits(self._robot, Q[k], joints)]
        tally.beyond += len(rows) - len(within)
        free = self._free(within, Q[within], touch)
        free = [k for k in free if not goals[k].releases or self._can_let_go(hand, Q[k], touch)]
        facing = self.facing(goals[0], Q[free]) if free else None
        sees = dict.fromkeys(free, True)
        if facing is not None:
            sees = dict(zip(free, (facing[1] < IN_VIEW).tolist(), strict=True))
            free = self._free(free, facing[0], touch)
        for k in free:
            cost = float(np.linalg.norm(self._problem.displacement * (Q[k] - start)))
            yield k, Arrival(goals[k], Q[k], sees[k], cost)

    def _can_let_go(self, hand: str, q: Array, touch: AllowedContact | None) -> bool:
        """Whether the fingers of a hand that holds something have room to open at q (n,), all the way."""
        opening = np.linspace(q, _with(q, self._opening.get(hand, {})), OPENING)[1:]
        if len(self._free(range(len(opening)), opening, touch)) < len(opening):
            return False
        pairs = [] if touch is None else self._checker.pairs_of(touch).tolist()
        return all(self._checker.distances(pairs, each).min(initial=np.inf) >= ROOM for each in opening)

    def _approached(self, arrivals: Sequence[Arrival], touch: AllowedContact | None) -> Iterator[tuple[int, Candidate]]:
        """Candidates from arrivals at goals of one hand, with their numbers.

        An approach that cannot be gone straight as far as it should will do if it begins free of contact.
        """
        back = [self._back(arrival) for arrival in arrivals]
        steps = [_steps(arrival.goal) for arrival in arrivals]
        rows = [k for k, stretch in enumerate(back) if len(stretch) > min(steps[k], 1)]
        self._problem.tally.not_straight += len(back) - len(rows)
        moving = [k for k in rows if len(back[k]) > 1]
        begun = self._free(moving, [back[k][-1] for k in moving], None)
        between = [(k, i) for k in begun for i in range(1, len(back[k]) - 1)]
        gone = self._free(between, [back[k][i] for k, i in between], touch)
        blocked = {*(set(moving) - set(begun)), *(k for k, _ in set(between) - set(gone))}
        for k in rows:
            if k not in blocked:
                whole, lift = len(back[k]) > steps[k], self._lift(arrivals[k], touch)
                load, bearable = self._load(arrivals[k], back[k])
                if bearable:
                    yield k, Candidate(**vars(arrivals[k]), approach=back[k][::-1], whole=whole, lift=lift, load=load)

    def _back(self, arrival: Arrival) -> Array:
        """(m, n) The approach from its end towards where it begins, as far as it can be gone straight.

        What is put down may be tilted on the way.
        """
        goal, steps = arrival.goal, _steps(arrival.goal)
        if not steps:
            return arrival.q[None]
        X = np.array([goal.on_approach(goal.approach_distance * k / steps) for k in range(1, steps + 1)])
        joints = standing(self._kinematics, self.joints(goal.hand))
        holds = self._checker.holds(goal.hand)
        return straight(self._kinematics, goal.hand, X, arrival.q, [joints], APPROACH_TURN, tilting=holds is not None)

    def _lift(self, arrival: Arrival, touch: AllowedContact | None) -> float:
        """[m] How high a hand that has grasped the goal's object can lift it, until a joint is at its end."""
        hand = arrival.goal.hand
        if arrival.goal.onward is not None:
            return LIFT * self._led(arrival, arrival.goal.onward, touch)
        if arrival.goal.object is None or self._checker.holds(hand):
            return np.inf
        way = line(self._kinematics.pose(hand, arrival.q), UP, LIFT)
        choices = arm_first(self._kinematics, hand, self.joints(hand))
        self._permit(touch)
        lifted = straight(self._kinematics, hand, way, arrival.q, choices, first_blocked=self._first_blocked)
        return LIFT * (len(lifted) - 1) / len(way)

    def _led(self, arrival: Arrival, way: Array, touch: AllowedContact | None) -> float:
        """Share of a way that a hand can go with what it holds then.

        Nothing of a part that it takes or pushes is in the way; what it holds already may touch what the goal is on.
        """
        goal, joints = arrival.goal, self.joints(arrival.goal.hand)
        holds = self._checker.holds(goal.hand)
        taken = goal.pushes or (None if holds else goal.object)
        self._permit(touch if holds else None)

        def first_blocked(Q: Array) -> int | None:
            found = enumerate(zip(Q[1:], self._checker.contacts(Q[1:]), strict=True))
            return next((k for k, (q, pair) in found if pair is not None and blocks(q, pair)), None)

        def blocks(q: Array, pair: tuple[str, str]) -> bool:
            """Whether anything but what is taken is in the way; what is pushed may hide it."""
            if taken not in pair or goal.pushes is None:
                return taken not in pair
            return any(taken not in contact.pair for contact in self._checker.all_contacts(q))

        path = longest(self._kinematics, goal.hand, way, arrival.q, joints, first_blocked)
        if goal.pushes and not self._meets(AllowedContact(goal.hand, goal.pushes), path):
            return 0.0  # it goes past it
        share = (len(path) - 1) / len(way)
        closed = first_blocked(np.array([path[-1], self.opened(path[-1], goal.hand)])) is not None
        return 0.9 * share if closed else share

    def _meets(self, touch: AllowedContact, path: Array) -> bool:
        """Whether what a hand touches with gets where the object is on a path (m, n), and nothing else before."""
        pairs, links = self._checker.pairs_of(touch).tolist(), self._robot.hands[touch.hand].touch
        for q, pair in zip(path, self._checker.contacts(path), strict=True):
            if pair is not None and touch.object in pair:
                if self._checker.distances(pairs, q).min(initial=np.inf) <= 0.0:
                    return True
                if not set(pair) & set(links):
                    return False
        return False

    def _load(self, arrival: Arrival, back: Array) -> tuple[float, bool]:
        """Of the arm with what the hand grasps or holds, zero without; and whether it can hold that on its way in."""
        held = self._problem.heavy.get(arrival.goal.hand)
        if held is not None and not (self._problem.bears(held, back[0]) and self._problem.bears(held, back[-1])):
            return np.inf, False
        load = self._problem.load(arrival.goal)
        if load is None:
            return 0.0, True
        return load.share(self._kinematics, arrival.q), held is not None or self._problem.bears(load, arrival.q)

    def _first_blocked(self, Q: Array) -> int | None:
        return self._checker.first_not_free(Q[1:])

    def _free(self, rows: Sequence[Key], Q: Sequence[Array] | Array, touch: AllowedContact | None) -> list[Key]:
        """Those of some rows whose configurations Q, (n,) each, are free where a touch is permitted."""
        if not len(rows):
            return []
        self._permit(touch)
        free = self._count(self._checker.contacts(np.asarray(Q)))
        return [row for row, is_free in zip(rows, free, strict=True) if is_free]

    def _count(self, contacts: Sequence[tuple[str, str] | None]) -> NDArray[np.bool_]:
        """(m,) Where there is no contact; the others are counted."""
        self._problem.tally.blocked.update(pair for pair in contacts if pair is not None)
        return np.array([pair is None for pair in contacts], dtype=bool)

    def _permit(self, touch: AllowedContact | None) -> None:
        self._checker.set_allowed_contacts([touch] if touch is not None else [])


def alike(goals: Sequence[Goal]) -> Iterator[tuple[AllowedContact | None, NDArray[np.intp]]]:
    """The numbers of the goals of one hand and object, and the touch that is permitted there."""
    kinds: dict[tuple[str, str | None], list[int]] = {}
    for number, goal in enumerate(goals):
        kinds.setdefault((goal.hand, goal.object), []).append(number)
    for (hand, object), rows in kinds.items():
        yield AllowedContact(hand, object) if object else None, np.array(rows, dtype=np.intp)


def _steps(goal: HandGoal) -> int:
    """Number of steps into which the approach is divided."""
    return math.ceil(goal.approach_distance / STEP)


def _with(q: Array, positions: Mapping[int, float]) -> Array:
    """(..., n) Configurations with some joints elsewhere."""
    q = q.copy()
    for index, position in positions.items():
        q[..., index] = position
    return q
