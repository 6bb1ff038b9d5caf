"""Planning, from configuration to configuration and to operational space (Definitions 6 and 7 of the skill set)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.objects import Array, ObjectModel
from taskmatrix.core.perception import Percept
from taskmatrix.core.skillset import Contact, HandGoal, Indices, Plan, Touch
from taskmatrix.robots import Robot

from . import rrt
from .collision import CollisionChecker, bodies_of
from .goals import Candidate, GoalSampler, Tally
from .kinematics import Kinematics
from .shortcut import shortcut
from .trajectory import TimedPath, time_parameterise

MARGIN = 0.010  # [m] kept from objects while planning, so that rounding corners and tracking stay free
SELF_MARGIN = 0.004  # [m] kept between parts of the robot
FINE_MARGIN = 0.002  # [m] kept by the finished motion from everything
RESOLUTION = 0.03  # [m] of displacement between checked configurations of an edge
CHECK_STEP = 0.02  # [s] between checked configurations of a finished motion
NEAR = 2.0  # [m] tree nodes this near an operational goal try inverse kinematics (thesis 5.5.4)
ATTEMPTS = 240  # inverse kinematics descents before giving up
ENOUGH = 4  # candidates from which the object can be seen
BUDGET = 4000  # collision checks of one search
ROUNDS = 3  # trees grown when no candidate could be connected

Progress = Callable[[Mapping[str, int]], None]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The robot and the world, frozen."""

    q: Array
    """(n,) [m, rad] Joint positions."""
    objects: Mapping[str, tuple[ObjectModel, Array]]
    """Model and X_WO (4, 4) by id."""
    held: Mapping[str, tuple[str, Array]] = field(default_factory=dict)
    """By hand, the object held and X_HO (4, 4)."""


@dataclass(frozen=True, eq=False)
class PoseQuery:
    """Take a hand to one of several goals."""

    goals: tuple[HandGoal, ...]
    """Any of these will do."""
    chains: tuple[str, ...]
    """Chains that may move besides the arm of the goal's hand."""
    opening: Mapping[str, Mapping[int, float]]
    """By hand, positions of its open fingers; the fingers open on the way."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""


@dataclass(frozen=True, eq=False)
class ConfigurationQuery:
    """Take joints to positions."""

    goal: Mapping[int, float]
    """By joint index."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""


Query = PoseQuery | ConfigurationQuery


class Planner:
    """Plans for one robot; every call depends on its arguments only."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.kinematics = Kinematics(robot)
        self._checker = CollisionChecker(robot, MARGIN, SELF_MARGIN)
        self._fine = CollisionChecker(robot, FINE_MARGIN, FINE_MARGIN / 2)

    def solve(self, snapshot: Snapshot, query: Query, progress: Progress = lambda work: None) -> Plan | Failure:
        """Answer a query.

        Args:
            snapshot: The robot and the world.
            query: What to plan.
            progress: Told the work done so far, now and then.
        """
        start = snapshot.q
        bodies = bodies_of(snapshot.objects, snapshot.held)
        self._checker = CollisionChecker(self.robot, MARGIN, SELF_MARGIN)
        self._checker.set_bodies(bodies)
        self._fine.set_bodies(bodies)
        contact = self._exact_contact(bodies, start)
        if contact is not None:
            facts = {"pair": contact.pair, "distance": contact.distance}
            message = f"the start is in collision: {contact.first} and {contact.second}"
            return Failure(FailureKind.COLLISION, "planner", message, facts)
        self._checker.relax(start)
        self._fine = CollisionChecker(self.robot, FINE_MARGIN, FINE_MARGIN / 2)
        self._fine.set_bodies(bodies)
        self._fine.relax(start)
        search = _Search(self, snapshot, query.seed, self._checker, progress)
        if isinstance(query, ConfigurationQuery):
            return search.to_configuration(query)
        return search.to_poses(query)

    def _exact_contact(self, bodies: Sequence[object], q: Array) -> Contact | None:
        exact = CollisionChecker(self.robot)
        exact.set_bodies(bodies)  # type: ignore[arg-type]
        return exact.contact(q)

    def motion_contact(self, plan: Plan, q: Array) -> Contact | None:
        """The first contact of a finished motion, everything else staying at q (n,)."""
        return first_contact(self._fine, plan, q)


def first_contact(checker: CollisionChecker, plan: Plan, q: Array) -> Contact | None:
    """The first contact on a plan's trajectory, everything that it does not move staying at q (n,)."""
    q = q.copy()
    indices, duration = plan.trajectory.indices, plan.trajectory.duration
    permit = [Touch(plan.goal.hand, plan.goal.object)] if plan.goal and plan.goal.object else []
    for time in np.linspace(0.0, duration, int(np.ceil(duration / CHECK_STEP)) + 1):
        checker.set_touches(permit if time >= plan.approach else [])
        q[indices] = plan.trajectory.sample(float(time))[0]
        if not checker.is_free(q):
            contact = checker.contact(q)
            if contact is not None:
                return contact
    return None


