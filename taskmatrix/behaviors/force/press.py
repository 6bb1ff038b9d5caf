"""Press a hand on a surface with a wanted force."""

from __future__ import annotations

from enum import Enum

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.robot.plans import AllowedContact, Indices
from taskmatrix.core.robot.springs import TINY, SpringTorques, unit

from .contact_force import contact_force
from .force_behavior import HandForceBehavior
from .hand_impedance import HandImpedance
from .pressing_force import PressingForce, felt_force

TOUCHED = 0.3  # of the force that is wanted: it is there
BACK = 0.03  # [m] that the hand goes back in the end
TURNS, HOLDS = 20.0, 400.0  # [N m/rad], [N/m] with which it is held in the other directions
ALL = 6  # joints: a shorter arm cannot keep its hand from turning on the way
SHORT = 0.03  # [m] less far than it was to go, a hand is kept from it by the arm's length or its motors


class Stage(Enum):
    """How far it has come."""

    APPROACH = "approach"
    PRESS = "press"
    BACK = "back"


class Press(HandForceBehavior):
    """Press a hand on a surface along a direction with a force, perhaps along the surface, and go back a little.

    The hand goes straight on until it touches, without turning where its arm has six joints. Then it is pushed by the
    force instead of held, and the force is corrected by what is measured. It fails with ``not_achieved`` where there is
    no surface within ``reach``, where it loses it, and where the force is off by more than ``tolerance`` in the end. It
    is measured by the ``hand``, if the plant has hands that feel, or by the ``joints``: from the torques of the motors,
    which takes friction, and masses that the model has wrong, for forces. An ``object`` that is known there has to be
    named: the hand may touch no other.
    """

    force = Parameter(float, default=5.0, minimum=0.1, doc="[N] to press with")
    object = Parameter(str, default=None, doc="id of the object to press on, of one that is known", known=True)
    direction_x = Parameter(float, default=0.0, doc="of the force, in the world")
    direction_y = Parameter(float, default=0.0, doc="likewise")
    direction_z = Parameter(float, default=-1.0, doc="likewise")
    x = Parameter(float, default=0.0, doc="[m] how far to move along the surface meanwhile, in the world")
    y = Parameter(float, default=0.0, doc="[m] likewise")
    z = Parameter(float, default=0.0, doc="[m] likewise")
    duration = Parameter(float, default=2.0, minimum=0.5, doc="[s] how long to press")
    reach = Parameter(float, default=0.2, minimum=0.0, doc="[m] how far the surface is, at most")
    speed = Parameter(float, default=0.03, minimum=0.001, maximum=0.5, doc="[m/s] with which it goes there")
    tolerance = Parameter(float, default=1.0, minimum=0.0, doc="[N] that the force may be off by in the end")
    sensor = Parameter(str, default="hand", choices=("hand", "joints"), doc="what measures the force")

    pressed = Output(float, doc="[N] the force that was measured in the end, in the mean of half a second")

    def plan(self) -> Failure | None:
        """Begin where the hand is."""
        skills, way = self.context.skills, np.array([self.direction_x, self.direction_y, self.direction_z])
        if not np.linalg.norm(way) > TINY:
            return self.fail(FailureKind.PARAMETER, "a force of direction (0, 0, 0) has no direction")
        if self.sensor == "joints" and skills.contact_torque() is None:
            return self.fail(FailureKind.NOT_ABLE, "this plant senses no torques of its motors to measure a force by")
        self._way, self._goal = unit(way), skills.forward_kinematics(self.hand)
        self._stage, self._since, self._gone = Stage.APPROACH, 0.0, 0.0
        self._pressing = PressingForce(self.force, self.context.dt)
        return None

    def step(self) -> Failure | bool:
        """Approach, press or go back for another control step."""
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the way is blocked", blocked)
        if self.object is not None:
            self.context.skills.allow_contact(AllowedContact(self.hand, self.object), self.hand)
        dt, stage = self.context.dt, self._stage
        self._pressing.measure(self._force())
        self._since += dt
        if stage is Stage.APPROACH:
            failure = self._approach(self._pressing.measured)
        elif stage is Stage.PRESS:
            failure = self._press()
        else:
            self._goal[:3, 3] -= self.speed * dt * self._way
            failure = None
        if failure is not None:
            return failure
        self.drive(self.torques(self.context.skills.joints(self.limb())))
        return self._stage is Stage.BACK and self._since * self.speed >= BACK

    def torques(self, joints: Indices) -> SpringTorques:
        """Those that hold the hand, and in the direction of the force push it instead."""
        presses = self._stage is Stage.PRESS
        sense = {Stage.APPROACH: 1.0, Stage.PRESS: 0.0, Stage.BACK: -1.0}[self._stage]
        held = HandImpedance(
            self._goal,
            np.repeat([HOLDS, TURNS if len(joints) >= ALL else 0.0], 3),
            free=self._way if presses else None,
            velocity=sense * self.speed * self._way,
            force=self._pressing.commanded * self._way if presses else np.zeros(3),
        )
        return held.torques(self.context.skills, self.hand, joints, self.context.dt)

    def achieved(self) -> Failure | bool:
        """Compare what was measured with what was wanted."""
        off = self._pressed - self.force
        if abs(off) > self.tolerance:
            message = f"it pressed with {self._pressed:.2f} N and not with {self.force:g} N"
            return self.fail(FailureKind.NOT_ACHIEVED, message, force=self._pressed)
        return True

    def _approach(self, measured: float) -> Failure | None:
        """Go on until something is there."""
        if measured >= TOUCHED * self.force:
            self._stage, self._since = Stage.PRESS, 0.0
            self._goal = self.context.skills.forward_kinematics(self.hand)
            self._contact = self._goal.copy()
            return None
        if self._gone >= self.reach:
            off = float(np.linalg.norm(self.context.skills.forward_kinematics(self.hand)[:3, 3] - self._goal[:3, 3]))
            short = f"; the hand came {off:.2f} m less far" if off > SHORT else ""
            message = f"there is nothing to press on within {self.reach:g} m{short}"
            return self.fail(FailureKind.NOT_ACHIEVED, message, force=measured, short=off)
        self._gone += self.speed * self.context.dt
        self._goal[:3, 3] += self.speed * self.context.dt * self._way
        return None

    def _press(self) -> Failure | None:
        """Correct the force, and move along."""
        self._pressing.correct()
        if self._pressing.is_lost:
            return self.fail(FailureKind.NOT_ACHIEVED, "it has lost the surface", force=self._pressing.measured)
        along = np.array([self.x, self.y, self.z])
        along = along - self._way * (self._way @ along)
        self._goal[:3, 3] = self._contact[:3, 3] + min(1.0, self._since / self.duration) * along
        if self._since >= self.duration:
            self._pressed = self._pressing.recent
            self.publish(pressed=self._pressed)
            self._goal = self.context.skills.forward_kinematics(self.hand)
            self._stage, self._since = Stage.BACK, 0.0
        return None

    def _force(self) -> float:
        """[N] With which it presses."""
        if self.sensor == "hand":
            return felt_force(self.context, self.hand, self._way)
        skills = self.context.skills
        force = contact_force(skills, self.hand, skills.joints(self.limb()))
        return 0.0 if force is None else -float(force @ self._way)
