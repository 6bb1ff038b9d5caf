"""Fixmove: puts the robot where it can kick (BICA VI)."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.behaviors.common.pursuit import stopping_speed
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.components.part import Part
from taskmatrix.core.world.geometry import wrap
from taskmatrix.core.world.objects import Array

from .locomotion import Locomotion
from .place import bearing, turn_to, turned
from .seeing import Seeing
from .stand_off import stand_off

BESIDE = math.radians(20.0)  # round the ball, from which it is gone to straight
AHEAD = math.radians(40.0)  # round the ball it goes at a time
SQUARE = math.radians(8.0)  # off the heading, with which it is gone to
NEAR = 0.1  # of the distance, off the circle
CLOSE, EVEN = 0.004, math.radians(0.7)  # [m], [rad] off the place that will do
HARD = 0.5  # of the acceleration of locomotion
GAIN = 1.5  # [1/s] of the speed, near the place: feet then step no further ahead than where they are going to stand


class Fixmove(Seeing, frequency=30.0):
    """Moves the base such that the ball lies where a kick wants it, round the ball where that has to be.

    As long as it goes round, it keeps so far from the ball that it sees it; the last stretch leads straight to the
    place, with the heading of the kick.

    Attributes:
        off: [m] From where it is to be.
    """

    ahead = Modulation(float, default=0.2, doc="[m] of the base's axis, where the ball is to lie")
    left = Modulation(float, default=0.0, doc="[m] likewise")
    heading = Modulation(float, default=0.0, doc="[rad] of the base, in the world")

    locomotion = Part(Locomotion)

    off = math.inf

    def started(self) -> None:
        """Begin with what the robot's view and base are able to."""
        skills = self.context.skills
        view = skills.capabilities.view
        self._distance = stand_off(skills, 0.0 if view is None else view.down)
        self._last_stretch = False
        self.off = math.inf

    def inform(self) -> None:
        """Ask for the ball."""
        self.perception.step()

    def work(self) -> bool:
        """Go on; it is achieved when the base is in its place, at rest."""
        knows = self.perception
        if not knows.ball_known:
            self._go(np.zeros(2), 0.0)
            return False
        base, ball = knows.base, knows.ball_place
        place = ball - turned(np.array([self.ahead, self.left]), self.heading)
        turn = turn_to(self.context.skills, self.heading)
        self.off = float(np.linalg.norm(place - base.place))
        from_ball = base.place - ball
        far, round_it = float(np.linalg.norm(from_ball)), wrap(bearing(place - ball) - bearing(from_ball))
        if abs(round_it) > BESIDE and far > 0.6 * self._distance:
            self._last_stretch = False
        elif abs(round_it) <= BESIDE and abs(turn) <= SQUARE:
            self._last_stretch = True
        if self._last_stretch or self.off <= NEAR * self._distance:
            goal = place
        else:
            step = float(np.clip(round_it, -AHEAD, AHEAD))
            goal = ball + self._distance * turned(from_ball / far, step)
            if abs(round_it) > 2.0 * BESIDE:
                turn = turn_to(self.context.skills, bearing(-from_ball))
        self._go(base.seen(goal - base.place), turn)
        return self.off <= CLOSE and abs(turn) <= EVEN and float(np.abs(self.locomotion.velocity).max()) < 0.02

    def act(self) -> None:
        """Step the base."""
        self.locomotion.step()

    def _go(self, way: Array, turn: float) -> None:
        """Modulate the walk: along (2,) [m] in the base's axes, and turn by [rad], so that it can stop there."""
        change, period = HARD * self.locomotion.hardest, 1.0 / 30.0
        far = float(np.linalg.norm(way))
        speed = min(float(stopping_speed(np.array([far]), change[:1], period)[0]), GAIN * far)
        aside = way / far * speed if far > 0.0 else way
        self.locomotion.ahead, self.locomotion.left = aside.tolist()
        rate = float(stopping_speed(np.array([abs(turn)]), change[2:], period)[0])
        self.locomotion.turn = math.copysign(rate, turn)
