"""The eleven definitions of the common skill set, each tried on the robot (thesis 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np
import pinocchio as pin

from taskmatrix.behaviors.common.timer import Timer
from taskmatrix.behaviors.motions.postural import Postural
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.core.robot.plans import HandGoal
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.session import Session
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, PoseQuery, Snapshot

from .finding import TOLD, UNABLE, Finding, judged

PART = "skills"
TARGETS = 100  # of inverse kinematics, for each hand
PLANS = 10  # for each hand, to configurations and to poses
STATES = 300  # looked at by the kernel and by coal
SOLVED, PLANNED = 0.99, 0.9  # shares that have to succeed
TRACKED = 1e-3  # [rad, m] that a posture may be missed by
EXACT_POSITION, EXACT_ANGLE = 1e-4, 1e-3  # [m], [rad]


class SkillCheck:
    """Tries the skills of a robot in a world.

    Args:
        session: With the robot.
        seed: Of all that is drawn.
    """

    def __init__(self, session: Session, seed: int = 0) -> None:
        self._session, self._robot, self._skills = session, session.robot, session.skills
        self._random = np.random.default_rng(seed)
        self._alone = CollisionChecker(session.robot)
        self._planner = Planner(session.robot)

    def findings(self) -> Iterator[Finding]:
        """One for each definition; for each hand where they are about hands."""
        yield self._degrees_of_freedom()
        yield self._queries()
        yield self._control()
        if not self._robot.hands:
            yield Finding(PART, "4 to 7, 9 and 11", UNABLE, "there is no hand to move")
        for hand in self._robot.hands:
            yield self._forward(hand)
            yield self._inverse(hand)
            yield self._to_configurations(hand)
            yield self._to_poses(hand)
        yield self._collision()
        for hand in self._robot.hands:
            yield self._grasps(hand)
        yield self._view()
        for hand in self._robot.hands:
            yield self._attachment(hand)

    def _degrees_of_freedom(self) -> Finding:
        robot, skills = self._robot, self._skills
        named = [int(i) for chain in skills.chains for i in skills.joints(chain)]
        turned = [robot.joints[i] for i in named if not robot.lower[i] < robot.upper[i]]
        passes = len(named) == len(set(named)) and not turned
        text = f"{len(skills.chains)} chains of {len(named)} joints"
        return judged(
            PART, "1 degrees of freedom", passes, text if passes else f"{text}; no range: {', '.join(turned)}"
        )

    def _queries(self) -> Finding:
        truth = self._session.plant.sense()
        read = (self._skills.position(), self._skills.velocity(), self._skills.acceleration())
        passes = all(np.array_equal(a, b) for a, b in zip(read, (truth.q, truth.v, truth.a), strict=True))
        return judged(PART, "2 joint queries", passes, "positions, velocities and accelerations are those of the plant")

    def _control(self) -> Finding:
        robot = self._robot
        others = (name for name in robot.postures if name != robot.stance)
        name = next((name for name in others if self._alone.is_free(robot.posture(name))), robot.stance)
        outcome = self._run(Postural(posture=name))
        wanted = self._skills.posture(name)
        off = max((abs(self._skills.position()[i] - position) for i, position in wanted.items()), default=0.0)
        text = f"posture '{name}' is taken to {off:.1e} rad" if outcome.success else str(outcome)
        return judged(PART, "3 motion control", outcome.success and off < TRACKED, text, off=off)

    def _run(self, behavior: TaskBehavior) -> Outcome:
        """How it ends; Ctrl-C ends the check, too."""
        outcome = self._session.run(behavior)
        if outcome.failure is not None and outcome.failure.kind is FailureKind.INTERRUPTED:
            raise KeyboardInterrupt
        return outcome

    def _configurations(self, hand: str, count: int) -> Array:
        """(count, n) The stance with the arm of a hand at random, free of contact with itself."""
        robot = self._robot
        arm, found = list(robot.indices(robot.hands[hand].arm)), []
        for _ in range(100 * count):
            q = robot.posture(robot.stance)
            q[arm] = self._random.uniform(robot.lower[arm], robot.upper[arm])
            if self._alone.is_free(q):
                found.append(q)
                if len(found) == count:
                    break
        return np.array(found).reshape(-1, robot.n)

    def _forward(self, hand: str) -> Finding:
        worst = 0.0
        for q in self._configurations(hand, 20):
            apart = self._skills.forward_kinematics(hand, q) - hand_pose(self._robot, hand, q)
            worst = max(worst, float(np.abs(apart).max()))
        return judged(
            PART, f"4 forward kinematics, {hand}", worst < 1e-9, f"as Pinocchio's, to {worst:.0e} m", off=worst
        )

    def _inverse(self, hand: str) -> Finding:
        stance, arm = self._robot.posture(self._robot.stance), (self._robot.hands[hand].arm,)
        times, reached = [], 0
        goals = self._configurations(hand, TARGETS)
        for k, q in enumerate(goals):
            X = hand_pose(self._robot, hand, q)
            began = perf_counter()
            found = self._skills.find_configuration([HandGoal(hand, X, "target")], arm, q=stance, seed=k)
            times.append(1e3 * (perf_counter() - began))
            if not isinstance(found, Failure):
                distance, angle = pose_error(hand_pose(self._robot, hand, found.q), X)
                reached += distance < EXACT_POSITION and angle < EXACT_ANGLE
        median, worst = float(np.median(times)), float(np.quantile(times, 0.99))
        text = f"{reached} of {len(goals)} poses, in {median:.2f} ms at the median and {worst:.2f} ms of 99 %"
        passes = reached >= SOLVED * len(goals) > 0
        return judged(PART, f"5 inverse kinematics, {hand}", passes, text, median_ms=median, p99_ms=worst)

    def _to_configurations(self, hand: str) -> Finding:
        arm = self._robot.indices(self._robot.hands[hand].arm)
        goals = self._configurations(hand, PLANS)
        queries = [ConfigurationQuery({i: float(q[i]) for i in arm}, 0.0, k) for k, q in enumerate(goals)]
        return self._planned(f"6 planning to a configuration, {hand}", queries)

    def _to_poses(self, hand: str) -> Finding:
        opening = {hand: self._skills.hand_posture(hand, None)}
        queries = [
            PoseQuery((HandGoal(hand, hand_pose(self._robot, hand, q), "target"),), (), opening, 0.0, k)
            for k, q in enumerate(self._configurations(hand, PLANS))
        ]
        return self._planned(f"7 planning to a pose, {hand}", queries)

    def _planned(self, name: str, queries: list[ConfigurationQuery] | list[PoseQuery]) -> Finding:
        """Whether plans are found, and touch nothing when they are walked."""
        robot, times, planned, bad = self._robot, [], 0, ""
        stance = robot.posture(robot.stance)
        for query in queries:
            began = perf_counter()
            found = self._planner.solve(Snapshot(stance, {}), query)
            times.append(1e3 * (perf_counter() - began))
            if isinstance(found, Failure):
                bad = bad or found.explain()
                continue
            Q = np.tile(stance, (200, 1))
            for row, time in zip(Q, np.linspace(0.0, found.trajectory.duration, len(Q)), strict=True):
                row[found.trajectory.indices] = found.trajectory.sample(float(time))[0]
            touching = next((pair for pair in self._alone.contacts(Q) if pair is not None), None)
            planned += touching is None
            bad = bad or (f"{' and '.join(touching)} touch on the way" if touching else "")
        median = float(np.median(times)) if times else np.nan
        text = f"{planned} of {len(queries)} plans, in {median:.0f} ms at the median{f'; {bad}' if bad else ''}"
        return judged(PART, name, planned >= PLANNED * len(queries) > 0, text, median_ms=median)

    def _collision(self) -> Finding:
        robot = self._robot
        data, exact, missed, hits = robot.model.createData(), robot.collision_data(), 0, 0
        for _ in range(STATES):
            q = self._random.uniform(robot.lower, robot.upper)
            q[:3] = 0.0
            touches = pin.computeCollisions(robot.model, data, robot.collision, exact, robot.expand(q), True)
            hits += touches
            missed += touches and self._alone.is_free(q)
        text = f"{hits} of {STATES} random configurations touch themselves, and {missed} of these are missed"
        return judged(PART, "8 collision", missed == 0, text, touching=hits / STATES)

    def _grasps(self, hand: str) -> Finding:
        objects = [id for id, model in self._session.world.objects.items() if model.movable]
        counts = {id: len(self._skills.grasps(id, hand)) for id in objects}
        some = ", ".join(f"{id} ({count})" for id, count in counts.items() if count)
        text = f"of {some}" if some else "the hand takes nothing in this world"
        return Finding(PART, f"9 grasps, {hand}", TOLD if some else UNABLE, text)

    def _view(self) -> Finding:
        if self._robot.view is None:
            return Finding(PART, "10 view", UNABLE, "there is no view")
        R = self._skills.view(self._robot.posture(self._robot.stance))
        straight = np.allclose(R.T @ R, np.eye(3), atol=1e-6)
        passes = bool(straight and R[2, 1] > 0.0 and R[0, 0] > 0.0)
        text = "looks ahead, with its upper side up" if passes else "does not look ahead, or is upside down"
        return judged(PART, "10 view", passes, text)

    def _attachment(self, hand: str) -> Finding:
        skills, id = self._skills, self._session.world.default_object
        skills.attach(hand, id)
        self._run(Timer(duration=0.05))
        held = skills.held(hand)
        skills.detach(hand)
        self._run(Timer(duration=0.05))
        passes = held == id and skills.held(hand) is None
        return judged(
            PART, f"11 attachment, {hand}", passes, f"'{id}' is held, and let go" if passes else "not as told"
        )
