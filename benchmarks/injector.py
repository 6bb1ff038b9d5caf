"""Makes a thing go wrong in a run with physics, at a random instant."""

from __future__ import annotations

import math
import traceback

import numpy as np

from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array
from taskmatrix.session.session import Session
from taskmatrix.simulation.bullet import BulletPlant
from taskmatrix.simulation.physics.inertia import UNKNOWN_MASS

PHASES = {
    "joint sticks in reach": ("reach",),
    "joint sticks in pickup": ("reach", "grasp"),
    "pushed off the table": ("reach",),
    "slippery in the hand": ("position",),
}
"""In the control loop of which state it strikes."""
LATE = (1, 10)  # [control steps] that are missed
EVERY = 1.0  # [s] on average, between steps that are late
BEYOND = 0.15  # [m] over the edge of the table, to where a push is to take the object
PUSH_TIME = 0.15  # [s]
FRICTION = 0.6  # of the default preset


class Injector:
    """A reader of the event stream that strikes once, or again and again where steps are late.

    Args:
        session: With physics.
        fault: A name in ``FAULTS``.
        object: Id of what is fetched.
        seed: Of when and where.

    Attributes:
        struck: What it did, and when; empty if it did nothing.
        error: What it raised.
    """

    def __init__(self, session: Session, fault: str, object: str, seed: int) -> None:
        assert isinstance(session.plant, BulletPlant)
        self._session, self._plant, self._fault, self._object = session, session.plant, fault, object
        self._random = np.random.default_rng([seed, 78])
        phases = PHASES.get(fault, ())
        self._phase = phases[int(self._random.integers(len(phases)))] if phases else ""
        self._share = float(self._random.uniform(0.1, 0.95))
        self._due, self._hand = math.inf, ""
        self._durations: dict[str, float] = {}
        self.struck, self.error = "", ""
        if fault == "motors half as strong":
            self._plant.weaken(0.5)

    def __call__(self, event: Event) -> None:
        """Take note of an event, and strike when it is time."""
        try:
            self._read(event)
        except Exception:
            self.error = self.error or traceback.format_exc()

    def _read(self, event: Event) -> None:
        if event.kind == "plan":
            self._durations[event.source] = float(str(event.data["duration"]))
        elif event.kind == "message" and event.data["message"] == "parameter-set":
            self._hand = str(event.data.get("hand", self._hand))
        elif event.kind == "message" and event.data["message"] == "controlloop-started":
            if event.source.rsplit("/", 1)[-1] == self._phase and math.isinf(self._due):
                self._due = event.time + self._share * self._durations.get(event.source, 1.0)
        elif event.kind == "step" and self._fault == "late steps":
            if self._random.random() < self._session.context.dt / EVERY:
                self._session.miss(int(self._random.integers(LATE[0], LATE[1] + 1)))
        elif event.kind == "step" and not self.struck and event.time >= self._due:
            self.struck = f"{event.time:.2f} s, {self._phase}: {self._strike()}"

    def _strike(self) -> str:
        """Do it, and say what."""
        if self._fault.startswith("joint sticks"):
            robot, hand = self._session.robot, self._session.robot.hands[self._hand]
            chains = [hand.arm] if "reach" in self._fault else [hand.arm, *([hand.fingers] if hand.fingers else [])]
            joint = robot.joints[int(self._random.choice(robot.indices(*chains)))]
            self._plant.jam(joint)
            return joint
        if self._fault == "slippery in the hand":
            self._plant.grease(self._object)
            return "no friction any more"
        return self._shove()

    def _shove(self) -> str:
        """Push the object over the nearest edge, with what speed it takes to slide there."""
        world, X_WO = self._session.world, self._pose()
        lower, upper = world.box(world.default_surface)
        ways = {
            (axis, sign): (upper if sign > 0 else lower)[axis] - X_WO[axis, 3] for axis in (0, 1) for sign in (-1, 1)
        }
        (axis, sign), way = min(ways.items(), key=lambda item: abs(item[1]))
        mass, braked = world.objects[self._object].mass or UNKNOWN_MASS, FRICTION * 9.81
        speed = math.sqrt(2 * braked * (abs(float(way)) + BEYOND))
        force = np.zeros(3)
        force[axis] = sign * mass * (speed / PUSH_TIME + braked)
        self._plant.push_object(self._object, force, PUSH_TIME)
        return f"{force[axis]:.1f} N along {'xy'[axis]}"

    def _pose(self) -> Array:
        X_WO: Array = self._plant.truth()["poses"][self._object]  # type: ignore[index]
        return X_WO
