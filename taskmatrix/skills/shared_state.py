"""What the facets of the skill set share: the robot, what is sensed of it, and what is known of its world."""

from __future__ import annotations

from collections.abc import Callable

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.arbiter import Arbiter
from taskmatrix.core.robot.plans import AllowedContact
from taskmatrix.core.robot.plant import JointState, WholePlant
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.robots import Hand, Robot

from .collision.allowed_contacts import AllowedContacts
from .collision.bodies import Body
from .collision.body_segments import BodySegments
from .collision.clearance import Clearance
from .collision.collision import CollisionChecker
from .collision.known_space import KnownSpace
from .control.momentum_observer import MomentumObserver
from .grasping.store import GraspStore
from .kinematics.kinematics import Kinematics
from .kinematics.load import Load, load_of
from .legs.step_clearance import StepClearance
from .planning.planner_backend import PlannerBackend


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
