"""The common skill set over a Pinocchio model."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.arbiter import Arbiter
from taskmatrix.core.robot.capability import Capabilities
from taskmatrix.core.robot.filters import deeper
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
    Solution,
    TaskObjective,
    Trajectory,
)
from taskmatrix.core.robot.plant import JointState, Plant
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array, Grasp, ObjectModel
from taskmatrix.core.world.occupancy import Occupancy
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.robots import Hand, Robot

from .collision.allowed_contacts import AllowedContacts
from .collision.bodies import bodies_of
from .collision.collision import FLOOR, PENETRATION, CollisionChecker
from .collision.known_space import KnownSpace
from .grasping.store import GraspStore
from .kinematics import ik
from .kinematics.kinematics import Kinematics
from .kinematics.view import face
from .legs.kicking import Kicker
from .legs.step_clearance import StepClearance
from .planning.finding import Finder
from .planning.planner_backend import PlannerBackend
from .planning.queries import CheckQuery, ClearQuery, ConfigurationQuery, HandoverQuery, IkQuery, PoseQuery, Snapshot
from .trajectories.limits import Limits
from .trajectories.trajectory import time_parameterise

CLOSE = 0.006  # [m] from an object: who reacts to what it sees stops there
TOUCH_RANGE = 0.035  # [m] from a grasp within which a permission to touch lasts: 30 mm, and slack for tracking


class PinocchioSkills:
    """All eleven skills for one robot; implements :class:`taskmatrix.core.robot.skillset.SkillSet`.

    Args:
        robot: The robot.
        perception: What is known of the world.
        plant: Where objects are attached.
        arbiter: Where commands go.
        host: Where planning runs.
    """

    def __init__(
        self, robot: Robot, perception: PerceptualModel, plant: Plant, arbiter: Arbiter, host: PlannerBackend
    ) -> None:
        self.robot = robot
        self._perception, self._plant, self._arbiter, self._host = perception, plant, arbiter, host
        self._kinematics = Kinematics(robot)
        self._checker, self.leg_room = CollisionChecker(robot), StepClearance(robot)
        self._grasps = GraspStore(robot)
        self._state = plant.sense()
        self._permissions = AllowedContacts()
        self._pressing: tuple[AllowedContact, ...] = ()
        self._seen: tuple[Percept, ...] = ()
        self._space = KnownSpace()
        self._kicker: Kicker | None = None
        self.standing: Callable[[Array], Array] = lambda q: q
        """From a configuration (n,) to that with legs that step as they will stand: what plans begin with."""

    # the process that keeps the skills up to date

    def sense(self, state: JointState) -> None:
        """Take the joint sensors' reading of this control step."""
        self._state = state

    def look(self) -> None:
        """Take over the world from the perceptual model; called once a control step, after perception."""
        if not self._is_as_seen():
            bodies = bodies_of(self._objects(), self._held())
            self._checker.set_bodies(bodies)
            self.leg_room.set_bodies(bodies)
        self._take_map()
        self._permissions.update(
            lambda hand: self._arbiter.owner(self.robot.hands[hand].arm) is not None, self._is_away
        )
        self._pressing = tuple(self._checker.penetrations(self._state.q, PENETRATION / 2))
        self._permit()

    def use_map(self, occupancy: Occupancy | None) -> None:
        """Check collisions with a map of space too, as it is at each :meth:`look` from now on; None: without one."""
        self._space.use(occupancy)
        self._take_map()

    def command_contacts(self, command: Array) -> Sequence[Contact]:
        """The contacts when a command (n,) is executed from where the base really is, or when legs then stand there."""
        q = command.copy()
        q[:3] += self._state.q[:3] - self._arbiter.last[:3]
        stood = self.standing(q)
        return self._checker.all_contacts(q) or (self._checker.all_contacts(stood) if stood is not q else ())

    # 1. degrees of freedom, and what else the robot provides

    @property
    def capabilities(self) -> Capabilities:
        """What the robot provides, whatever it is doing."""
        return self.robot.capabilities

    @property
    def chains(self) -> tuple[str, ...]:
        """Names of the kinematic chains."""
        return tuple(self.robot.chains)

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of the hands."""
        return tuple(self.robot.hands)

    @property
    def holonomic(self) -> bool:
        """Whether the base can move in any direction; if not, it only turns and rolls along its heading."""
        return not self.robot.rolls

    def joints(self, *chains: str) -> Indices:
        """Indices of the joints of chains."""
        return np.array(self.robot.indices(*chains), dtype=np.intp)

    def joint_name(self, joint: int) -> str:
        """What the robot's model calls a joint."""
        return self.robot.joints[joint]

    def chains_of_hand(self, hand: str) -> tuple[str, ...]:
        """Arm of a hand, then its fingers if it has any."""
        found = self._hand(hand)
        return (found.arm,) if found.fingers is None else (found.arm, found.fingers)

    @property
    def feet(self) -> tuple[str, ...]:
        """Feet that can be lifted."""
        return tuple(leg.foot for leg in self.robot.legs)

    def chains_of_foot(self, foot: str) -> tuple[str, ...]:
        """Chains of the joints that move a foot."""
        return self.robot.legs[self._foot(foot)].chains

    # 2. joint queries

    def position(self) -> Array:
        """(n,) Joint positions as sensed."""
        return self._state.q.copy()

    def velocity(self) -> Array:
        """(n,) Joint velocities as sensed."""
        return self._state.v.copy()

    def acceleration(self) -> Array:
        """(n,) Joint accelerations as sensed."""
        return self._state.a.copy()

    # 3. motion control

    def command(
        self,
        owner: str,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
    ) -> None:
        """Send a command to joints that ``owner`` has been granted."""
        zero = np.zeros(len(joints))
        self._arbiter.command(owner, joints, q, zero if v is None else v, zero if a is None else a, objective)

    def limits(self) -> tuple[Array, Array, Array, Array]:
        """Lower, upper, velocity and acceleration limits, (n,) each."""
        robot = self.robot
        return robot.lower, robot.upper, robot.velocity, robot.acceleration

    # 4. and 5. kinematics

    def forward_kinematics(self, hand: str, q: Array | None = None) -> Array:
        """X_WH: (4, 4) pose of a hand's grasp frame."""
        return self._kinematics.pose(self._hand(hand).name, self._state.q if q is None else q)

    def differential_kinematics(self, frame: str, q: Array | None = None) -> tuple[Array, Array]:
        """X_WF (4, 4) of a hand or of the ``view``, and (6, n) its twist, expressed in it, for unit speeds."""
        at = self._state.q if q is None else q
        name = frame if frame == VIEW and self.robot.view is not None else self._hand(frame).name
        placement, J = self._kinematics.placement_and_jacobian(name, at, np.arange(self.robot.n))
        return placement.homogeneous, J

    def inverse_kinematics(
        self,
        hand: str,
        X_WH: Array,
        chains: Sequence[str],
        q: Array | None = None,
        reference: Array | None = None,
        within: Array | None = None,
    ) -> Solution:
        """The configuration nearest to a goal that moving ``chains`` finds from ``q``."""
        start = self._state.q if q is None else q
        joints = self.joints(*chains)
        return ik.solve(self._kinematics, self._hand(hand).name, X_WH, joints, start, reference, within=within)

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
        """A configuration that takes one of several goals, or why none was found."""
        starts = np.array(self._state.q if q is None else q, dtype=float, ndmin=2)
        pull = None if reference is None else np.asarray(reference, dtype=float)
        for goal in goals:
            if goal.object is not None and goal.object != FLOOR:
                self._perception.object(goal.object)  # NotFoundError
        moving = None if chains is None else tuple(chains)
        query = IkQuery(tuple(goals), starts, moving, pull, free, seed, attempts, choices, base_range)
        return Finder(self._kinematics, self._checker, self._permissions.in_force, query).find()

    def inverse_kinematics_of_view(self, point: Array, chains: Sequence[str], q: Array | None = None) -> Array:
        """The configuration in which turning ``chains`` faces a point as far as it goes; the base turns on the spot."""
        joints = self.joints(*chains)
        return face(self._kinematics, point, joints[joints >= 2], self._state.q if q is None else q)

    # 6. and 7. planning

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        """Start to plan a motion of joints to positions."""
        query = ConfigurationQuery(dict(goal), duration, seed, tuple(relaxed))
        return self._host.submit(self._snapshot(), query, planning_time)

    def plan_to_clear(
        self, chains: Sequence[str], duration: float, seed: int, planning_time: float, releasing: str | None = None
    ) -> Job | Failure:
        """Start to plan a motion out of contact, and away from what hands are at."""
        snapshot = self._snapshot()
        if releasing is not None:
            snapshot = snapshot.releasing(releasing, self.hand_posture(releasing, None))
        return self._host.submit(snapshot, ClearQuery(tuple(chains), duration, seed), planning_time)

    def plan_to_poses(
        self, goals: Sequence[HandGoal], chains: Sequence[str], duration: float, seed: int, planning_time: float
    ) -> Job | Failure:
        """Start to plan a motion that takes one of several goals."""
        if not goals:
            return Failure(FailureKind.NO_GRASP, "planner", "there is no goal to plan for")
        hands = {goal.hand for goal in goals}
        opening = {hand: self.hand_posture(hand, None) for hand in sorted(hands)}
        query = PoseQuery(tuple(goals), tuple(chains), opening, duration, seed)
        return self._host.submit(self._snapshot(), query, planning_time)

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
        """Start to plan a motion that takes one hand to a grasp of what the other holds."""
        grasps = tuple(grasp for grasp in self.grasps(object, taker) if grasp.name != avoid)
        if not grasps:
            return Failure(FailureKind.NO_GRASP, "planner", f"the {taker} hand has no grasp of '{object}'")
        opening = {hand: self.hand_posture(hand, None) for hand in (giver, taker)}
        query = HandoverQuery(object, giver, taker, grasps, approach_distance, tuple(chains), opening, duration, seed)
        return self._host.submit(self._snapshot(), query, planning_time)

    def recheck(self, plan: Plan) -> Job | None:
        """Check a plan against the world as it is now; None where that is still the world it was made for.

        That the head is elsewhere does not count: plans are made for a head that may turn meanwhile.
        """
        now = self._snapshot()
        expected = np.concatenate([plan.trajectory.indices, self.robot.chains.get("head", ())]).astype(np.intp)
        if isinstance(plan.world, Snapshot) and plan.world.same(now, expected):
            return None
        return self._host.submit(now, CheckQuery(plan), 0.0)

    def straight(self, goal: Mapping[int, float], duration: float) -> Trajectory | Failure:
        """A straight line of joints to positions within the limits of velocity and acceleration; not checked."""
        joints = np.array(sorted(goal), dtype=np.intp)
        path = np.array([self._state.q[joints], [goal[int(index)] for index in joints]])
        limits = Limits.of(self.robot, joints)
        return time_parameterise([path], joints, limits, self._kinematics.displacement[joints], duration)

    def kick(self, foot: str, direction: str, object: str) -> KickPlan | Failure:
        """A kick of a ball for the robot as it stands."""
        self._foot(foot)
        if direction not in DIRECTIONS:
            raise NotFoundError("direction of a kick", direction, DIRECTIONS)
        self._kicker = self._kicker or Kicker(self.robot)
        return self._kicker.kick(foot, direction, self._perception.object(object).model, self._state.q)

    # 8. collision

    def allow_kick(self, foot: str, object: str | None) -> None:
        """Permit contact of a foot with an object; with None, with none any more."""
        self._permissions.kick(self.robot.legs[self._foot(foot)].limb, object)
        self._permit()

    def collision(self, joints: Indices, q: Array) -> Contact | None:
        """The first contact when ``joints`` are at ``q`` and everything else where it is, or legs where they stand."""
        whole = self.standing(self._state.q.copy())
        whole[joints] = q
        return self._checker.contact(whole)

    def contacts(self) -> tuple[Contact, ...]:
        """Every contact of now that is not permitted, the deepest first."""
        return tuple(sorted(self._checker.all_contacts(self._state.q), key=lambda contact: contact.distance))

    def imminent_contact(self, joints: Indices, q: Array) -> Contact | None:
        """What would come into contact, or 6 mm from an object, or nearer than now, with ``joints`` at ``q``."""
        whole = self._state.q.copy()
        whole[joints] = q
        ahead = self._checker.all_contacts(whole, CLOSE)
        now = self._checker.all_contacts(self._state.q, CLOSE) if ahead else ()
        return deeper(ahead, {contact.pair: contact.distance for contact in now})

    def allow_contact(self, contact: AllowedContact | None, hand: str) -> None:
        """Permit contact of a hand with an object, while the hand is owned and within 30 mm of a grasp, or holds it."""
        self._hand(hand)
        if contact is None:
            self._permissions.lapse(hand)
        else:
            self._permissions.permit(contact)
        self._permit()

    def nearer_than(self, q: Array, within: float) -> tuple[Array, Array]:
        """(m,) [m] Distances of pairs nearer than ``within`` [m] at q (n,), and (m, n) how joints change them."""
        return self._checker.nearer_than(q, within)

    @property
    def occupancy(self) -> Occupancy | None:
        """The map of space."""
        return self._space.occupancy

    def avoid_unseen(self, avoid: bool) -> bool:
        """Let space that nobody has looked at be in the way, or not; whether it was before."""
        before = self._space.avoid_unseen(avoid)
        self._take_map()
        return before

    def extent(self, above: float = -np.inf) -> tuple[float, float]:
        """[m] How far the robot, or what it holds, is from its base's axis at most, and how high."""
        return self._checker.extent(self._state.q, above)

    # 9. grasps

    def grasps(self, object: str, hand: str) -> tuple[Grasp, ...]:
        """The object's grasps that the hand is wide enough for; found ones if it is graspable and has no table."""
        return self._grasps.grasps(self._hand(hand).name, self._perception.object(object).model)

    def hand_posture(self, hand: str, width: float | None) -> Mapping[int, float]:
        """Positions of the fingers for closing on ``width`` [m]; None: wide open."""
        found = self._hand(hand)
        named = found.open if width is None else found.closing(width)
        return {self.robot.joints.index(joint): position for joint, position in named.items()}

    # 10. view

    def able_to_view(self) -> bool:
        """Whether the robot has a view and a head to turn it."""
        return self.robot.view is not None and bool(self.robot.chains.get("head"))

    def view(self, q: Array | None = None) -> Array:
        """(3, 3) Viewing direction, up, and their cross product as columns."""
        R: Array = self._kinematics.pose(VIEW, self._state.q if q is None else q)[:3, :3]
        return R

    def view_position(self, q: Array | None = None) -> Array:
        """(3,) [m] Where the robot views from."""
        p: Array = self._kinematics.pose(VIEW, self._state.q if q is None else q)[:3, 3]
        return p

    # 11. attachment

    def feel(self, hand: str) -> HandState:
        """What the sensors of a hand say."""
        return self._plant.feel()[self._hand(hand).name]

    def attach(self, hand: str, object: str) -> None:
        """Make the hand hold the object."""
        self._perception.object(object)
        self._plant.attach(self._hand(hand).name, object)

    def detach(self, hand: str) -> None:
        """Let go of what the hand holds."""
        self._plant.detach(self._hand(hand).name)

    def held(self, hand: str) -> str | None:
        """Id of the object that the hand holds."""
        name = self._hand(hand).name
        for id, percept in self._perception.percepts.items():
            if percept.held_by == name:
                return id
        return None

    # postures and motions

    def posture(self, name: str) -> Mapping[int, float]:
        """A named posture as joint positions."""
        if name not in self.robot.postures:
            raise NotFoundError("posture", name, self.robot.postures, f"robot '{self.robot.name}'")
        return {self.robot.joints.index(joint): position for joint, position in self.robot.postures[name].items()}

    def motion(self, name: str) -> Motion:
        """A named motion as smooth joint trajectories."""
        if name not in self.robot.motions:
            raise NotFoundError("motion", name, self.robot.motions, f"robot '{self.robot.name}'")
        found = self.robot.motions[name]
        tracks = {self.robot.joints.index(joint): track for joint, track in found.keyframes.items()}
        return Motion.through(name, tracks, found.periodic)

    def mirrored(self, posture: Mapping[int, float]) -> Mapping[int, float] | None:
        """The posture with left and right exchanged."""
        return self.robot.sides.image(posture)

    def _hand(self, name: str) -> Hand:
        if name not in self.robot.hands:
            raise NotFoundError("hand", name, self.robot.hands, f"robot '{self.robot.name}'")
        return self.robot.hands[name]

    def _foot(self, name: str) -> int:
        """Which of the robot's feet has a name."""
        if name not in self.feet:
            raise NotFoundError("foot", name, self.feet, f"robot '{self.robot.name}'")
        return self.feet.index(name)

    def _permit(self) -> None:
        self._checker.set_allowed_contacts([*self._permissions.in_force, *self._pressing])

    def _is_as_seen(self) -> bool:
        """Whether all is perceived as it was last time; then remembers it."""
        before, self._seen = self._seen, tuple(self._perception.percepts.values())
        return len(before) == len(self._seen) and all(a is b for a, b in zip(before, self._seen, strict=True))

    def _take_map(self) -> None:
        """Have the checker know the map as it is now."""
        self._checker.set_space(self._space.now())
        self.leg_room.set_space(self._space.now())

    def _objects(self) -> dict[str, tuple[ObjectModel, Array]]:
        return {id: (percept.model, percept.X_WO) for id, percept in self._perception.percepts.items()}

    def _held(self) -> dict[str, tuple[str, Array]]:
        held: dict[str, tuple[str, Array]] = {}
        for id, percept in self._perception.percepts.items():
            if percept.held_by is not None:
                X_WH = self.forward_kinematics(percept.held_by)
                held[percept.held_by] = (id, inverse(X_WH) @ percept.X_WO)
        return held

    def _snapshot(self) -> Snapshot:
        at = tuple(contact for contact in self._permissions.at if self.held(contact.hand) is None)
        return Snapshot(self.standing(self._state.q.copy()), self._objects(), self._held(), at, self._space.now())

    def _is_away(self, contact: AllowedContact) -> bool:
        """Whether a hand is away from what it was at."""
        return self.held(contact.hand) != contact.object and self._grasp_distance(contact) > TOUCH_RANGE

    def _grasp_distance(self, contact: AllowedContact) -> float:
        if contact.object not in self._perception:
            return np.inf
        X_WH, X_WO = self.forward_kinematics(contact.hand), self._perception.pose(contact.object)
        p_OH = (inverse(X_WO) @ X_WH)[:3, 3].tolist()
        grasps = self.grasps(contact.object, contact.hand)
        return min((math.dist(p_OH, grasp.X_OH[:3, 3].tolist()) for grasp in grasps), default=math.inf)
