"""One planning query being answered: what both kinds of queries have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, HandGoal, HandsTogether, Indices, Kept, Plan
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.paths.tree_planner import TreePlanner

from ..collision.collision import CollisionChecker
from ..constrained.projection import Projection, broken, first_broken
from ..constrained.search import ConstrainedSearch
from ..kinematics.kinematics import Kinematics
from ..kinematics.load import EVEN, Load, load_of
from ..kinematics.nearest import Nearest
from ..tolerances import FINE_MARGIN, MARGIN
from ..trajectories import differential_drive
from ..trajectories.trajectory import COARSE, FINE, Limits, time_parameterise
from . import ompl_planner
from .along import off_way
from .floor_map import FloorMap
from .navigation import walk
from .queries import AlongQuery, Snapshot
from .retreat import Retreat
from .settings import TREES, PlannerSettings
from .trajectory_check import first_contact

FINE_RESOLUTION = 2 * FINE_MARGIN  # [m] the same
AJAR = 0.5  # of its way, by which a part in the way is not open
TURNED_RESOLUTION = 0.06  # [m] coarser, for where another behavior might turn the head meanwhile
FIRST_TRY = 30  # of the search before a walk: limbs are drawn in only on a walk
FAR = 0.8  # [m] of base motion that may be a walk round furniture
CLEARANCE = 0.45  # [m] wanted between the base's axis and furniture
LONGER = 10  # times as many checks, where there is no way with all margins
HEAD = 0.6  # [m] of the robot above its shoulders, held objects included
TURNED = 0.1  # [rad] of any joint between two looks at what the arms have to hold
AROUND = 1.5  # [m] by which the base may leave the box around start and goal

NEARER = MARGIN - FINE_MARGIN  # [m] what is closer than the margin of planning where a motion ends has none on it

Progress = Callable[[Mapping[str, int]], None]


def let_go(checker: CollisionChecker, fine: CollisionChecker, q: Array, more: bool = True) -> None:
    """Let go of the margins of what is close where a motion begins or ends, at q (n,); ``more``: besides others."""
    checker.relax([q], more)
    fine.relax([q], more, NEARER)


@dataclass
class Tally:
    """What the attempts to reach goals came to; the facts of a failure."""

    attempts: int = 0
    """Inverse kinematics descents."""
    reached: int = 0
    """How many ended on their goal."""
    nearest: Nearest | None = None
    """The best of those that did not."""
    blocked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Pairs in contact at those that did."""
    not_straight: int = 0
    """How many could not be come to straight along the approach."""
    too_heavy: str = ""
    """Which motor could not have held the object at one of them."""
    beyond: int = 0
    """How many were outside the joint limits."""
    in_the_way: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Pairs that blocked lines of searches that found no way."""
    spreads: tuple[float, float] = (0.0, 0.0)
    """[m] How far these searches came from the start and from the goal, at most."""

    def missed(self, nearest: Nearest) -> None:
        """Remember a descent that ended beside its goal, if none ended nearer to one."""
        if self.nearest is None or nearest.error < self.nearest.error:
            self.nearest = nearest


@dataclass(frozen=True, eq=False)
class Problem:
    """What a query is answered with."""

    kinematics: Kinematics
    """Of the robot."""
    displacement: Array
    """(n,) [m/rad or m/m] How far any point of the robot, or of what it holds, moves at most with each joint."""
    start: Array
    """(n,) Joint positions from which paths begin."""
    checker: CollisionChecker
    """With the margins of planning."""
    fine: CollisionChecker
    """With the margins of a finished motion."""
    settings: PlannerSettings
    """Which planner finds paths."""
    seed: int
    """Of the sampling planners."""
    random: np.random.Generator
    """Of everything else."""
    tally: Tally
    """What inverse kinematics came to."""
    progress: Progress
    """Told the work done so far."""
    first_check: int
    """Collision checks that the checker had done before."""
    retreat_plan: Retreat
    """The retreat, up to the start."""
    snapshot: Snapshot
    """The robot and the world."""
    keep: tuple[Kept, ...] = ()
    """What hands keep all the way."""
    along: AlongQuery | None = None
    """The way that a hand takes."""
    heeds: bool = True
    """Whether arms go only where their motors can hold what they hold."""

    def closer(self) -> Problem:
        """The same with the margins of a finished motion, and more collision checks before it is given up."""
        settings = replace(self.settings, checks=LONGER * self.settings.checks)
        return replace(self, checker=self.fine, settings=settings, first_check=self.fine.checks - self.checks())

    def work(self) -> dict[str, int]:
        """What was spent so far."""
        return {"collision_checks": self.checks(), "ik_attempts": self.tally.attempts}

    def checks(self) -> int:
        """Collision checks so far."""
        return self.checker.checks - self.first_check

    def space(self, start: Array, joints: Indices, places: Sequence[Array]) -> TreePlanner:
        """Where to plan for ``joints`` from a configuration (n,), with the base near it or near places (x, y, ...)."""
        robot = self.kinematics.robot
        lower, upper = np.minimum(robot.lower, start)[joints], np.maximum(robot.upper, start)[joints]
        around = np.array([start[:2], *(place[:2] for place in places)])
        low, high = around.min(axis=0) - AROUND, around.max(axis=0) + AROUND
        for k, index in enumerate(joints):
            if index < 2:
                lower[k], upper[k] = max(lower[k], low[index]), min(upper[k], high[index])
        base = differential_drive.columns(robot, joints)
        return self.checker.planner(start, joints, lower, upper, self.displacement[joints], base)

    @cached_property
    def floor(self) -> FloorMap:
        """The ways from the start."""
        height = self.kinematics.robot.shoulder_height + HEAD
        held = {id for id, _ in self.snapshot.held.values()}
        objects = {id: item for id, item in self.snapshot.objects.items() if id not in held}
        return FloorMap(objects, self.start, CLEARANCE, height, self.snapshot.space)

    def load(self, goal: HandGoal) -> Load | None:
        """What a hand holds at a goal, or takes there; None where that is nothing, or its mass unknown."""
        id, X_HO = self.snapshot.held.get(goal.hand, (goal.object, None))
        if id is None or id not in self.snapshot.objects:
            return None
        model, X_WO = self.snapshot.objects[id]
        return load_of(self.kinematics.robot, goal.hand, model, inverse(goal.X_WH) @ X_WO if X_HO is None else X_HO)

    @cached_property
    def heavy(self) -> dict[str, Load]:
        """By hand, what it holds that it cannot hold in every posture; where it does not at the start, it may go on."""
        found = dict[str, Load]()
        for hand, (id, X_HO) in self.snapshot.held.items() if self.heeds else ():
            load = load_of(self.kinematics.robot, hand, self.snapshot.objects[id][0], X_HO)
            if load is not None and load.limit < np.inf:
                share = load.share(self.kinematics, self.start)
                found[hand] = replace(load, limit=max(load.limit, share + EVEN))
        return found

    def bears(self, load: Load, q: Array) -> bool:
        """Whether the motors of an arm can hold a load at q (n,); why not is remembered."""
        excess = load.excess(self.kinematics, q)
        self.tally.too_heavy = excess or self.tally.too_heavy
        return not excess

    def connect(self, start: Array, end: Array, joints: Indices) -> Array | None:
        """(m, k) A free path of ``joints``, shortened; None when the budget is used up.

        Where furniture is between the two places, the base walks round it with the limbs drawn in.
        """
        if self.keep:
            return self._connect_keeping(start, end, joints)
        path = self._connect_freely(start, end, joints)
        if path is None or self._bears_all(path, joints):
            return path
        return self._connect_keeping(start, end, joints)

    def _bears_all(self, path: Array, joints: Indices) -> bool:
        """Whether the arms can hold what they hold all along a path (m, k)."""
        if not self.heavy:
            return True
        q = self.start.copy()
        for a, b in pairwise(path):
            for x in np.linspace(a, b, 2 + int(np.abs(b - a).max() / TURNED)):
                q[joints] = x
                if not self._bears_held(q):
                    return False
        return True

    def _connect_freely(self, start: Array, end: Array, joints: Indices) -> Array | None:
        far = bool(np.isin(np.arange(3), joints).all()) and float(np.linalg.norm(end[:2] - start[:2])) > FAR
        path = self._search(start, end, joints, FIRST_TRY if far else None)
        if path is None and far:
            path = self._walk(start, end, joints)
            return self._search(start, end, joints) if path is None else path
        return path

    def _connect_keeping(self, start: Array, end: Array, joints: Indices) -> Array | None:
        """(m, k) A free path of ``joints`` on which constraints are kept.

        A base walks with the limbs as they are, or as they are at the end, where constraints do not hang on its place.
        """
        if not self.keeps(end):
            return None
        base = bool(np.isin(np.arange(3), joints).all()) and bool((start[:3] != end[:3]).any())
        if base and all(isinstance(each, HandsTogether) or each.point is None for each in self.keep):
            path = self._search_keeping(start, end, joints, FIRST_TRY) if not self.kinematics.robot.rolls else None
            path = self._walk(start, end, joints) if path is None else path
            if path is not None or self.kinematics.robot.rolls:
                return path
        return self._search_keeping(start, end, joints)

    def _search_keeping(self, start: Array, end: Array, joints: Indices, checks: int | None = None) -> Array | None:
        space = self.space(start, joints, [end])
        project = Projection(
            self.kinematics,
            self.keep,
            start,
            joints,
            self.displacement[joints],
            space.lower,
            space.upper,
            tuple(self.heavy.values()),
        )
        search = ConstrainedSearch(space, project)
        path = search.connect(start[joints], end[joints], self.seed, self.settings.checks if checks is None else checks)
        self.progress(self.work())
        return None if path is None else search.refined(search.shortened(path, self._seed(), self.settings.shortcuts))

    def keeps(self, q: Array) -> bool:
        """Whether all constraints are kept at q (n,), and the arms hold what they hold."""
        return not broken(self.kinematics, self.keep, q) and self._bears_held(q)

    def _bears_held(self, q: Array) -> bool:
        """Whether the arms can hold at q (n,) what they hold."""
        return all(self.bears(load, q) for load in self.heavy.values())

    def _search(self, start: Array, end: Array, joints: Indices, checks: int | None = None) -> Array | None:
        settings, space = self.settings, self.space(start, joints, [end])
        first, last = start[joints], end[joints]
        direct = space.direct(first, last)
        if direct is not None:
            return direct
        checks, before = settings.checks if checks is None else checks, self.checks()
        if settings.planner == TREES:
            path = space.connect(first, last, self.seed, checks)
        else:
            path = ompl_planner.solve(space, settings.planner, first, last, self.seed, checks)
        self.progress(self.work())
        if path is None:
            self._note(space)
            return None
        if settings.planner != TREES:
            return self.shortened(path, space)
        return space.improved(path, self._seed(), settings.shortcuts, 2 * (self.checks() - before))

    def _note(self, space: TreePlanner) -> None:
        """What kept a search from finding a way."""
        for pair in np.flatnonzero(space.blocked):
            self.tally.in_the_way[self.checker.names(int(pair))] += int(space.blocked[pair])
        start, goal = self.tally.spreads
        self.tally.spreads = max(start, space.spreads[0]), max(goal, space.spreads[1])

    def _walk(self, start: Array, end: Array, joints: Indices) -> Array | None:
        def search(first: Array, last: Array, some: Indices) -> Array | None:
            find = self._search_keeping if self.keep else self._search
            return find(first, last, some, self.settings.checks // 2)

        space = self.space(start, joints, [end])

        def lead(first: Array, last: Array) -> Array:
            corners = space.way(first[joints], last[joints])
            whole = np.tile(first, (len(corners), 1))
            whole[:, joints] = corners
            whole[-1] = last if len(corners) > 1 else first
            return whole

        edge_is_free, allowed = self.checker.edge_is_free, self.keeps
        path = walk(self.checker, self.floor, start, end, joints, search, edge_is_free, self.random, lead, allowed)
        return path if path is None or self.keep else self.shortened(path, space)

    def shortened(self, path: Array, space: TreePlanner) -> Array:
        """(m', k) The path without detours."""
        return space.shortened(path, self._seed(), self.settings.shortcuts)

    def _seed(self) -> int:
        return int(self.random.integers(2**62))

    def plan(
        self,
        paths: list[Array],
        joints: Indices,
        duration: float,
        goal: HandGoal | None,
        turn: Callable[[Array], Array] | None = None,
    ) -> Plan | Failure:
        """Put times to paths, each from rest to rest, and check the motion; the last leads to the goal if there is one.

        Where the smooth curve through the path would touch something, a curve that keeps closer to it may not, and the
        path itself, with a stop at every corner, does not. With ``turn``, the motion is also checked with what another
        behavior may do meanwhile: turn the head.
        """
        first = self.retreat_plan
        departs = len(first.path) > 1
        if departs:
            departed = np.flatnonzero(np.ptp(first.path, axis=0) > 0.0)
            others = np.setdiff1d(departed, joints)
            joints = np.concatenate([joints, others])
            still = self.start[others]
            paths = [np.hstack([path, np.tile(still, (len(path), 1))]) for path in paths]
            paths = [*(leg[:, joints] for leg in first.legs), *paths]
        limits = Limits.of(self.kinematics.robot, joints)
        contact, lost, base = None, "", differential_drive.columns(self.kinematics.robot, joints)
        for stops, spacing in ((False, COARSE), (False, FINE), (True, FINE)):
            parts = [_corner_to_corner(path) if stops else [path] for path in paths]
            legs = [leg for part in parts for leg in part]
            timed = time_parameterise(legs, joints, limits, self.displacement[joints], duration, spacing, base)
            if isinstance(timed, Failure):
                return timed
            approach = np.inf if goal is None else timed.starts(len(legs) - len(parts[-1]))
            retreat_end = float(timed.starts(sum(map(len, parts[: len(first.legs)])))) if departs else 0.0
            stretched = timed.duration > duration + 1e-9
            plan = Plan(
                timed,
                goal,
                float(approach),
                stretched,
                self.work(),
                retreat_end,
                first.retreat_contacts,
                first.initial_contacts,
                narrow=self.checker is self.fine,
            )
            contact = self._first_contact(plan, FINE_RESOLUTION)
            if contact is None and turn is not None:
                contact = self._first_contact(plan, TURNED_RESOLUTION, turn)
            if contact is None:
                lost = self._not_kept(plan)
                if not lost:
                    return plan
        if contact is None:
            return self.exhausted(f"on the smoothed motion {lost}", constraint=lost)
        facts = {"pair": contact.pair, "distance": contact.distance}
        message = f"on the smoothed motion {contact.first} and {contact.second} would touch"
        return self.exhausted(message, **facts)

    def _not_kept(self, plan: Plan) -> str:
        """Which constraint a plan breaks, and by how much; empty if it keeps all."""
        if not self.keep and self.along is None and not self.heavy:
            return ""
        q, trajectory = self.start.copy(), plan.trajectory

        def at(time: float) -> Array:
            q[trajectory.indices] = trajectory.sample(time)[0]
            return q

        if self.along is not None:
            return off_way(self.kinematics, self.along.hand, self.along.poses, at, plan.duration)
        return first_broken(self.kinematics, self.keep, at, plan.duration, tuple(self.heavy.values()))

    def _first_contact(
        self, plan: Plan, resolution: float, turn: Callable[[Array], Array] | None = None
    ) -> Contact | None:
        return first_contact(self.fine, plan, self.start, self.displacement, resolution, turn)

    def exhausted(self, message: str, **facts: object) -> Failure:
        """A failure of the planner, with the work done, and what was in the way."""
        tally = self.tally
        if tally.in_the_way:
            facts["in_the_way"] = [f"{a} and {b} ({count} times)" for (a, b), count in tally.in_the_way.most_common(3)]
            message += "".join(f"; '{part}' is {share:.0%} open" for part, share in self._closed().items())
        if self.keep:
            facts["kept"] = [each.label for each in self.keep]
        start, goal = tally.spreads
        if start or goal:
            facts |= {"stuck_at": "start" if start < goal else "goal", "came_from_start": start, "came_from_goal": goal}
        return Failure(FailureKind.PLANNER_EXHAUSTED, "planner", message, {**facts, **self.work()})

    def _closed(self) -> dict[str, float]:
        """How far drawers and doors are open that were in the way and are not open by half."""
        names, objects = {name for pair in self.tally.in_the_way for name in pair}, self.snapshot.objects
        shares = {}
        for id in sorted(names & set(objects)):
            joint, X_WO = objects[id][0].joint, objects[id][1]
            if joint is not None and joint.parent in objects:
                shares[id] = joint.share(joint.position(inverse(objects[joint.parent][1]) @ X_WO))
        return {id: share for id, share in shares.items() if share < AJAR}


def _corner_to_corner(path: Array) -> list[Array]:
    """(2, k) each: the lines of a path (m, k); the path itself where it has but one."""
    return [path[k : k + 2] for k in range(len(path) - 1)] or [path]
