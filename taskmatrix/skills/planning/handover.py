"""Planning to pass an object from one hand to the other: both arms move, and meet where the taker can grasp it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Contact, HandGoal, Indices, Plan
from taskmatrix.core.world.geometry import inverse, planar, pose, wrap
from taskmatrix.core.world.objects import Array, Grasp
from taskmatrix.kernel.ik.chain import limits_met

from ..kinematics import ik
from ..kinematics.load import load_of
from ..kinematics.nearest import Nearest
from .problem import Problem
from .queries import HandoverQuery
from .reaching import with_fingers
from .seeds import arm_reach

ATTEMPTS = 1500  # at a meeting
ENOUGH = 8  # meetings found, of which the nearest that can be gone to is taken
DRAWS = 60  # postures of the arms, until one carries the object in front
AROUND = 1.2  # [m] of the start where they may meet
PLACES = 10  # drawn until the robot can stand there
ITERATIONS = 60  # in which the arms come to meet each other
PATIENCE = 10  # iterations in which the error has to shrink by a third
STEP = 0.006  # [m] between the configurations of the approach
TURN = 0.3  # [rad] that no joint may exceed between two of them
SIDE = 0.5  # of the arm's reach: how far to the side of the middle they may meet


@dataclass(frozen=True, eq=False)
class Meeting:
    """How the hands meet."""

    goal: HandGoal
    """Of the taker."""
    approach: Array
    """(m, n) Configurations of the approach."""
    burden: float
    """Share of a motor's torque that the arms would need more than they may give, one after the other."""


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
        problem = self._problem
        found: list[Meeting] = []
        for attempt in range(ATTEMPTS):
            if len(found) >= ENOUGH:
                break
            if attempt % 20 == 0:
                problem.progress(problem.work())
            meeting = self._met(self._presented(self._stood() if attempt % 2 else problem.start))
            if meeting is not None:
                found.append(meeting)
        failures: list[Failure] = []
        for meeting in sorted(found, key=lambda item: (item.burden, self._cost(item.approach))):
            plan = self._connected(meeting)
            if isinstance(plan, Plan):
                return plan
            failures.append(plan)
        return self._failure(len(found), failures)

    def _stood(self) -> Array:
        """(n,) The start with the base somewhere near it, if it may move: there may be more room."""
        problem, q = self._problem, self._problem.start.copy()
        if "base" in self._query.chains:
            for _ in range(PLACES):
                q[:2] = problem.start[:2] + problem.random.uniform(-AROUND, AROUND, 2)
                q[2] = wrap(problem.start[2] + problem.random.uniform(-np.pi, np.pi), problem.start[2])
                if problem.checker.is_free(q):
                    return q
        return problem.start

    def _presented(self, start: Array) -> Array:
        """(n,) Random postures of the arms, that of the giver with the object out in front of the robot."""
        problem, robot = self._problem, self._problem.kinematics.robot
        q = start.copy()
        reach, tall = arm_reach(robot, self._query.giver), robot.shoulder_height
        both = np.concatenate([self._giver, self._taker])
        for _ in range(DRAWS):
            q[both] = problem.random.uniform(robot.lower[both], robot.upper[both])
            X_WO = problem.kinematics.pose(self._query.giver, q) @ self._X_HO
            x, y, z = (inverse(planar(*q[:3])) @ X_WO @ np.append(self._centre, 1.0))[:3]
            if 0.2 * reach < x < reach and abs(y) < SIDE * reach and 0.4 * tall < z < 1.1 * tall:
                break
        return q

    def _met(self, q: Array) -> Meeting | None:
        """The taker's hand at a random grasp, from postures q (n,), and the approach to it."""
        problem, query, tally = self._problem, self._query, self._problem.tally
        grasp = query.grasps[int(problem.random.integers(len(query.grasps)))]
        tally.attempts += 1
        steps, giving = round(query.approach_distance / STEP), problem.heavy.get(query.giver)
        stretch: list[Array] = []
        for k in range(steps + 1):
            X_GT = self._X_HO @ grasp.X_OH
            X_GT = X_GT @ pose((0.0, 0.0, -query.approach_distance * k / steps))
            met = self._at(X_GT, stretch[-1] if stretch else q)
            if met is None or (stretch and np.max(np.abs(met - stretch[-1])) > TURN):
                return None
            if giving is not None and not problem.bears(giving, met):
                return None
            tally.reached += k == 0
            problem.checker.set_allowed_contacts([AllowedContact(query.taker, query.object)] if k < steps else [])
            contact = problem.checker.contact(self._opened(met, query.taker))
            if contact is None and k == 0:
                contact = self._passed(met, grasp.width)
            problem.checker.set_allowed_contacts([])
            if contact is not None:
                tally.blocked[contact.pair] += 1
                return None
            stretch.append(self._opened(met, query.taker))
        X_WH = problem.kinematics.pose(query.taker, stretch[0])
        goal = HandGoal(query.taker, X_WH, grasp.name, query.object, query.approach_distance)
        return Meeting(goal, np.array(stretch[::-1]), self._burden(stretch[0], grasp))

    def _burden(self, q: Array, grasp: Grasp) -> float:
        """Of a meeting at q (n,), where the taker takes the object by a grasp."""
        kinematics, query = self._problem.kinematics, self._query
        model = self._problem.snapshot.objects[query.object][0]
        held = (query.giver, self._X_HO), (query.taker, inverse(grasp.X_OH))
        loads = [load_of(kinematics.robot, hand, model, X_HO) for hand, X_HO in held]
        return sum(max(0.0, load.share(kinematics, q) - load.limit) for load in loads if load is not None)

    def _at(self, X_GT: Array, q: Array) -> Array | None:
        """(n,) Both arms so that the taker's hand is at X_GT (4, 4) in the giver's: each comes to meet the other.

        Damped least squares on the relative Jacobian of the two hands.
        """
        kinematics, query, robot = self._problem.kinematics, self._query, self._problem.kinematics.robot
        joints = np.concatenate([self._giver, self._taker])
        lower, upper = robot.lower[joints], robot.upper[joints]
        q, wanted = q.copy(), pin.SE3(X_GT)
        best = np.inf
        for iteration in range(ITERATIONS):
            giver, J_G = kinematics.placement_and_jacobian(query.giver, q, self._giver)
            taker, J_T = kinematics.placement_and_jacobian(query.taker, q, self._taker)
            error = pin.log6(taker.actInv(giver * wanted)).vector
            distance, angle = np.linalg.norm(error[:3]), np.linalg.norm(error[3:])
            if distance < ik.POSITION_TOLERANCE and angle < ik.ROTATION_TOLERANCE:
                return q
            if iteration % PATIENCE == 0:
                if distance + angle > 0.7 * best:
                    break
                best = float(distance + angle)
            J = np.hstack([-taker.actInv(giver).action @ J_G, J_T])
            step = J.T @ np.linalg.solve(J @ J.T + (1e-8 + 1e-3 * float(error @ error)) * np.eye(6), error)
            largest = float(np.max(np.abs(step)))
            q[joints] = np.clip(q[joints] + step * min(1.0, 0.4 / largest), lower, upper)
        at_limits = limits_met(q, joints, lower, upper)
        self._problem.tally.missed(Nearest(q, float(distance), float(angle), at_limits))
        return None

    def _passed(self, q: Array, width: float) -> Contact | None:
        """What is in the way of the taker's fingers as they close, or then of the giver's as they open."""
        checker, query = self._problem.checker, self._query
        taken = self._closed(q, width)
        contact = checker.contact(taken)
        if contact is None:
            checker.set_allowed_contacts(
                [AllowedContact(query.taker, query.object), AllowedContact(query.giver, query.object)]
            )
            contact = checker.contact(self._opened(taken, query.giver))
        return contact

    def _opened(self, q: Array, hand: str) -> Array:
        q = q.copy()
        for index, position in self._query.opening.get(hand, {}).items():
            q[index] = position
        return q

    def _closed(self, q: Array, width: float) -> Array:
        """(n,) The configuration with the taker's fingers closed."""
        robot, q = self._problem.kinematics.robot, q.copy()
        for joint, position in robot.hands[self._query.taker].closing(width).items():
            q[robot.joints.index(joint)] = position
        return q

    def _cost(self, approach: Array) -> float:
        return float(np.linalg.norm(self._problem.displacement * (approach[0] - self._problem.start)))

    def _connected(self, meeting: Meeting) -> Plan | Failure:
        problem, query = self._problem, self._query
        joints: Indices = np.concatenate([self._giver, self._taker])
        fingers = np.array(sorted(query.opening.get(query.taker, {})), dtype=np.intp)
        start = self._opened(problem.start, query.taker)
        stands = np.array_equal(start[:3], meeting.approach[0][:3])
        path = problem.connect(start, meeting.approach[0], joints) if stands else None
        if path is None:  # with the base elsewhere, or out of the way and back
            joints = np.union1d(joints, problem.kinematics.robot.indices(*query.chains)).astype(np.intp)
            path = problem.connect(start, meeting.approach[0], joints)
        if path is None:
            return problem.exhausted("the arms cannot be taken to where they would meet")
        indices = np.concatenate([joints, fingers])
        legs = [with_fingers(path, problem.start[fingers], start[fingers]), meeting.approach[:, indices]]
        return problem.plan(legs, indices, query.duration, meeting.goal)

    def _failure(self, found: int, failures: Sequence[Failure]) -> Failure:
        tally = self._problem.tally
        facts: dict[str, object] = {"grasps": len(self._query.grasps), **self._problem.work()}
        if found:
            cause = failures[-1] if failures else None
            message = f"the hands can meet in {found} ways, but not get there"
            return Failure(FailureKind.PLANNER_EXHAUSTED, "planner", message, facts, cause)
        if tally.blocked:
            facts = {"pair": tally.blocked.most_common(1)[0][0], **facts}
            return Failure(
                FailureKind.COLLISION, "planner", "wherever the hands would meet they are in each other's way", facts
            )
        if tally.nearest is not None:
            facts |= tally.nearest.facts(self._problem.kinematics.robot)
        return Failure(FailureKind.IK_EXHAUSTED, "planner", "the hands cannot meet at the object", facts)
