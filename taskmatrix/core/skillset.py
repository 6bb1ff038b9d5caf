"""The common skill set: the one interface between behaviors and robots, eleven definitions (thesis 3.2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .capability import Capabilities
from .failure import Failure
from .hand_state import HandState
from .kick import KickPlan
from .motion import Motion
from .objects import Array, Grasp
from .occupancy import Occupancy

Indices = NDArray[np.intp]

VIEW = "view"
"""What the view is called beside the hands, where a frame of the robot is named."""


@dataclass(frozen=True)
class Aim:
    """What of a command matters where chains are shared."""

    frame: str
    """A hand, of which it is the pose; or the ``view``, of which it is the direction."""
    leeway: float = math.inf
    """[m, rad] How far others may take joints from where the command has them, as long as that is kept."""


@dataclass(frozen=True)
class Contact:
    """Two bodies that touch, or come closer than was asked for."""

    first: str
    """Link or object."""
    second: str
    """Link or object."""
    distance: float
    """[m] Between them; negative when they penetrate."""

    @property
    def pair(self) -> tuple[str, str]:
        """Both names."""
        return self.first, self.second


@dataclass(frozen=True)
class Touch:
    """A permission: the touching links of a hand may touch one object while the hand is near a grasp of it.

    A hand that holds something may not touch the other object; but what it holds may come as close to it as it likes.
    """

    hand: str
    """Name of the hand."""
    object: str
    """Id of the object."""


@dataclass(frozen=True, eq=False)
class HandGoal:
    """A pose that a hand should take, and from which side to come."""

    hand: str
    """Name of the hand."""
    X_WH: Array
    """(4, 4) Goal of the hand's grasp frame in the world."""
    label: str
    """What to call it: the name of the grasp."""
    object: str | None = None
    """Object that the hand may touch on the last stretch, or to which what it holds may come close."""
    retreat: float = 0.0
    """[m] Length of the last stretch, which is straight."""
    direction: Array | None = None
    """(3,) Unit vector in the world along which the last stretch goes; the hand's z unless given."""
    lets_go: bool = False
    """Whether the hand is to let go there of what it holds: its fingers need room to open."""

    @property
    def p_WH(self) -> Array:  # noqa: N802 - a place, as everywhere
        """(3,) [m] Where the hand is then."""
        p: Array = self.X_WH[:3, 3]
        return p

    @property
    def X_WB(self) -> Array:  # noqa: N802 - a pose, as everywhere
        """(4, 4) Where the last stretch begins."""
        return self.on_last_stretch(self.retreat)

    def on_last_stretch(self, distance: float) -> Array:
        """(4, 4) Where the hand is at a distance [m] from its goal on the last stretch."""
        X = self.X_WH.copy()
        X[:3, 3] -= (X[:3, 2] if self.direction is None else self.direction) * distance
        return X


@dataclass(frozen=True, eq=False)
class PositionGoal:
    """A place where a hand should be, however it is turned."""

    hand: str
    """Name of the hand."""
    p_WH: Array
    """(3,) [m] Goal of the origin of the hand's grasp frame in the world."""
    label: str
    """What to call it."""
    object: str | None = None
    """Object that the hand may touch there, or to which what it holds may come close."""


Goal = HandGoal | PositionGoal


@dataclass(frozen=True, eq=False)
class Solution:
    """A configuration that inverse kinematics found."""

    q: Array
    """(n,) All active joint positions."""
    distance: float
    """[m] What is left between the hand and its goal."""
    angle: float
    """[rad] What is left between the orientations."""


@dataclass(frozen=True, eq=False)
class GoalSolution(Solution):
    """A configuration with a hand at one of several goals."""

    goal: Goal
    """Which goal."""
    number: int
    """Which of the goals, counted from zero."""
    work: Mapping[str, int]
    """What it took: inverse kinematics attempts, their iterations, and collision checks."""


class Trajectory(Protocol):
    """Joint positions over time, within the limits of velocity and acceleration."""

    @property
    def indices(self) -> Indices:
        """(k,) The joints that it moves."""
        ...

    @property
    def duration(self) -> float:
        """[s] How long it takes."""
        ...

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        """(..., k) each: position, velocity and acceleration at times [s] of any shape, clipped to its ends."""
        ...


@dataclass(frozen=True, eq=False)
class Plan:
    """What planning found."""

    trajectory: Trajectory
    """The motion."""
    goal: HandGoal | None
    """Which of the goals it reaches; None for a plan to a configuration."""
    approach: float
    """[s] When the last stretch starts, in which the hand may touch its object."""
    stretched: bool
    """Whether the limits made it longer than the duration asked for."""
    work: Mapping[str, int]
    """What it took: collision checks and inverse kinematics attempts."""
    departure: float = 0.0
    """[s] When the first stretch ends, in which a hand may still touch what it has let go."""
    world: object = None
    """The robot and the world for which it was made; only the skills look into it."""


@runtime_checkable
class Job(Protocol):
    """Planning that is under way beside the control loop."""

    def done(self) -> bool:
        """Whether the result is there."""
        ...

    def result(self) -> Plan | Failure:
        """The plan, or why there is none."""
        ...

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        ...


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
        aim: Aim | None = None,
    ) -> None:
        """3. Send positions (k,), velocities and accelerations for joints that ``owner`` has been granted.

        ``aim`` says what of it matters where chains are shared; every joint unless it is given.
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
            goals: Any of them will do. Of a :class:`HandGoal` the last stretch is not looked at.
            chains: Those that may move; unless given, the arm of each goal's hand. Everything else stays.
            q: (n,) Where to start, or (s, n) for several; the present configuration unless given.
            reference: (n,) Posture to come near to where a goal leaves freedom.
            free: Whether it must be free of contact, but for what is allowed: the touches in force, and that of a
                goal's hand with the goal's object.
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
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float
    ) -> Job | Failure:
        """6. A collision-free motion of the joints named in ``goal`` to their positions."""
        ...

    def plan_to_poses(
        self, goals: Sequence[HandGoal], chains: Sequence[str], duration: float, seed: int, planning_time: float
    ) -> Job | Failure:
        """7. A collision-free motion that takes one of several goals, with ``chains`` and the arm of the goal's hand.

        Goals from which the view can face the goal's object are preferred. ``duration`` [s] is a minimum;
        ``planning_time`` [s] is what it takes in simulated time.
        """
        ...

    def plan_handover(
        self,
        object: str,
        giver: str,
        taker: str,
        avoid: str | None,
        retreat: float,
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
        """11. Let go."""
        ...

    def held(self, hand: str) -> str | None:
        """11. Id of the object that the hand holds."""
        ...

    def allow_touch(self, touch: Touch | None, hand: str) -> None:
        """8. Permit (or, with None, forbid) contact of a hand with one object; what a hand holds it may touch."""
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
        """6. A kick of a ball for the robot as it stands, with one of the directions in :mod:`taskmatrix.core.kick`.

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