class _Search:
    """One query being answered."""

    def __init__(
        self, planner: Planner, snapshot: Snapshot, seed: int, checker: CollisionChecker, progress: Progress
    ) -> None:
        self._planner, self._robot, self._kinematics = planner, planner.robot, planner.kinematics
        self._snapshot, self._start, self._checker = snapshot, snapshot.q, checker
        self._seed, self._random = seed, np.random.default_rng(seed)
        self._tally = Tally()
        self._progress = progress
        self._grazing: Contact | None = None

    def work(self) -> dict[str, int]:
        return {"collision_checks": self._checker.checks, "ik_attempts": self._tally.attempts}

    # configuration to configuration

    def to_configuration(self, query: ConfigurationQuery) -> Plan | Failure:
        joints = np.array(sorted(query.goal), dtype=np.intp)
        end = self._start.copy()
        end[joints] = [query.goal[int(index)] for index in joints]
        for index in joints:
            low, high = self._robot.lower[index], self._robot.upper[index]
            if not low - 1e-9 <= end[index] <= high + 1e-9:
                facts = {"joint": self._robot.joints[index], "position": end[index], "lower": low, "upper": high}
                return Failure(FailureKind.JOINT_LIMIT, "planner", "the goal is outside the joint limits", facts)
        contact = self._checker.contact(end)
        if contact is not None:
            facts = {"pair": contact.pair, "distance": contact.distance}
            message = f"the goal is in collision: {contact.first} and {contact.second}"
            return Failure(FailureKind.COLLISION, "planner", message, facts)
        path = self._connect(self._start, end, joints)
        if path is None:
            return self._exhausted("no path connects the two configurations")
        return self._plan([path], joints, query.duration, None) or self._grazes()

    # configuration to operational space

    def to_poses(self, query: PoseQuery) -> Plan | Failure:
        sampler = GoalSampler(
            self._kinematics, self._checker, self._targets(), query.chains, query.opening, self._tally
        )
        candidates = self._candidates(sampler, query.goals)
        for candidate in candidates:
            path = self._connect(
                sampler.opened(self._start, candidate.goal.hand),
                candidate.approach[0],
                sampler.joints(candidate.goal.hand),
            )
            if path is not None:
                plan = self._reach_plan(path, candidate, sampler, query)
                if plan is not None:
                    return plan
        if self._tally.reached:
            plan = self._rdt_ik(sampler, query)
            if plan is not None:
                return plan
        return self._no_pose(query, candidates)

    def _candidates(self, sampler: GoalSampler, goals: Sequence[HandGoal]) -> list[Candidate]:
        """Candidates from which the object can be seen first, then by how far they are from the start."""
        found: list[Candidate] = []
        for attempt in range(ATTEMPTS):
            goal = goals[int(self._random.integers(len(goals)))]
            seed = self._start if attempt < 8 else sampler.seeds(goal, self._start, self._random)
            candidate = sampler.candidate(goal, seed, self._start)
            if attempt % 20 == 0:
                self._progress(self.work())
            if candidate is not None:
                found.append(candidate)
                if sum(item.faces for item in found) >= ENOUGH:
                    break
        return sorted(found, key=lambda item: (not item.faces, item.cost))[: 2 * ENOUGH]

    def _rdt_ik(self, sampler: GoalSampler, query: PoseQuery) -> Plan | None:
        """Grow a tree from the start and try inverse kinematics from its nodes near a goal (thesis 5.5.4)."""
        hands = sorted({goal.hand for goal in query.goals})
        for attempt in range(ROUNDS * len(hands)):
            hand = hands[attempt % len(hands)]
            goals = [goal for goal in query.goals if goal.hand == hand]
            places = np.array([goal.X_WH[:3, 3] for goal in goals])
            joints = sampler.joints(hand)
            start = sampler.opened(self._start, hand)

            def distance(values: Array, joints: Indices = joints, hand: str = hand, places: Array = places) -> float:
                q = self._start.copy()
                q[joints] = values
                p_WH = self._kinematics.pose(hand, q)[:3, 3]
                return float(np.linalg.norm(places - p_WH, axis=1).min())

            space = self._space(start, start, joints, places)
            search = rrt.grow(space, start[joints], distance, self._seed + attempt, BUDGET)
            near = sorted((distance(node), index) for index, node in enumerate(search.tree))
            for far, index in near[:40]:
                if far > NEAR:
                    break
                node = start.copy()
                node[joints] = search.tree[index]
                goal = goals[int(self._random.integers(len(goals)))]
                candidate = sampler.candidate(goal, node, self._start)
                if candidate is None or not space.edge_is_free(node[joints], candidate.approach[0][joints]):
                    continue
                path = self._simplified(np.vstack([_branch(search, index), candidate.approach[0][joints]]), space)
                plan = self._reach_plan(path, candidate, sampler, query)
                if plan is not None:
                    return plan
        return None

    def _reach_plan(
        self, path: Array, candidate: Candidate, sampler: GoalSampler, query: PoseQuery
    ) -> Plan | None:
        """Add the fingers and the last stretch to a path."""
        joints = sampler.joints(candidate.goal.hand)
        opening = query.opening.get(candidate.goal.hand, {})
        fingers = np.array(sorted(opening), dtype=np.intp)
        indices = np.concatenate([joints, fingers])
        transit = _with_fingers(path, self._start[fingers], np.array([opening[int(k)] for k in fingers]))
        return self._plan([transit, candidate.approach[:, indices]], indices, query.duration, candidate.goal)

    # common parts

    def _connect(self, start: Array, end: Array, joints: Indices) -> Array | None:
        """(m, k) A free path of ``joints``, shortened; None when the budget is used up."""
        space = self._space(start, end, joints)
        if space.edge_is_free(start[joints], end[joints]):
            return np.array([start[joints], end[joints]])
        self._progress(self.work())
        search = rrt.connect(space, start[joints], [end[joints]], self._seed, BUDGET)
        self._progress(self.work())
        return None if search.path is None else self._simplified(search.path, space)

    def _simplified(self, path: Array, space: rrt.Space) -> Array:
        return shortcut(path, space.displacement, space.edge_is_free, self._random)

    def _space(self, start: Array, end: Array, joints: Indices, places: Array | None = None) -> rrt.Space:
        lower, upper = self._robot.lower[joints].copy(), self._robot.upper[joints].copy()
        around = [start[:2], end[:2]] + ([] if places is None else list(places[:, :2]))
        for k, index in enumerate(joints):
            if index < 2:
                lower[k] = max(lower[k], min(point[index] for point in around) - 1.5)
                upper[k] = min(upper[k], max(point[index] for point in around) + 1.5)
            elif index == 2:
                lower[k] = max(lower[k], min(start[2], end[2]) - np.pi)
                upper[k] = min(upper[k], max(start[2], end[2]) + np.pi)
        displacement = self._kinematics.displacement
        checker, q = self._checker, start.copy()

        def is_free(values: Array) -> bool:
            q[joints] = values
            return checker.is_free(q)

        def edge_is_free(first: Array, second: Array) -> bool:
            a, b = start.copy(), start.copy()
            a[joints], b[joints] = first, second
            return checker.edge_is_free(a, b, displacement, RESOLUTION)

        return rrt.Space(lower, upper, displacement[joints], is_free, edge_is_free, lambda: checker.checks)

    def _plan(self, paths: list[Array], joints: Indices, duration: float, goal: HandGoal | None) -> Plan | None:
        robot = self._robot
        timed = time_parameterise(
            paths,
            joints,
            robot.velocity[joints],
            robot.acceleration[joints],
            self._kinematics.displacement[joints],
            duration,
        )
        if isinstance(timed, Failure):
            return None
        assert isinstance(timed, TimedPath)
        approach = timed.starts(len(paths) - 1) if goal is not None else np.inf
        plan = Plan(timed, goal, float(approach), timed.duration > duration + 1e-9, self.work())
        self._grazing = self._planner.motion_contact(plan, self._start)
        return plan if self._grazing is None else None

    def _targets(self) -> dict[str, Array]:
        return {id: Percept(model, X_WO).centre for id, (model, X_WO) in self._snapshot.objects.items()}

    def _exhausted(self, message: str, **facts: object) -> Failure:
        return Failure(FailureKind.PLANNER_EXHAUSTED, "planner", message, {**facts, **self.work()})

    def _grazes(self) -> Failure:
        pair = self._grazing.pair if self._grazing else ()
        return self._exhausted("the smoothed motion would touch something", pair=pair)

    def _no_pose(self, query: PoseQuery, candidates: Sequence[Candidate]) -> Failure:
        tally = self._tally
        facts: dict[str, object] = {"goals": len(query.goals), **self.work()}
        often = [f"{first} and {second} ({count} times)" for (first, second), count in tally.blocked.most_common(3)]
        if candidates:
            return self._exhausted(f"none of {len(candidates)} configurations at a goal could be connected", **facts)
        if tally.reached:
            message = f"all {tally.reached} configurations found at a goal are in collision or cannot be approached"
            return Failure(FailureKind.COLLISION, "planner", message, {"most_often": often, **facts})
        facts["nearest_distance"] = tally.nearest
        message = f"no goal is within reach; the nearest that a hand came is {tally.nearest:.3f} m"
        return Failure(FailureKind.IK_EXHAUSTED, "planner", message, facts)


def _branch(search: rrt.Search, index: int) -> Array:
    """(m, k) From the root of a tree to one of its nodes."""
    nodes = []
    while index >= 0:
        nodes.append(search.tree[index])
        index = search.parents[index]
    return np.array(nodes[::-1])


def _with_fingers(path: Array, closed: Array, opened: Array) -> Array:
    """(m, k + f) The path with the fingers opening in its first part."""
    if len(path) == 2 and len(opened):
        path = np.vstack([path[0], path[0] + 0.4 * (path[1] - path[0]), path[1]])
    lengths = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    share = np.minimum(1.0, along / max(along[-1] * 0.4, 1e-9))[:, None]
    return np.hstack([path, closed + share * (opened - closed)])
