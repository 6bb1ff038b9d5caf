"""Planning, from configuration to configuration and to operational space (Definitions 6 and 7 of the skill set)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Contact, HandGoal, HandsTogether, Indices, Plan
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots import Robot

from ..collision.bodies import bodies_of
from ..collision.collision import CollisionChecker
from ..constrained.projection import NEAR, broken
from ..kinematics.kinematics import Kinematics
from ..tolerances import FINE_MARGIN, FINE_SELF_MARGIN, MARGIN, SELF_MARGIN
from .along import plan_along
from .both_hands import ReachingWithBoth
from .handover import Handover
from .problem import (
    FINE_RESOLUTION,
    Problem,
    Progress,
    Tally,
    let_go,
)
from .queries import AlongQuery, CheckQuery, ClearQuery, ConfigurationQuery, HandoverQuery, PoseQuery, Query, Snapshot
from .query_checks import check_query
from .reaching import Reaching
from .retreat import BACK, FAR, Retreat, allowed_at_start, plan_retreat, step_aside
from .settings import PlannerSettings
from .trajectory_check import first_contact

SearchQuery = PoseQuery | ConfigurationQuery | HandoverQuery | ClearQuery | AlongQuery
RINGS = np.arange(0.05, 1.51, 0.05)  # [m] from here, the nearest first
PLACES = 16  # on each
TRIED = 6  # configurations to which a way is looked for
SLIDING = 0.005  # [m] over a margin, at which a hand that pushes goes along a surface as near as it is


class Planner:
    """Plans for one robot; every answer depends on its arguments only.

    Args:
        robot: The robot.
        settings: How it plans.
    """

    def __init__(self, robot: Robot, settings: PlannerSettings | None = None) -> None:
        self.robot, self.settings = robot, settings or PlannerSettings()
        self._kinematics = Kinematics(robot)
        self._exact = CollisionChecker(robot)
        self._checker = CollisionChecker(robot, MARGIN, SELF_MARGIN)
        self._fine = CollisionChecker(robot, FINE_MARGIN, FINE_SELF_MARGIN)

    def solve(self, snapshot: Snapshot, query: Query, progress: Progress = lambda work: None) -> Plan | Failure:
        """Answer a query.

        Args:
            snapshot: The robot and the world.
            query: What to plan.
            progress: Told the work done so far, now and then.

        Raises:
            ParameterError: A position, a pose or a duration is not a finite number, or not of its shape.
            NotFoundError: A hand, a chain or an object does not exist.
        """
        check_query(self.robot, snapshot, query)
        pushed = query.pushes if isinstance(query, AlongQuery) else None  # it goes ahead, and is not in the way
        objects = {id: item for id, item in snapshot.objects.items() if id != pushed}
        bodies = bodies_of(objects, snapshot.held, self._exact.bodies)
        for checker in (self._exact, self._checker, self._fine):
            checker.set_bodies(bodies)
            checker.set_space(snapshot.space)
            checker.set_allowed_contacts([])
            checker.set_moving(None)
            checker.relax([])
        if isinstance(query, CheckQuery):
            return self._check(snapshot, query.plan)
        if isinstance(query, HandoverQuery) and snapshot.held.get(query.giver, ("",))[0] != query.object:
            message = f"the {query.giver} hand does not hold '{query.object}'"
            return Failure(
                FailureKind.PRECONDITION, "planner", message, {"held": {h: id for h, (id, _) in snapshot.held.items()}}
            )
        first_check, moving = self._checker.checks, self._whole_chains(self._moving(query))
        apart = self._would_part(snapshot, query, moving)
        if apart is not None:
            return apart
        begin = self._along(snapshot, moving, query) if isinstance(query, AlongQuery) else None
        begin = begin or self._begin(snapshot, moving, query)
        if begin.blocked is not None:
            return begin.blocked
        found = self._found(snapshot, query, begin, moving, first_check, progress)
        exhausted = isinstance(found, Failure) and found.kind is FailureKind.PLANNER_EXHAUSTED
        if exhausted and not isinstance(query, AlongQuery):  # which ends where the hand was to go, and nowhere else
            aside = self._aside(begin, moving)
            again = self._found(snapshot, query, aside, moving, first_check, progress) if aside is not None else found
            found = found if isinstance(again, Failure) else again
        return found

    def _aside(self, begin: Retreat, moving: Indices) -> Retreat | None:
        """The retreat with a step of the base, if something is near where it ends; checkers know the robot there."""
        q = begin.path[-1]
        self._checker.relax([])
        cramped = bool(self._checker.touching(q))
        let_go(self._checker, self._fine, q, more=False)
        aside = step_aside(self.robot, self._checker, begin, moving) if cramped else None
        if aside is not None:
            let_go(self._checker, self._fine, aside.path[-1])
        return aside

    def _found(
        self,
        snapshot: Snapshot,
        query: SearchQuery,
        begin: Retreat,
        moving: Indices,
        first_check: int,
        progress: Progress,
    ) -> Plan | Failure:
        """A plan that begins with a retreat, or why there is none."""
        problem = Problem(
            self._kinematics,
            self._checker.displacement(self._kinematics.displacement),
            begin.path[-1],
            self._checker,
            self._fine,
            self.settings,
            query.seed,
            np.random.default_rng(query.seed),
            Tally(),
            progress,
            first_check,
            begin,
            snapshot,
            (*(query.keep if isinstance(query, PoseQuery) else ()), *self._together(snapshot)),
            query if isinstance(query, AlongQuery) else None,
        )
        found: Plan | Failure
        if isinstance(query, ClearQuery | AlongQuery):
            moved = np.flatnonzero(np.ptp(begin.path, axis=0) > 0.0)  # not fingers that hold: they press on
            joints = moved if len(moved) else moving[:1]
            found = problem.plan([problem.start[None, joints]], joints, query.duration, None)
        elif isinstance(query, ConfigurationQuery):
            found = self._to_configuration(problem, query)
        elif isinstance(query, HandoverQuery):
            model, X_HO = snapshot.objects[query.object][0], snapshot.held[query.giver][1]
            found = Handover(problem, query, X_HO, Percept(model, np.eye(4)).centre).plan()
            if isinstance(found, Failure) and problem.tally.too_heavy:  # two hands may bear together what one cannot
                problem = replace(problem, heeds=False, random=np.random.default_rng(query.seed), tally=Tally())
                found = Handover(problem, query, X_HO, Percept(model, np.eye(4)).centre).plan()
        else:
            keeping = self._keeping(query, begin.path[-1])
            if isinstance(keeping, Failure):
                return keeping
            query = keeping
            if query.for_both:
                found = ReachingWithBoth(problem, query).plan()
                return found if isinstance(found, Failure) else replace(found, world=snapshot)
            wanted = {goal.object for goal in query.goals}
            targets = {
                id: Percept(model, X_WO).centre for id, (model, X_WO) in snapshot.objects.items() if id in wanted
            }
            found = Reaching(problem, self._without_other_arms(query), targets).plan()
        return found if isinstance(found, Failure) else replace(found, world=snapshot)

    def _together(self, snapshot: Snapshot) -> tuple[HandsTogether, ...]:
        """What hands keep that hold one thing."""
        found, first = list[HandsTogether](), dict[str, str]()
        for hand, (id, X_HO) in snapshot.held.items():
            one = first.setdefault(id, hand)
            if one != hand:
                X = snapshot.held[one][1] @ inverse(X_HO)
                found.append(HandsTogether(one, hand, X, f"'{id}' in both hands"))
        return tuple(found)

    def _would_part(self, snapshot: Snapshot, query: SearchQuery, moving: Indices) -> Failure | None:
        """Why a query cannot be answered that is not about both hands which hold one thing; None if it can."""
        if isinstance(query, ClearQuery) or (isinstance(query, PoseQuery) and query.for_both):
            return None
        for both in self._together(snapshot):
            arms = self.robot.indices(*(self.robot.hands[hand].arm for hand in (both.hand, both.other)))
            led = isinstance(query, AlongQuery) and np.isin(arms, moving).all()
            if np.isin(moving, arms).any() and not led:
                message = f"the {both.hand} and {both.other} hands hold '{snapshot.held[both.hand][0]}' together"
                message += ": their arms move only with both, as Position, Putdown and Move move them"
                return Failure(FailureKind.PRECONDITION, "planner", message, {"hands": (both.hand, both.other)})
        return None

    def _begin(self, snapshot: Snapshot, moving: Indices, query: SearchQuery) -> Retreat:
        """How a plan that moves some joints begins; the checkers then know the robot at the end of that."""
        for checker in (self._checker, self._fine):
            checker.penetrations(snapshot.q)
        retreat_contacts = allowed_at_start(self._checker, snapshot)
        for checker in (self._checker, self._fine):
            checker.set_allowed_contacts(retreat_contacts)
        let_go(self._checker, self._fine, snapshot.q, more=False)
        for checker in (self._checker, self._fine):
            checker.set_moving(moving)
        random, back = np.random.default_rng([query.seed, 1]), FAR if isinstance(query, ClearQuery) else BACK
        begin = plan_retreat(self._kinematics, self._checker, snapshot.q, retreat_contacts, moving, random, back)
        for checker in (self._checker, self._fine):
            checker.set_allowed_contacts([])
        let_go(self._checker, self._fine, begin.path[-1])
        return begin

    def _along(self, snapshot: Snapshot, moving: Indices, query: AlongQuery) -> Retreat:
        """The way of a hand as a plan begins with it; the checkers then know the robot at its end."""
        pushed = query.pushes
        for checker in (self._checker, self._fine):
            checker.penetrations(snapshot.q)
            checker.relax([snapshot.q], more=False, near=0.0 if pushed is None else SLIDING)
            if query.until is not None:
                checker.relax_contact(AllowedContact(query.hand, query.until))
            checker.set_moving(moving)
        together = next((both for both in self._together(snapshot) if query.hand in (both.hand, both.other)), None)
        path = plan_along(self._kinematics, self._checker, query, snapshot.q, moving, together)
        if isinstance(path, Failure):
            return Retreat((snapshot.q[None],), (), blocked=path)
        return Retreat((path,), () if pushed is None else (AllowedContact(query.hand, pushed),))

    def _check(self, snapshot: Snapshot, plan: Plan) -> Plan | Failure:
        """The plan, if it will do in another world than it was made for."""
        target = plan.goal.object if plan.goal is not None else None
        made_for = plan.world
        if target is not None and isinstance(made_for, Snapshot) and not made_for.has_near_its_place(target, snapshot):
            return Failure(FailureKind.LOST_OBJECT, "planner", f"'{target}' moved while planning", {"object": target})
        displacement = self._exact.displacement(self._kinematics.displacement)
        self._exact.set_moving(plan.trajectory.indices)
        contact = first_contact(self._exact, plan, snapshot.q, displacement, FINE_RESOLUTION)
        if contact is None:
            return plan
        facts = {"pair": contact.pair, "distance": contact.distance}
        message = f"the world changed while planning: {contact.first} and {contact.second} would touch"
        return Failure(FailureKind.COLLISION, "planner", message, facts)

    def _to_configuration(self, problem: Problem, query: ConfigurationQuery) -> Plan | Failure:
        joints = self._moving(query)
        end = problem.start.clip(self.robot.lower, self.robot.upper)  # where a joint was pressed a little beyond
        end[list(query.goal)] = list(query.goal.values())
        for index in joints:
            low, high = self.robot.lower[index], self.robot.upper[index]
            if not low - 1e-9 <= end[index] <= high + 1e-9:
                name = self.robot.joints[index]
                facts = {"joint": name, "position": float(end[index]), "lower": float(low), "upper": float(high)}
                message = f"the goal of joint '{name}' is outside its limits"
                return Failure(FailureKind.JOINT_LIMIT, "planner", message, facts)
        self._exact.set_moving(joints)
        contact = self._exact.contact(end)
        if contact is not None and query.relaxed:
            others = np.setdiff1d(self.robot.indices(*query.relaxed), list(query.goal)).astype(np.intp)
            return _relaxed_goal(problem, self._exact, end, joints, others, query.duration) or _in_collision(
                "goal", contact
            )
        if contact is not None:
            return _in_collision("goal", contact)
        for load in problem.heavy.values():
            too_heavy = load.excess(self._kinematics, end)
            if too_heavy:
                message = f"at the goal {too_heavy}"
                return Failure(FailureKind.NOT_ABLE, "planner", message, {"object": load.object, "hand": load.hand})
        let_go(self._checker, self._fine, end)
        path = problem.connect(problem.start, end, joints)
        if path is None:
            problem = problem.closer()
            path = problem.connect(problem.start, end, joints)
        if path is None:
            return problem.exhausted("no path connects the two configurations")
        return problem.plan([path], joints, query.duration, None)

    def _keeping(self, query: PoseQuery, q: Array) -> PoseQuery | Failure:
        """The query without goals at which constraints are not kept, or why none is left; q (n,) is where it starts."""
        if not query.keep:
            return query
        lost = broken(self._kinematics, query.keep, q)
        if lost:
            message = f"what is to be kept is not at the start: {lost}"
            return Failure(FailureKind.PRECONDITION, "planner", message, {"constraint": lost})

        def excess(goal: HandGoal) -> float:
            return max((max(each.excess(goal.X_WH)) for each in query.keep if each.hand == goal.hand), default=0.0)

        goals = tuple(goal for goal in query.goals if excess(goal) <= NEAR)
        if not goals:
            best = min(query.goals, key=excess)
            lost = "; ".join(each.words(best.X_WH) for each in query.keep if each.hand == best.hand)
            message = f"at none of {len(query.goals)} goals all is kept, at the nearest {lost}"
            return Failure(FailureKind.NO_PLACE, "planner", message, {"constraint": lost})
        return replace(query, goals=goals)

    def _whole_chains(self, joints: Indices) -> Indices:
        """(k,) All joints of the chains that joints (m,) are of: a hand may need the others to leave a grasp."""
        whole = [chain for chain in self.robot.chains.values() if np.isin(joints, chain).any()]
        return np.unique(np.concatenate([joints, *whole])).astype(np.intp)

    def _without_other_arms(self, query: PoseQuery) -> PoseQuery:
        """The query without the arms that no goal is for: they move before its paths begin."""
        others = set(self.robot.hands) - {hand for goal in query.goals for hand in goal.hands}
        arms = {self.robot.hands[hand].arm for hand in others}
        return replace(query, chains=tuple(chain for chain in query.chains if chain not in arms))

    def _moving(self, query: SearchQuery) -> Indices:
        """(k,) Joints that may move."""
        if isinstance(query, ConfigurationQuery):
            goal = {*query.goal, *self.robot.indices(*query.relaxed)}
            rolling = self.robot.rolls and not goal.isdisjoint((0, 1))
            return np.array(sorted({*goal, *range(3 * rolling)}), dtype=np.intp)
        indices = set(self.robot.indices(*query.chains))
        if isinstance(query, ClearQuery | AlongQuery):
            return np.array(sorted(indices), dtype=np.intp)
        if isinstance(query, HandoverQuery):
            hands = {query.giver, query.taker}
        else:
            hands = {hand for goal in query.goals for hand in goal.hands}
        for hand in hands:
            indices |= {*self.robot.indices(self.robot.hands[hand].arm), *query.opening.get(hand, {})}
        return np.array(sorted(indices), dtype=np.intp)


def _in_collision(what: str, contact: Contact) -> Failure:
    facts = {"pair": contact.pair, "distance": contact.distance}
    message = f"the {what} is in collision: {contact.first} and {contact.second}"
    return Failure(FailureKind.COLLISION, "planner", message, facts)


def _relaxed_goal(
    problem: Problem, exact: CollisionChecker, end: Array, joints: Indices, others: Indices, duration: float
) -> Plan | None:
    """A motion to a configuration in which other joints are elsewhere, so that it is free; None if there is none.

    First with the other joints as in the robot's stance, but for the base; then with the base at the nearest places.

    Args:
        problem: What to plan with.
        exact: Without margins: a posture may be built close.
        end: (n,) The configuration with the other joints as they are, in which it touches something.
        joints: (k,) That may move, the others among them.
        others: (m,) Those that may be elsewhere at the end.
        duration: [s] Minimum.
    """
    for there in islice(_free_near(problem, exact, end, others), TRIED):
        let_go(problem.checker, problem.fine, there)
        path = problem.connect(problem.start, there, joints)
        plan = None if path is None else problem.plan([path], joints, duration, None)
        if isinstance(plan, Plan):
            return plan
    return None


def _free_near(problem: Problem, exact: CollisionChecker, end: Array, others: Indices) -> Iterator[Array]:
    """(n,) each: free configurations, the nearest first."""
    robot, upright, limbs = problem.kinematics.robot, end.copy(), others[others >= 3]
    upright[limbs] = robot.posture(robot.stance)[limbs]
    ways = [upright, end] if len(limbs) else [end]
    if exact.is_free(upright):
        yield upright
    if not np.isin([0, 1], others).all():
        return
    angles = 2 * np.pi * np.arange(PLACES) / PLACES
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    for far in RINGS:
        for way in ways:
            ends = np.repeat(way[None], PLACES, axis=0)
            ends[:, :2] += far * directions
            inside = ((ends[:, :2] >= robot.lower[:2]) & (ends[:, :2] <= robot.upper[:2])).all(axis=1)
            yield from ends[inside & exact.are_free(ends)]
