"""What the facets of the fake skill set share: the fake robot, its world, and what a test scripts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.arbiter import Arbiter
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.plans import (
    AllowedContact,
    Contact,
    Plan,
)
from taskmatrix.core.robot.plant import JointState, WholePlant
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import Occupancy
from taskmatrix.core.world.perception import PerceptualModel

from ..fake_robot import FakeRobot


class FakeState:
    """What every facet of the fake skill set may use; facets add methods and no state of their own.

    Attributes:
        plans: What the next plannings find, the first first; when it is empty, a straight line.
        clearings: What the next plans out of contact find; when it is empty, that there is nothing to leave.
        released: Hands that were to be open when such a plan begins.
        stale: What the next validations of a plan find wrong, None for nothing; when it is empty, nothing.
        contact: From a whole configuration (n,) to the contact there, or None; also what the collision guard asks.
        near: From a whole configuration (n,) to what is near to what there; nothing unless a test says.
        near_body: From a whole configuration (n,) to the distances (m,) of limbs from the body, and (m, n) how joints
            change them; none unless a test gives some.
        touched: (n,) With which contacts turn the joints; None unless a test says.
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
        self, robot: FakeRobot, perception: PerceptualModel, plant: WholePlant, arbiter: Arbiter, clock: Clock
    ) -> None:
        self.robot = robot
        self._perception, self._plant, self._arbiter, self._clock = perception, plant, arbiter, clock
        self._state = plant.sense()
        self.plans: deque[Plan | Failure] = deque()
        self.clearings: deque[Plan | Failure] = deque()
        self.released: list[str] = []
        self.stale: deque[Failure | None] = deque()
        self.contact: Callable[[Array], Contact | None] = lambda q: None
        self.near: Callable[[Array], Sequence[Contact]] = lambda q: ()
        self.near_body: Callable[[Array], tuple[Array, Array]] = lambda q: (np.empty(0), np.empty((0, len(q))))
        self.touched: Array | None = None
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

    def _at(self, q: Array | None) -> Array:
        return (self._state.q if q is None else q).copy()
