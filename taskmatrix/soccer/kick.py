"""Kick a ball with one foot (BICA VI: front, diagonal and lateral, with either leg)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from taskmatrix.core.base.errors import ParameterError, not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.requirement import HasFoot, Requirement
from taskmatrix.core.robot.skills.kicking import DIRECTIONS, KickSkills

LOOK = 0.02  # [s] between the instants at which the motion is checked for collisions beforehand
FEET = ("left", "right")


class Kick(TaskBehavior):
    """Swing a foot through a ball, and put it back where it stood.

    The base stands meanwhile. The ball has to lie where the skill set wants it for this kick, to ``tolerance``; else
    the kick fails before anything moves, with the fact ``off``: how far ahead and to the left [m] of where it should be
    the ball lies, in the frame of the base.
    """

    needs = ("base",)

    object = Parameter(str, known=True, doc="id of the ball")
    foot = Parameter(str, default="right", doc="with which foot: left or right")
    direction = Parameter(str, default="front", doc="front, or to the side of the foot: diagonal or lateral")
    tolerance = Parameter(float, default=0.02, minimum=0.0, doc="[m] by which the ball may be off its place")

    heading = Output(float, doc="[rad] which way the ball was to go, in the world")
    speed = Output(float, doc="[m/s] about how fast")

    def set_parameters(self, **values: Any) -> None:
        """Set parameters; all of them, or none when one is wrong (ParameterError)."""
        for name, allowed in (("foot", FEET), ("direction", DIRECTIONS)):
            given = values.get(name, allowed[0])
            if isinstance(given, str) and given not in allowed:
                raise ParameterError(f"{type(self).__name__}: {not_found(name, given, allowed)}")
        super().set_parameters(**values)

    def requirements(self) -> Sequence[Requirement]:
        """Require the foot that kicks."""
        return [*super().requirements(), HasFoot(self.foot)]

    def required_chains(self) -> Sequence[str]:
        """The leg, and the base, which has to stand."""
        return ["base", *self.context.skills.chains_of_foot(self.foot)]

    def plan(self) -> Failure | None:
        """Find the motion, look whether the ball lies where it goes, and check it for collisions."""
        skills, perception = self.context.skills, self.context.perception
        if not isinstance(skills, KickSkills):
            return self.fail(FailureKind.NOT_ABLE, "the skill set of the robot has no kicks")
        kick = skills.kick(self.foot, self.direction, self.object)
        if isinstance(kick, Failure):
            return kick
        x, y, yaw = skills.position()[skills.joints("base")].tolist()
        c, s = math.cos(yaw), math.sin(yaw)
        dx, dy = (perception.pose(self.object)[:2, 3] - (x, y)).tolist()
        off = np.array([c * dx + s * dy, c * dy - s * dx]) - kick.ball
        if np.linalg.norm(off) > self.tolerance:
            message = f"'{self.object}' lies {off[0]:+.3f} m ahead and {off[1]:+.3f} m to the left of where it has to"
            return self.fail(FailureKind.PRECONDITION, message, off=tuple(off.tolist()), ball=tuple(kick.ball.tolist()))
        skills.allow_kick(self.foot, self.object)
        for time in np.arange(0.0, kick.trajectory.duration + LOOK, LOOK):
            contact = skills.collision(kick.trajectory.indices, kick.trajectory.sample(float(time))[0])
            if contact is not None:
                message = f"the kick would bring {contact.first} and {contact.second} into contact"
                return self.fail(FailureKind.COLLISION, message, pair=contact.pair, distance=contact.distance)
        self._kick, self._heading, self._announced = kick, yaw + kick.heading, False
        return None

    def step(self) -> Failure | bool:
        """Move the leg along the kick; publish where it sends the ball."""
        if not self._announced:
            self.publish(heading=self._heading, speed=self._kick.speed)
            self._announced = True
        return self.follow(self._kick.trajectory)

    def finish(self) -> None:
        """The ball may not be touched any more."""
        if isinstance(self.context.skills, KickSkills):
            self.context.skills.allow_kick(self.foot, None)
