"""Perception: the ball and the net, as far as they have been seen (BICA VI)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taskmatrix.conditions.visible import HALF_ANGLE, Visible
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.requirement import Requirement, TurnsView
from taskmatrix.core.components.component import Component
from taskmatrix.core.world.geometry import angle_between, bounding_box
from taskmatrix.core.world.objects import Array

from .place import Base, Direction, direction

MISSED = 0.7  # of the field of view: what ought to be that far inside and is not seen is gone
GLANCE = 0.1  # [s] between two looks that tell how the ball rolls
SMOOTH = 0.5  # of what the last two looks tell of that, counts
NEVER = math.inf


class Perception(Component, frequency=30.0):
    """What the eyes see of the ball and of the net, and what is remembered of it.

    Geometric: a thing is seen while its centre is in the field of view, within the range of the view, and nothing hides
    it. What is not seen stays where it was seen last, or where it was supposed to be; what ought to be seen there and
    is not is no longer known. The base knows where it is.
    """

    ball = Parameter(str, default="ball", doc="id of the ball")
    net = Parameter(str, default="yellow_goal", doc="id of the goal to score in")
    half_angle = Parameter(float, default=HALF_ANGLE, minimum=0.01, maximum=1.5, doc="[rad] of the field of view")

    def requirements(self) -> list[Requirement]:
        """Require a head that turns the view."""
        return [TurnsView()]

    def __init__(self, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.started()

    def started(self) -> None:
        """Begin without knowing ball or net."""
        self.ball_seen, self.net_seen = False, False
        self.radius, self._height = 0.0, 0.0
        self._ball: Array | None = None
        self._velocity = np.zeros(2)
        self._ball_time = -NEVER
        self._trusted = 0.0
        self._net: Array | None = None
        self._net_point = np.zeros(3)
        self._net_time = -NEVER
        self._inside = np.zeros(3), np.zeros(3)

    def work(self) -> None:
        """Note where ball and net are seen."""
        now, model = self.context.clock.now(), self.context.perception
        self.ball_seen = self._sees(self.ball)
        if self.ball_seen:
            percept = model.object(self.ball)
            lower, upper = percept.box
            self.radius, self._height = float(upper[2] - lower[2]) / 2, float(percept.centre[2])
            place = percept.centre[:2].copy()
            since = now - self._ball_time
            rolls = (place - self._ball) / since if self._ball is not None and 0.0 < since < GLANCE else np.zeros(2)
            self._velocity = (1.0 - SMOOTH) * self._velocity + SMOOTH * rolls
            self._ball, self._ball_time = place, now
        elif (
            self._ball is not None
            and now >= self._trusted
            and self._ought_to_see(np.array([*self.ball_place, self._height]))
        ):
            self.forget_ball()
        self.net_seen = self._sees(self.net)
        if self.net_seen:
            percept = model.object(self.net)
            self._net, self._net_point, self._net_time = percept.X_WO.copy(), percept.centre, now
            self._inside = bounding_box(percept.model.shapes, np.eye(4))

    # what parents ask

    @property
    def base(self) -> Base:
        """Where the robot is."""
        x, y, yaw = self.context.skills.position()[self.context.skills.joints("base")].tolist()
        return Base(x, y, yaw)

    @property
    def ball_known(self) -> bool:
        """Whether it is known, or supposed, where the ball is."""
        return self._ball is not None

    @property
    def ball_place(self) -> Array:
        """(2,) [m] Where the ball is in the world: a ball that was seen rolling, a moment ago, has rolled on.

        Raises:
            LookupError: Nobody knows.
        """
        if self._ball is None:
            raise LookupError("where the ball is, is not known")
        ahead = min(self.ball_age, 2.0 / (self.frequency or 1.0))
        return self._ball + ahead * self._velocity

    @property
    def ball_speed(self) -> float:
        """[m/s] With which it rolled when it was seen last."""
        return float(np.hypot(*self._velocity))

    @property
    def ball_age(self) -> float:
        """[s] Since the ball was seen."""
        return self.context.clock.now() - self._ball_time

    @property
    def ball_direction(self) -> Direction:
        """Where the ball is, seen from the eyes, in the frame of the base."""
        return self.look_at(np.array([*self.ball_place, self._height]))

    @property
    def net_known(self) -> bool:
        """Whether the net has been seen."""
        return self._net is not None

    @property
    def net_pose(self) -> Array:
        """(4, 4) The goal: origin in the middle of its line, x into the net.

        Raises:
            LookupError: Nobody knows.
        """
        if self._net is None:
            raise LookupError("where the net is, is not known")
        return self._net

    @property
    def ball_in_net(self) -> bool:
        """Whether the ball is seen within the goal, behind its line."""
        if not self.ball_seen or self._net is None:
            return False
        x, y, _ = (self._net[:3, :3].T @ (np.array([*self.ball_place, self._height]) - self._net[:3, 3])).tolist()
        lower, upper = self._inside
        return bool(self.radius < x < upper[0] and lower[1] < y < upper[1])

    @property
    def net_width(self) -> float:
        """[m] Of the goal, with its posts."""
        return float(self._inside[1][1] - self._inside[0][1])

    @property
    def net_age(self) -> float:
        """[s] Since the net was seen."""
        return self.context.clock.now() - self._net_time

    @property
    def net_direction(self) -> Direction:
        """Where the middle of the net is, seen from the eyes, in the frame of the base."""
        return self.look_at(self._net_point)

    def look_at(self, point: Array) -> Direction:
        """The direction from the eyes to a point (3,) of the world, in the frame of the base."""
        return direction(point - self.context.skills.view_position(), self.base.yaw)

    def suppose_ball(self, place: Array, within: float) -> None:
        """Suppose that the ball comes to a place (2,) [m], where it was kicked to, within so many seconds."""
        self._ball, self._velocity = np.array(place, dtype=float), np.zeros(2)
        self._trusted = self.context.clock.now() + within

    def forget_ball(self) -> None:
        """It is not there any more."""
        self._ball, self._velocity = None, np.zeros(2)

    def _sees(self, id: str) -> bool:
        if id not in self.context.perception or self._off(self.context.perception.object(id).centre) > self.half_angle:
            return False
        return bool(Visible(id, self.half_angle).evaluate(self.context))

    def _ought_to_see(self, point: Array) -> bool:
        """Whether a point (3,) is well inside the field of view."""
        return self._off(point) < MISSED * self.half_angle

    def _off(self, point: Array) -> float:
        """[rad] Of a point (3,) from the middle of the image."""
        skills = self.context.skills
        return angle_between(skills.view()[:, 0], point - skills.view_position())
