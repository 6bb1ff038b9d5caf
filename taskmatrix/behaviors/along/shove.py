"""Push an object with a hand that has it ahead."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.requirement import HasHand, Requirement
from taskmatrix.core.robot.plans import AllowedContact, Job, Plan
from taskmatrix.core.world.objects import Array

from .rub import moved, through
from .way_follower import WayFollower

SLOW, SLOWEST = 0.03, 0.1  # [m] before its goal, in which the hand slows down, to this share of its speed
BRAKING = 0.1  # [s] in which the hand comes to rest
NEARLY = 0.001  # [m] short of where it is to go, an object is there
OFF = 0.01  # [m] that it may be from there in the end
SIDEWAYS = 0.1  # of how far it was to go, that it may be off
TILTED = math.radians(10.0)  # and it has fallen over


class Shove(WayFollower):
    """Push an object straight on with a hand that has it ahead, until it has gone as far as it is to go.

    The hand may touch it meanwhile. It fails with ``not_achieved`` where the object falls over, or is further from
    where it was to go than 1 cm and a tenth of its way.
    """

    object = Parameter(str, doc="id of the object")
    hand = Parameter(str, doc="name of the hand")
    x = Parameter(float, doc="[m] how far to push, in the world")
    y = Parameter(float, doc="[m] likewise")
    speed = Parameter(float, default=0.1, minimum=0.001, maximum=1.0, doc="[m/s] at most")

    pushed = Output(float, doc="[m] how far the object went in that direction")

    _slides = False

    def requirements(self) -> Sequence[Requirement]:
        """The hand."""
        return [*super().requirements(), HasHand(self.hand)]

    def moving_hand(self) -> str:
        """That which was named."""
        return str(self.hand)

    def plan(self) -> Job | Failure | None:
        """Plan the way of the hand."""
        perception = self.context.perception
        if self.object not in perception:
            return self.fail(FailureKind.UNKNOWN_OBJECT, not_found("object", self.object, perception.percepts))
        if not (self.x or self.y):
            return self.fail(FailureKind.PARAMETER, "x and y say how far to push; both are 0")
        self._time, self._rest = 0.0, 0.0
        self._began, self._upright = perception.object(self.object).centre, perception.pose(self.object)[:3, 2]
        self._permit()
        return super().plan()

    def way(self) -> Array:
        """Straight on to the middle of where the object is to go: what has hollows is met late."""
        X_WH, push = self.context.skills.forward_kinematics(self._hand), np.array([self.x, self.y, 0.0])
        self._push, ahead = float(np.linalg.norm(push)), push / np.linalg.norm(push)
        lower, upper = self.context.perception.object(self.object).box
        half = float(np.abs(ahead) @ (upper - lower)) / 2
        self._long = max(half, float((self._began - X_WH[:3, 3]) @ ahead)) + self._push
        self._least = 1.0 - half / self._long
        return moved(X_WH, through(np.array([np.zeros(3), self._long * ahead])))

    def enough(self) -> float:
        """Until the hand is where the object's near side is to go."""
        return self._least

    def pushes(self) -> str:
        """The object."""
        return str(self.object)

    def shortest(self) -> float:
        """[s] As its speed allows."""
        return max(self.duration, self._long / self.speed)

    def planned(self, plan: Plan) -> None:
        """Begin to move: what is in the way slides."""
        super().planned(plan)
        self.context.skills.slide(self._hand, self.object)
        self._slides = True

    def step(self) -> Failure | bool:
        """Move on, until the object is there."""
        if self.object not in self.context.perception:
            message = f"'{self.object}' is no longer known"
            return self.fail(FailureKind.LOST_OBJECT, message, object=self.object)
        self._permit()
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the way is blocked", blocked)
        if self.is_there():
            self._rest += self.context.dt
            return self._rest >= BRAKING
        rate = min(1.0, max(SLOWEST, (self._push - self._along()) / SLOW))
        self._time = min(self._plan.duration, self._time + rate * self.context.dt)
        self.command_along(self._plan, self._time, rate)
        return self._time >= self._plan.duration

    def finish(self) -> None:
        """Nothing slides any more."""
        if self._slides:
            self.context.skills.slide(self._hand, None)
            self._slides = False

    def is_there(self) -> bool:
        """Whether the object has gone as far."""
        return self._along() >= self._push - NEARLY

    def achieved(self) -> Failure | bool:
        """Whether the object is where it was to go."""
        gone = self._gone()
        self.publish(pushed=self._along())
        off = math.dist(gone, (self.x, self.y))
        tilt = math.acos(min(1.0, float(self._upright @ self.context.perception.pose(self.object)[:3, 2])))
        if tilt > TILTED:
            message = f"'{self.object}' is tilted by {math.degrees(tilt):.0f} deg"
        elif off > max(OFF, SIDEWAYS * self._push):
            long = self._along() - self._push
            aside = math.sqrt(max(0.0, off**2 - long**2))
            message = f"'{self.object}' went {abs(long) * 100:.1f} cm too {'far' if long > 0 else 'little'}, "
            message += f"and {aside * 100:.1f} cm aside"
        else:
            return True
        return self.fail(FailureKind.NOT_ACHIEVED, message, object=self.object, off=off, angle=tilt)

    def _gone(self) -> Array:
        """(2,) [m] How far the object has gone, in the world."""
        return (self.context.perception.object(self.object).centre - self._began)[:2]

    def _along(self) -> float:
        """[m] How far it has gone in the direction in which it is pushed."""
        return float(self._gone() @ [self.x, self.y]) / self._push

    def _permit(self) -> None:
        self.context.skills.allow_contact(AllowedContact(self._hand, self.object), self._hand)
