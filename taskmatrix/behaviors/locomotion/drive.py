"""Drive straight on as far as the way is free: what going forward and backward have in common (thesis 4.3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.objects import Array

from ..common.bounds import outside, region_of, wrong_region
from ..common.pursuit import stopping_speed
from ..common.tolerances import ASKEW, BESIDE

CLEARANCE = 0.05  # [m] left to what is in the way
SPACING = 0.02  # [m] between the places that are checked
PACE = 0.7  # of the base's limits of velocity and acceleration
HARDER = 1.3  # times as hard it brakes where it has to
REST = 1e-4  # [m/s]
LEAST = 0.02  # [m] driven is at least some progress
SHARE = 0.5  # of the way that it was told to drive, at least; wheels slip


class Drive(TaskBehavior):
    """Drive the base along its heading; base of :class:`Forward` and :class:`Reverse`.

    Looks ahead as far as it takes to stop, and stops before an obstacle or the edge of the region. Fails where there is
    no way at all, and where the base has left its line or its heading.
    """

    needs = ("base",)

    distance = Parameter(float, default=None, minimum=0.0, doc="[m] furthest; as far as the way is free unless given")
    until = Parameter(float, default=None, doc="[s] on the clock: when to stand still at the latest")
    xmin = Parameter(float, default=None, doc="[m] of the region in which the base stays; no bound unless given")
    ymin = Parameter(float, default=None, doc="[m] the same")
    xmax = Parameter(float, default=None, doc="[m] the same")
    ymax = Parameter(float, default=None, doc="[m] the same")

    sense: ClassVar[float]
    """[-] 1 forwards, -1 backwards."""

    def required_chains(self) -> Sequence[str] | Failure:
        """Require the base; fail where the region is wrong."""
        return wrong_region(self) or ["base"]

    def plan(self) -> Failure | None:
        """Look how far the way is free to begin with."""
        skills = self.context.skills
        self._base = skills.joints("base")
        _, _, velocity, acceleration = (PACE * limit[self._base] for limit in skills.limits())
        self._limits = float(np.min(velocity[:2])), float(np.min(acceleration[:2]))
        self._start = self._stood = skills.position()[self._base]
        self._shift = self._stood - self.context.arbiter.last[self._base]  # [m, m, rad] it is off what it was told
        self._off = np.zeros(3)  # [m, m, rad] of the base from where it stood, seen from there: the most of each
        self._yaw = float(self._start[2])
        self._gone, self._speed, self._free = 0.0, 0.0, 0.0
        self._obstacle: Contact | None = None
        self._edge = False
        self._look(CLEARANCE + LEAST)
        return self._no_way() if self._free < CLEARANCE + LEAST else None

    def step(self) -> Failure | bool:
        """Drive on, at a speed from which it can stop."""
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the way is blocked", blocked)
        skills = self.context.skills
        self._off = np.maximum(self._off, np.abs(self._since()))
        if not skills.holonomic:  # it goes where it heads, which may not be where it was told to head
            self._yaw = float(skills.position()[self._base][2])
            self._start = self.context.arbiter.last[self._base] + self._shift - self._gone * self._heading()
        fastest, acceleration = self._limits
        dt = self.context.dt
        self._look(self._gone + CLEARANCE + (self._speed + acceleration * dt) ** 2 / (2 * acceleration) + 2 * SPACING)
        room = self._free - CLEARANCE - self._gone
        if self.distance is not None:
            room = min(room, self.distance - self._gone)
        stopping = stopping_speed(np.array([max(room, 0.0)]), np.array([acceleration]), dt)
        wanted = min(fastest, float(stopping[0]))
        if self.until is not None:
            wanted = min(wanted, max(0.0, self.until - self.context.clock.now() - 2 * dt) * acceleration)
        change = acceleration * dt
        self._speed = float(np.clip(wanted, self._speed - HARDER * change, self._speed + change))
        self._gone += self._speed * dt
        self.command(self._base, self._at(self._gone) - self._shift, self._speed * self._heading())
        return self._speed < REST and (self._obstacle is not None or self._edge or self._arrived())

    def achieved(self) -> Failure | bool:
        """Whether the base went where it was told to, straight on."""
        _, beside, askew = np.maximum(self._off, np.abs(self._since())).tolist()
        gone = float(self.sense * self._since()[0])
        if self._obstacle is not None and gone < LEAST and not self._arrived():
            return self._no_way()
        if not SHARE * self._gone <= gone <= self._gone + BESIDE:
            message = f"the base went {gone:.3f} m of {self._gone:.3f} m"
            return self.fail(FailureKind.TRACKING, message, gone=gone, told=self._gone)
        if beside <= BESIDE and askew <= ASKEW:
            return True
        message = f"the base was {beside * 100:.1f} cm beside its line, and {np.rad2deg(askew):.1f} deg off its heading"
        return self.fail(FailureKind.TRACKING, message, beside=beside, askew=askew)

    def _since(self) -> Array:
        """(3,) [m, m, rad] Where the base is, seen from where it stood: ahead, to the left, and turned."""
        change = self.context.skills.position()[self._base] - self._stood
        c, s = np.cos(self._stood[2]), np.sin(self._stood[2])
        return np.array([c * change[0] + s * change[1], c * change[1] - s * change[0], change[2]])

    def _look(self, ahead: float) -> None:
        """Check the places ahead, up to ``ahead`` [m] from the start, that were not checked yet; and the next again."""
        skills, region = self.context.skills, region_of(self)
        if self._obstacle is None and self._free > self._gone:
            self._obstacle = skills.imminent_contact(self._base, self._at((self._gone + self._free) / 2), 0.0)
            if self._obstacle is not None:
                self._free = self._gone
        while self._obstacle is None and not self._edge and self._free < ahead:
            further = self._at(self._free + SPACING)
            lower, upper, *_ = (limit[self._base] for limit in skills.limits())
            leaving = outside(region, further[:2])
            self._edge = bool(((further < lower) | (further > upper)).any()) or (
                leaving > 0.0 and leaving >= outside(region, self._at(self._free)[:2])
            )
            self._obstacle = None if self._edge else skills.imminent_contact(self._base, further, 0.0)
            if self._obstacle is None and not self._edge:
                self._free += SPACING

    def _at(self, distance: float) -> Array:
        """(3,) The base so far [m] from the start."""
        return self._start + distance * self._heading()

    def _heading(self) -> Array:
        return self.sense * np.array([np.cos(self._yaw), np.sin(self._yaw), 0.0])

    def _arrived(self) -> bool:
        far = self.distance is not None and self._gone >= self.distance - 1e-3
        late = self.until is not None and self.context.clock.now() >= self.until - 3 * self.context.dt
        return far or late

    def _no_way(self) -> Failure:
        if self._obstacle is not None:
            first, second = self._obstacle.pair
            message = f"driving on would bring {first} and {second} into contact"
            return self.fail(FailureKind.COLLISION, message, pair=self._obstacle.pair, at="driving on")
        return self.fail(FailureKind.PRECONDITION, "the base is at the edge of the region")
