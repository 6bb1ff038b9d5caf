"""What the facets of the skill set share: the robot, what is sensed of it, and what is known of its world."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.arbiter import Arbiter
from taskmatrix.core.robot.plans import AllowedContact
from taskmatrix.core.robot.plant import JointState, WholePlant
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import OCCUPIED, UNKNOWN, Occupancy, Space, expect_map
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.robots import Hand, Robot

from .collision.bodies import Body
from .collision.body_segments import BodySegments
from .collision.clearance import Clearance
from .collision.collision import CollisionChecker
from .control.momentum_observer import MomentumObserver
from .grasping.store import GraspStore
from .kinematics.kinematics import Kinematics
from .kinematics.load import Load, load_of
from .legs.step_clearance import StepClearance
from .planning.planner_backend import PlannerBackend


class AllowedContacts:
    """Allowed contacts, from when they are given until the hand is clear.

    A permission is in force while somebody owns the hand. When nobody does any more it has lapsed: the hand is still
    at the object, and what is planned next leaves it first, but nothing may go deeper into it. It is forgotten when the
    hand is away from the object.
    """

    def __init__(self) -> None:
        self._hands: dict[str, AllowedContact] = {}
        self._in_force: set[str] = set()
        self._feet: dict[str, AllowedContact] = {}

    def permit(self, touch: AllowedContact) -> None:
        """Permit contact of a hand with one object, and no longer with another."""
        self._hands[touch.hand] = touch
        self._in_force.add(touch.hand)

    def lapse(self, hand: str) -> None:
        """Do not permit it any more."""
        self._in_force.discard(hand)

    def kick(self, foot: str, object: str | None) -> None:
        """Permit contact of a foot with one object; with None, with none any more."""
        self._feet.pop(foot, None)
        if object is not None:
            self._feet[foot] = AllowedContact(foot, object)

    def update(self, owned: Callable[[str], bool], away: Callable[[AllowedContact], bool]) -> None:
        """Let permissions of hands lapse that nobody owns, and forget those of hands that are away."""
        for touch in tuple(self._hands.values()):
            if not owned(touch.hand):
                self.lapse(touch.hand)
            if away(touch):
                self.lapse(touch.hand)
                del self._hands[touch.hand]

    @property
    def in_force(self) -> Iterable[AllowedContact]:
        """Contacts that are permitted."""
        return [*(self._hands[hand] for hand in sorted(self._in_force)), *self._feet.values()]

    @property
    def at(self) -> tuple[AllowedContact, ...]:
        """Which hands are at which objects, permitted or not."""
        return tuple(self._hands.values())


class KnownSpace:
    """What of a map is in the way.

    Attributes:
        occupancy: The map; None without one.
    """

    def __init__(self) -> None:
        self.occupancy: Occupancy | None = None
        self._avoids_unseen = False
        self._space: Space | None = None

    def use(self, occupancy: Occupancy | None) -> None:
        """Take another map, or none."""
        self.occupancy = occupancy
        self._avoids_unseen = self._avoids_unseen and occupancy is not None

    def avoid_unseen(self, avoid: bool) -> bool:
        """Let space that nobody has looked at be in the way, or not; whether it was before.

        Raises:
            ParameterError: There is no map, and so nothing is unseen.
        """
        expect_map(self.occupancy, avoid)
        before, self._avoids_unseen = self._avoids_unseen, avoid
        return before

    def now(self) -> Space | None:
        """What is in the way; the same object as long as the map is the same."""
        if self.occupancy is None:
            self._space = None
            return None
        occupied = self.occupancy.boxes(OCCUPIED)
        unseen = self.occupancy.boxes(UNKNOWN) if self._avoids_unseen else None
        before = self._space
        if before is None or before.occupied is not occupied or before.unseen is not unseen:
            self._space = Space(occupied, unseen)
        return self._space


class SharedState:
    """What every facet of the skill set may use; facets add methods and no state of their own.

    Args:
        robot: The robot.
        perception: What is known of the world.
        plant: Where objects are attached.
        arbiter: Where commands go.
        backend: Where planning runs.
    """

    def __init__(
        self, robot: Robot, perception: PerceptualModel, plant: WholePlant, arbiter: Arbiter, backend: PlannerBackend
    ) -> None:
        self.robot = robot
        self._perception, self._plant, self._arbiter, self._backend = perception, plant, arbiter, backend
        self._kinematics = Kinematics(robot)
        self._checker, self.step_clearance = CollisionChecker(robot), StepClearance(robot)
        self._segments = BodySegments(robot)
        self._clearances: dict[float, Clearance] = {}  # by margin [m], once somebody has asked for it
        self._observer: MomentumObserver | None = None  # there once somebody has asked what it says
        self._grasps = GraspStore(robot)
        self._state = plant.sense()
        self._allowed = AllowedContacts()
        self._penetrations: tuple[AllowedContact, ...] = ()
        self._seen: tuple[Percept, ...] = ()
        self._seen_bodies: dict[str, tuple[Percept, Body]] = {}
        self._space = KnownSpace()
        self.dt = 0.0
        """[s] Control step, in which what moves goes on; 0 until the session says."""
        self.standing: Callable[[Array], Array] = lambda q: q
        """From a configuration (n,) to that with legs that step as they will stand: what plans begin with."""

    def sense(self, state: JointState) -> None:
        """Take the joint sensors' reading of this control step."""
        self._state = state
        if self._observer is not None:
            self._observer.carry(self._loads())
            self._observer.observe(state, self.dt)

    def _hand(self, name: str) -> Hand:
        if name not in self.robot.hands:
            raise NotFoundError("hand", name, self.robot.hands, f"robot '{self.robot.name}'")
        return self.robot.hands[name]

    def held(self, hand: str) -> str | None:
        """Id of the object that the hand holds."""
        name = self._hand(hand).name
        for id, percept in self._perception.percepts.items():
            if name in percept.holders:
                return id
        return None

    def _loads(self) -> dict[str, Load]:
        """What hands hold, where anybody knows its mass, by hand."""
        loads = dict[str, Load]()
        for hand in self.robot.hands:
            id = self.held(hand)
            if id is not None:
                load = self._load(hand, id, self._state.q)
                loads |= {hand: load} if load is not None else {}
        return loads

    def _load(self, hand: str, object: str, q: Array) -> Load | None:
        """What an object is for a hand that holds it with the robot at q (n,); None if its mass is not known."""
        seen = self._perception.object(object)
        return load_of(self.robot, hand, seen.model, inverse(self._kinematics.pose(hand, q)) @ seen.X_WO)
