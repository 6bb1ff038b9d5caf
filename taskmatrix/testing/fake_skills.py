"""The common skill set without a robot, a planner or a collision checker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import scipy.spatial.transform

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.arbiter import Arbiter
from taskmatrix.core.robot.capability import Capabilities, HandCapability, ViewCapability
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.kick import DIRECTIONS, KickPlan
from taskmatrix.core.robot.plans import (
    VIEW,
    AllowedContact,
    Contact,
    Goal,
    GoalSolution,
    HandGoal,
    Indices,
    Job,
    Plan,
    PositionGoal,
    Solution,
    TaskObjective,
    Trajectory,
)
from taskmatrix.core.robot.plant import JointState, Plant
from taskmatrix.core.world.geometry import inverse, pose_error, wrap
from taskmatrix.core.world.objects import Array, Grasp
from taskmatrix.core.world.occupancy import Occupancy, expect_map
from taskmatrix.core.world.perception import PerceptualModel

from .fake_robot import OPEN, REACH, FakeRobot
from .line_trajectory import FakeJob, LineTrajectory

EXTENT = (0.3, 1.6)  # [m] radius and height within which it turns
TOLERANCE = 1e-6  # [m], [rad] of inverse kinematics
DIFFERENCE = 1e-5  # [m], [rad] of central differences


class FakeSkills:
    """All eleven skills of the fake robot; implements :class:`taskmatrix.core.robot.skillset.SkillSet`.

    Everything works and is exact: kinematics are those of :class:`~taskmatrix.testing.FakeRobot`, plans are straight
    lines to the first goal, nothing touches anything. A test scripts what should go otherwise.

    Attributes:
        plans: What the next plannings find, the first first; when it is empty, a straight line.
        clearings: What the next plans out of contact find; when it is empty, that there is nothing to leave.
        stale: What the next validations of a plan find wrong, None for nothing; when it is empty, nothing.
        contact: From a whole configuration (n,) to the contact there, or None; also what the collision guard asks.
        postures: Named postures.
        motions: Named motions; ``wave`` moves the right hand up and down, ``nod`` the head once.
        sees: Whether there is a head to turn.
        view_range: [m] The nearest and the furthest that is seen, if that is known.
        payloads: [kg] Declared, by hand; what the others carry is not known.
        seeds: Seeds that planning was called with.
        liftable: Names of the feet.
        kicked: What a foot may touch.
        allowed_contacts: Allowed contacts in force, by hand.
        occupancy: The map of space; there is none unless a test gives one.
        avoids_unseen: Whether unseen space is in the way; ``contact`` knows nothing of it.
    """

    def __init__(
        self, robot: FakeRobot, perception: PerceptualModel, plant: Plant, arbiter: Arbiter, clock: Clock
    ) -> None:
        self.robot = robot
        self._perception, self._plant, self._arbiter, self._clock = perception, plant, arbiter, clock
        self._state = plant.sense()
        self.plans: deque[Plan | Failure] = deque()
        self.clearings: deque[Plan | Failure] = deque()
        self.stale: deque[Failure | None] = deque()
        self.contact: Callable[[Array], Contact | None] = lambda q: None
        self.postures: dict[str, dict[int, float]] = {"stance": dict(enumerate(robot.stance.tolist()))}
        self.motions = {
            "wave": Motion.through("wave", {14: [(0, 1.2), (0.5, 1.3), (1.5, 1.1), (2, 1.2)]}, periodic=True),
            "nod": Motion.through("nod", {4: [(0, 0), (0.5, -0.2), (1, 0)]}, periodic=False),
        }
        self.sees = True
        self.view_range: tuple[float, float] | None = None
        self.payloads: dict[str, float] = {}
        self.seeds: list[int] = []
        self.liftable: tuple[str, ...] = ()
        self.kicked: str | None = None
        self.allowed_contacts: dict[str, AllowedContact] = {}
        self.occupancy: Occupancy | None = None
        self.avoids_unseen = False

    def sense(self, state: JointState) -> None:
        """Take the joint sensors' reading of this control step."""
        self._state = state

    @property
    def capabilities(self) -> Capabilities:
        """Those of the fake robot."""
        hands = {
            name: HandCapability(
                f"{name}_arm", 6, 1, (0.0, OPEN), REACH, self.payloads.get(name), name in self.payloads
            )
            for name in self.hands
        }
        (pan, tilt), range = self.robot.upper[3:5].tolist(), self.view_range
        view = ViewCapability(True, pan, pan, tilt, tilt, range) if self.sees else ViewCapability(False, range=range)
        chains = {chain: len(joints) for chain, joints in self.robot.chains.items()}
        return Capabilities(chains, hands, view, self.holonomic, feet=self.feet)

    @property
    def chains(self) -> tuple[str, ...]:
        """Names of the kinematic chains."""
        return tuple(self.robot.chains)

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of the hands."""
        return self.robot.hands

    @property
    def holonomic(self) -> bool:
        """Whether the base can move in any direction."""
        return True

    def joints(self, *chains: str) -> Indices:
        """Joints of chains."""
        for chain in chains:
            if chain not in self.robot.chains:
                raise NotFoundError("chain", chain, self.robot.chains, "the fake robot")
        return np.array([joint for chain in chains for joint in self.robot.chains[chain]], dtype=np.intp)

    def joint_name(self, joint: int) -> str:
        """Of the fake robot: its chain and its number in it."""
        chain = next(name for name, joints in self.robot.chains.items() if joint in joints)
        return f"{chain}_{self.robot.chains[chain].index(joint)}"

    def chains_of_hand(self, hand: str) -> tuple[str, ...]:
        """The chains of a hand's arm and of its fingers."""
        self.robot.arm(hand)
        return f"{hand}_arm", f"{hand}_hand"

    def position(self) -> Array:
        """(n,) Joint positions as sensed."""
        return self._state.q.copy()

    def velocity(self) -> Array:
        """(n,) Joint velocities as sensed."""
        return self._state.v.copy()

    def acceleration(self) -> Array:
        """(n,) Joint accelerations as sensed."""
        return self._state.a.copy()

    def limits(self) -> tuple[Array, Array, Array, Array]:
        """(n,) each: lower, upper, velocity and acceleration limits."""
        return self.robot.lower, self.robot.upper, self.robot.velocity, self.robot.acceleration

    def command(
        self,
        owner: str,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
    ) -> None:
        """To the arbiter, which really decides."""
        zero = np.zeros(len(joints))
        self._arbiter.command(owner, joints, q, zero if v is None else v, zero if a is None else a, objective)

    def forward_kinematics(self, hand: str, q: Array | None = None) -> Array:
        """X_WH: (4, 4) pose of a hand."""
        return self.robot.hand_pose(hand, self._at(q))

    def differential_kinematics(self, frame: str, q: Array | None = None) -> tuple[Array, Array]:
        """X_WF (4, 4) of a hand or of the ``view``, and (6, n) its twist for unit speeds, by central differences."""
        at = self._at(q)
        X_WF, J = self._frame(frame, at), np.zeros((6, len(at)))
        for joint in range(len(at)):
            step = np.zeros(len(at))
            step[joint] = DIFFERENCE
            change = inverse(self._frame(frame, at - step)) @ self._frame(frame, at + step)
            spin = scipy.spatial.transform.Rotation.from_matrix(change[:3, :3]).as_rotvec()
            J[:, joint] = np.concatenate([change[:3, 3], spin]) / (2.0 * DIFFERENCE)
        return X_WF, J

    def _frame(self, frame: str, q: Array) -> Array:
        """(4, 4) Pose of a hand or of the view."""
        if frame != VIEW:
            return self.robot.hand_pose(frame, q)
        X_WV = np.eye(4)
        X_WV[:3] = np.column_stack([self.robot.view(q), self.robot.view_position(q)])
        return X_WV

    def inverse_kinematics(
        self,
        hand: str,
        X_WH: Array,
        chains: Sequence[str],
        q: Array | None = None,
        reference: Array | None = None,
        within: Array | None = None,
    ) -> Solution:
        """The arm at the goal if it may move, within its limits."""
        found = self._at(q)
        if f"{hand}_arm" in chains:
            found[self.robot.arm(hand)] = self.robot.arm_joints(X_WH, found)
        if within is not None:
            found = self._at(q) + np.clip(found - self._at(q), -within, within)
        found = np.clip(found, self.robot.lower, self.robot.upper)
        return Solution(found, *pose_error(X_WH, self.robot.hand_pose(hand, found)))

    def find_configuration(
        self,
        goals: Sequence[Goal],
        chains: Sequence[str] | None = None,
        *,
        q: Array | None = None,
        reference: Array | None = None,
        free: bool = False,
        seed: int = 0,
        attempts: int = 200,
        choices: int = 1,
        base_range: float = 1.0,
    ) -> GoalSolution | Failure:
        """The arm at the first goal within its limits, where it touches nothing if that is asked for."""
        starts = np.array(self._at(q), ndmin=2)
        contact, tried = None, 0
        for number, goal in enumerate(goals):
            for start in starts:
                tried += 1
                X_WH = goal.X_WH if isinstance(goal, HandGoal) else self.robot.hand_pose(goal.hand, start)
                if isinstance(goal, PositionGoal):
                    X_WH[:3, 3] = goal.p_WH
                moving = [f"{goal.hand}_arm"] if chains is None else chains
                found = self.inverse_kinematics(goal.hand, X_WH, moving, start)
                if max(found.distance, found.angle) < TOLERANCE:
                    contact = self.contact(found.q) if free else None
                    if contact is None:
                        work = {"ik_attempts": tried, "ik_iterations": tried, "collision_checks": tried * free}
                        return GoalSolution(found.q, found.distance, found.angle, goal, number, work)
        if contact is not None:
            message, facts = "no configuration at a goal is free of contact", {"pair": contact.pair}
            return Failure(FailureKind.COLLISION, "inverse kinematics", message, facts)
        message = "no goal is within reach"
        return Failure(FailureKind.IK_EXHAUSTED, "inverse kinematics", message, {"ik_attempts": tried})

    def inverse_kinematics_of_view(self, point: Array, chains: Sequence[str], q: Array | None = None) -> Array:
        """(n,) Head and base turned to a point: the head first, the base for what the head cannot."""
        found = self._at(q)
        off = point - self.robot.view_position(found)
        bearing = float(np.arctan2(off[1], off[0]))
        limit = self.robot.upper[3]
        if "head" in chains:
            found[3] = np.clip(wrap(bearing - found[2]), -limit, limit)
            found[4] = np.clip(np.arctan2(off[2], np.hypot(off[0], off[1])), self.robot.lower[4], self.robot.upper[4])
        if "base" in chains:
            found[2] += wrap(bearing - found[2] - found[3])
        return found

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        """What was scripted, or a straight line."""
        return self._job(self._plan(self.straight(goal, duration)), seed, planning_time)

    def plan_to_clear(
        self, chains: Sequence[str], duration: float, seed: int, planning_time: float, releasing: str | None = None
    ) -> Job | Failure:
        """What was scripted in ``clearings``, or a motion of nothing."""
        still = Plan(self.straight({}, 0.0), None, 0.0, stretched=False, work={})
        return self._job(self.clearings.popleft() if self.clearings else still, seed, planning_time)

    def plan_to_poses(
        self, goals: Sequence[HandGoal], chains: Sequence[str], duration: float, seed: int, planning_time: float
    ) -> Job | Failure:
        """What was scripted, or a straight line of the arm to the first goal with the hand open."""
        goal, q = goals[0], self.position()
        line = dict(zip(self.robot.arm(goal.hand), self.robot.arm_joints(goal.X_WH, q).tolist(), strict=True))
        return self._job(
            self._plan(self.straight({**line, **self.hand_posture(goal.hand, None)}, duration), goal),
            seed,
            planning_time,
        )

    def plan_handover(
        self,
        object: str,
        giver: str,
        taker: str,
        avoid: str | None,
        approach_distance: float,
        chains: Sequence[str],
        duration: float,
        seed: int,
        planning_time: float,
    ) -> Job | Failure:
        """What was scripted, or a straight line of the taker's arm to the object's first grasp."""
        grasp = next(grasp for grasp in self.grasps(object, taker) if grasp.name != avoid)
        goal = HandGoal(taker, self._perception.pose(object) @ grasp.X_OH, grasp.name, object, approach_distance)
        return self.plan_to_poses([goal], (), duration, seed, planning_time)

    def recheck(self, plan: Plan) -> Job | None:
        """What was scripted, or that nothing has changed."""
        stale = self.stale.popleft() if self.stale else None
        return None if stale is None else FakeJob(stale, lambda: True)

    def straight(self, goal: Mapping[int, float], duration: float) -> LineTrajectory:
        """A straight line, stretched to the velocity limits."""
        joints = np.array(sorted(goal), dtype=np.intp)
        begin, end = self._state.q[joints], np.array([goal[int(joint)] for joint in joints])
        fastest = float(np.max(np.abs(end - begin) / self.robot.velocity[joints], initial=0.0))
        return LineTrajectory(joints, begin, end, max(duration, fastest))

    def collision(self, joints: Indices, q: Array) -> Contact | None:
        """What was scripted."""
        whole = self.position()
        whole[joints] = q
        return self.contact(whole)

    def contacts(self) -> tuple[Contact, ...]:
        """What was scripted for where it is."""
        contact = self.contact(self.position())
        return () if contact is None else (contact,)

    def imminent_contact(self, joints: Indices, q: Array) -> Contact | None:
        """What was scripted, where it is not so now."""
        found = self.collision(joints, q)
        return None if found in self.contacts() else found

    def nearer_than(self, q: Array, within: float) -> tuple[Array, Array]:
        """Nothing is near to anything."""
        return np.empty(0), np.empty((0, len(q)))

    def avoid_unseen(self, avoid: bool) -> bool:
        """Remember whether unseen space is to be avoided."""
        expect_map(self.occupancy, avoid)
        before, self.avoids_unseen = self.avoids_unseen, avoid
        return before

    def extent(self, above: float = -np.inf) -> tuple[float, float]:
        """[m] Radius and height of the fake robot."""
        return EXTENT

    def allow_contact(self, contact: AllowedContact | None, hand: str) -> None:
        """Remember the contact that a hand is allowed."""
        if contact is None:
            self.allowed_contacts.pop(hand, None)
        else:
            self.allowed_contacts[hand] = contact

    def grasps(self, object: str, hand: str) -> tuple[Grasp, ...]:
        """The object's grasps that the hand is wide enough for."""
        return tuple(grasp for grasp in self._perception.object(object).model.grasps if grasp.width <= OPEN)

    @property
    def feet(self) -> tuple[str, ...]:
        """None: a fake robot rolls; a test names some."""
        return self.liftable

    def chains_of_foot(self, foot: str) -> tuple[str, ...]:
        """The chain of the foot's name; its joints are those of the arm on its side."""
        if foot not in self.feet:
            raise NotFoundError("foot", foot, self.feet)
        return (f"{foot}_arm",)

    def kick(self, foot: str, direction: str, object: str) -> KickPlan | Failure:
        """One that stays where it is for a second, of a ball 0.3 m ahead, that goes 1 m that way, with 1 m/s."""
        self._perception.object(object)
        joints = self.joints(*self.chains_of_foot(foot))
        if direction not in DIRECTIONS:
            raise NotFoundError("direction of a kick", direction, DIRECTIONS)
        angle = (1.0 if foot == "left" else -1.0) * DIRECTIONS.index(direction) * np.pi / 4
        still = LineTrajectory(joints, self._state.q[joints], self._state.q[joints], 1.0)
        return KickPlan(foot, direction, still, np.array([0.3, 0.0]), angle, 1.0, 0.5, 1.0)

    def allow_kick(self, foot: str, object: str | None) -> None:
        """Note it in ``kicked``."""
        self.kicked = object

    def hand_posture(self, hand: str, width: float | None) -> Mapping[int, float]:
        """Fingers that far apart, or open."""
        return {int(self.joints(f"{hand}_hand")[0]): OPEN if width is None else width}

    def posture(self, name: str) -> Mapping[int, float]:
        """One of ``postures``."""
        if name not in self.postures:
            raise NotFoundError("posture", name, self.postures, "the fake robot")
        return self.postures[name]

    def motion(self, name: str) -> Motion:
        """One of ``motions``."""
        if name not in self.motions:
            raise NotFoundError("motion", name, self.motions, "the fake robot")
        return self.motions[name]

    def mirrored(self, posture: Mapping[int, float]) -> Mapping[int, float] | None:
        """The posture with left and right exchanged."""
        return self.robot.mirrored(posture)

    def able_to_view(self) -> bool:
        """Whether there is a head: the attribute ``sees``."""
        return self.sees

    def view(self, q: Array | None = None) -> Array:
        """(3, 3) Viewing direction, up, and their cross product as columns."""
        return self.robot.view(self._at(q))

    def view_position(self, q: Array | None = None) -> Array:
        """(3,) [m] Where the robot views from."""
        return self.robot.view_position(self._at(q))

    def feel(self, hand: str) -> HandState:
        """What the plant's sensors say."""
        self.robot.arm(hand)
        return self._plant.feel()[hand]

    def attach(self, hand: str, object: str) -> None:
        """Make the hand hold the object."""
        self._plant.attach(hand, object)

    def detach(self, hand: str) -> None:
        """Make the hand let go of what it holds."""
        self._plant.detach(hand)

    def held(self, hand: str) -> str | None:
        """Id of the object that is perceived in the hand."""
        self.robot.arm(hand)
        return next((name for name, seen in self._perception.percepts.items() if seen.held_by == hand), None)

    def _at(self, q: Array | None) -> Array:
        return self.position() if q is None else q.copy()

    def _plan(self, trajectory: Trajectory, goal: HandGoal | None = None) -> Plan | Failure:
        if self.plans:
            return self.plans.popleft()
        return Plan(trajectory, goal, trajectory.duration, stretched=False, work={})

    def _job(self, result: Plan | Failure, seed: int, planning_time: float) -> FakeJob:
        self.seeds.append(seed)
        due = self._clock.now() + planning_time
        return FakeJob(result, lambda: self._clock.now() >= due - 1e-9)
