"""The common skill set: the one interface between behaviors and robots, eleven definitions (thesis 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from ..base.failure import Failure
from ..world.objects import Array, Grasp
from ..world.occupancy import Occupancy
from .capability import Capabilities
from .hand_state import HandState
from .joint_motion import Motion
from .kick import KickPlan
from .plans import (
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


class SkillSet(Protocol):
    """What every robot can do; behaviors know nothing else of it.

    Joints are addressed by their indices into the active joint positions ``q`` (n,); the first three are the base
    (x, y, yaw). ``None`` for a configuration means the present one.
    """

    @property
    def capabilities(self) -> Capabilities:
        """1, 9, 10. What the robot provides, whatever it is doing; behaviors' requirements are matched with it."""
        ...

    @property
    def chains(self) -> tuple[str, ...]:
        """Names of the robot's kinematic chains."""
        ...

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of the robot's hands."""
        ...

    @property
    def holonomic(self) -> bool:
        """Whether the base can move in any direction; if not, it only turns and rolls along its heading."""
        ...

    def joints(self, *chains: str) -> Indices:
        """1. Degrees of freedom of chains."""
        ...

    def joint_name(self, joint: int) -> str:
        """What the robot's model calls a joint: to tell people, not to do anything by it."""
        ...

    def position(self) -> Array:
        """2. (n,) Joint positions as sensed."""
        ...

    def velocity(self) -> Array:
        """2. (n,) Joint velocities as sensed."""
        ...

    def acceleration(self) -> Array:
        """2. (n,) Joint accelerations as sensed."""
        ...

    def command(
        self,
        owner: str,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
    ) -> None:
        """3. Send positions (k,), velocities and accelerations for joints that ``owner`` has been granted.

        ``objective`` says what of it matters where chains are shared; every joint unless it is given.
        """
        ...

    def forward_kinematics(self, hand: str, q: Array | None = None) -> Array:
        """4. X_WH: (4, 4) pose of a hand's grasp frame."""
        ...

    def differential_kinematics(self, frame: str, q: Array | None = None) -> tuple[Array, Array]:
        """4. X_WF (4, 4) of a hand's grasp frame or of the ``view``, and (6, n) its twist for unit speeds.

        The twist is expressed in the frame: velocity of its origin [m/s], then angular velocity [rad/s].
        """
        ...

    def inverse_kinematics(
        self,
        hand: str,
        X_WH: Array,
        chains: Sequence[str],
        q: Array | None = None,
        reference: Array | None = None,
        within: Array | None = None,
    ) -> Solution:
        """5. The configuration nearest to the goal that moving ``chains`` from ``q`` finds, within the limits.

        Where more than one reaches the goal, the one nearest to ``reference`` (n,) is preferred. No joint goes farther
        from ``q`` than ``within`` (n,) [rad, m] if that is given. One descent, bounded.
        """
        ...

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
        """5. A configuration that takes one of several goals, within the limits, or why none was found.

        Many descents, at once: one from every given configuration to every goal, the nearest first, then some from
        random configurations. The same arguments, in the same world, give the same answer.

        Args:
            goals: Any of them will do. Of a :class:`HandGoal` the approach is not looked at.
            chains: Those that may move; unless given, the arm of each goal's hand. Everything else stays.
            q: (n,) Where to start, or (s, n) for several; the present configuration unless given.
            reference: (n,) Posture to come near to where a goal leaves freedom.
            free: Whether it must be free of contact, but for what is allowed: the allowed contacts in force, and that
                of a goal's hand with the goal's object.
            seed: Of the random configurations.
            attempts: Descents from random configurations at most, all goals together.
            choices: How many configurations to choose from; the search goes on until it has as many or is at its
                end, and of what it has the nearest to the reference, or else to the first of ``q``, is the answer.
            base_range: [m] How far the base may go along x and y from where it is in the first of ``q``.

        Returns:
            The configuration; or a failure (``ik_exhausted``, ``collision``) that says which goal was come nearest to
            and how near, which joints are on which limit there, which pairs collided most, and the attempts made.

        Raises:
            ParameterError: No goal, a goal that is none, or an argument of wrong shape or range; no chain moves a
                goal's hand.
            NotFoundError: A hand, a chain or an object does not exist.
        """
        ...

    def inverse_kinematics_of_view(self, point: Array, chains: Sequence[str], q: Array | None = None) -> Array:
        """5. (n,) The configuration in which turning ``chains`` faces ``point`` (3,) as far as it goes.

        The base turns on the spot.
        """
        ...

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        """6. A collision-free motion of the joints named in ``goal`` to their positions.

        Where the positions would touch something, the chains ``relaxed`` may be elsewhere at the end: a torso upright,
        the base as near as it can be. Like all plans it comes out of contact first, where it begins in contact.
        """
        ...

    def plan_to_clear(
        self, chains: Sequence[str], duration: float, seed: int, planning_time: float, releasing: str | None = None
    ) -> Job | Failure:
        """6. A motion of ``chains`` out of contact, and of hands away from what they let go or were about to grasp.

        Contacts come apart all the way, no other arises, and the robot moves little. A hand goes straight back as far
        as there is room, until it is clear of the object.

        Args:
            chains: Those that may move.
            duration: [s] A minimum, where anything is to move.
            seed: For ways that have to be searched for.
            planning_time: [s] What it takes in simulated time.
            releasing: A hand that will have opened and let go of what it holds when the motion begins.

        Returns:
            The job; its result is a failure of kind ``collision`` that names what holds the robot where there is no
            way out.
        """
        ...

    def plan_to_poses(
        self, goals: Sequence[HandGoal], chains: Sequence[str], duration: float, seed: int, planning_time: float
    ) -> Job | Failure:
        """7. A collision-free motion that takes one of several goals, with ``chains`` and the arm of the goal's hand.

        An arm among ``chains`` that holds something else only takes that out of what it is at, in the beginning. Goals
        from which the view can face the goal's object are preferred. ``duration`` [s] is a minimum; ``planning_time``
        [s] is what it takes in simulated time.
        """
        ...

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
        """7. A collision-free motion of both arms that takes one hand to a grasp of what the other holds.

        ``avoid`` names a grasp to leave out. ``chains`` may move too where the object is to be lifted off something.
        """
        ...

    def recheck(self, plan: Plan) -> Job | None:
        """6, 7. Check a plan against the world as it is now; None where that is still the world it was made for.

        The job's result is the plan, or why it will not do any more.
        """
        ...

    def straight(self, goal: Mapping[int, float], duration: float) -> Trajectory | Failure:
        """3. A straight line of joints to positions, within the limits of velocity and acceleration; not checked."""
        ...

    def collision(self, joints: Indices, q: Array) -> Contact | None:
        """8. The first contact when ``joints`` are at ``q`` (k,) and everything else where it is."""
        ...

    def contacts(self) -> Sequence[Contact]:
        """8. Every contact of now that is not permitted, the deepest first."""
        ...

    def imminent_contact(self, joints: Indices, q: Array) -> Contact | None:
        """8. What would come into contact, or within 6 mm of an object, with ``joints`` at ``q`` (k,).

        The deepest of these pairs; what is so near already counts if it would come nearer.
        """
        ...

    def nearer_than(self, q: Array, within: float) -> tuple[Array, Array]:
        """8. (m,) [m] Distances of pairs nearer than ``within`` [m] at q (n,), and (m, n) how joints change them."""
        ...

    @property
    def occupancy(self) -> Occupancy | None:
        """8. The map of space that collision checks know besides the objects; None where there is none."""
        ...

    def avoid_unseen(self, avoid: bool) -> bool:
        """8. Let space that nobody has looked at be in the way from now on, or not; contacts call it ``unseen``.

        Returns:
            Whether it was before.

        Raises:
            ParameterError: There is no map, and so nothing is unseen.
        """
        ...

    def extent(self, above: float = -np.inf) -> tuple[float, float]:
        """8. [m] How far the robot, or what it holds, is from its base's axis at most, and how high: it turns within.

        Args:
            above: [m] Height above which parts of it count; all unless given.
        """
        ...

    def grasps(self, object: str, hand: str) -> tuple[Grasp, ...]:
        """9. Ways in which a hand can hold an object."""
        ...

    def view(self, q: Array | None = None) -> Array:
        """10. (3, 3) Viewing direction, up, and their cross product as columns, in the world."""
        ...

    def view_position(self, q: Array | None = None) -> Array:
        """10. (3,) [m] Where the robot views from, in the world."""
        ...

    def feel(self, hand: str) -> HandState:
        """11. What the sensors of a hand say: forces, contact of its fingers, slip of what it holds."""
        ...

    def attach(self, hand: str, object: str) -> None:
        """11. Make the hand hold the object; that it does is perceived, at once or, where fingers close, later."""
        ...

    def detach(self, hand: str) -> None:
        """11. Make the hand let go of what it holds."""
        ...

    def held(self, hand: str) -> str | None:
        """11. Id of the object that the hand holds."""
        ...

    def allow_contact(self, contact: AllowedContact | None, hand: str) -> None:
        """8. Permit (or, with None, forbid) contact of a hand with one object; what a hand holds it may touch.

        A permission ends when nobody owns the hand any more. What is in contact then may come out of it and not go
        deeper, and what is planned next begins with leaving it.
        """
        ...

    def able_to_view(self) -> bool:
        """10. Whether there is a head to turn."""
        ...

    def chains_of_hand(self, hand: str) -> tuple[str, ...]:
        """1. Arm of a hand, then its fingers if it has any."""
        ...

    @property
    def feet(self) -> tuple[str, ...]:
        """1. Feet that can be lifted: ``left`` and ``right``, or none."""
        ...

    def chains_of_foot(self, foot: str) -> tuple[str, ...]:
        """1. Chains of the joints that move a foot."""
        ...

    def kick(self, foot: str, direction: str, object: str) -> KickPlan | Failure:
        """6. A kick of a ball for the robot as it stands, in a direction of :mod:`taskmatrix.core.robot.kick`.

        It is within the limits and is not checked for contact. Where the ball lies does not matter: the plan says where
        it has to. A failure says what the leg is not able to.
        """
        ...

    def allow_kick(self, foot: str, object: str | None) -> None:
        """8. Permit contact of a foot with one object; with None, with none any more."""
        ...

    def hand_posture(self, hand: str, width: float | None) -> Mapping[int, float]:
        """9. Joint positions of the fingers for closing on ``width`` [m]; None: wide open."""
        ...

    def posture(self, name: str) -> Mapping[int, float]:
        """6. A named posture as joint positions; raises NotFoundError."""
        ...

    def motion(self, name: str) -> Motion:
        """6. A named motion as smooth joint trajectories; raises NotFoundError."""
        ...

    def mirrored(self, posture: Mapping[int, float]) -> Mapping[int, float] | None:
        """6. The posture with left and right exchanged; None if the robot has no mirrored joints."""
        ...

    def limits(self) -> tuple[Array, Array, Array, Array]:
        """3. (n,) each: lower, upper, velocity and acceleration limits."""
        ...
