"""Head: turns the eyes (BICA IV)."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.behaviors.common.pursuit import BRAKING, CRUISING, stopping_speed
from taskmatrix.core.components.component import Component
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.robot.capability import ViewCapability

from .place import Direction, direction, ray

THERE = 1e-3  # [rad] off the goal of a joint that has arrived
FAR = 100.0  # [m] the eyes do not leave a direction where the head moves them


class Head(Component):
    """Turns the view to a direction as fast as it may, and follows one that moves; in every control step."""

    needs = ("head",)

    pan = Modulation(float, default=0.0, doc="[rad] to the left, in the frame of the base")
    tilt = Modulation(float, default=0.0, doc="[rad] below the horizon")
    pace = Modulation(float, default=None, minimum=0.01, doc="[rad/s] at most; as the joints allow unless given")

    def started(self) -> None:
        """Begin where the head is, at rest."""
        skills = self.context.skills
        self._joints = skills.joints("head")
        _, _, self._fastest, self._change = (limit[self._joints] for limit in skills.limits())
        self._speed = np.zeros(len(self._joints))
        self._goal = self.context.arbiter.last[self._joints]

    def act(self) -> None:
        """Turn on: with the speed of the goal, and that of a stop at it on top."""
        skills, dt = self.context.skills, self.context.dt
        point = skills.view_position() + FAR * ray(self._within(self.pan, self.tilt), self._yaw())
        goal = skills.inverse_kinematics_of_view(point, ["head"])[self._joints]
        fastest = CRUISING * self._fastest
        if self.pace is not None:
            fastest = np.minimum(fastest, self.pace)
        moves = (goal - self._goal) / dt
        moves = np.where(np.abs(moves) <= fastest, moves, 0.0)  # a jump is no motion
        self._goal = goal
        last = self.context.arbiter.last[self._joints]
        off = goal - moves * dt - last
        wants = moves + np.sign(off) * stopping_speed(np.abs(off), BRAKING * self._change, dt)
        most = self._change * dt
        self._speed = self._speed + np.clip(np.clip(wants, -fastest, fastest) - self._speed, -most, most)
        self.command(self._joints, last + self._speed * dt, self._speed)

    @property
    def looks(self) -> Direction:
        """Where the eyes look, in the frame of the base."""
        return direction(self.context.skills.view()[:, 0], self._yaw())

    @property
    def widest(self) -> float:
        """[rad] How far the eyes look to the left and to the right."""
        return min(self._view.left, self._view.right)

    @property
    def lowest(self) -> float:
        """[rad] How far below the horizon they look."""
        return self._view.down

    def looks_at(self, pan: float, tilt: float, off: float) -> bool:
        """Whether the eyes look there [rad], but for ``off`` [rad], or as near as the head goes."""
        there, looks = self._within(pan, tilt), self.looks
        return math.hypot(looks.pan - there.pan, looks.tilt - there.tilt) <= off

    @property
    def arrived(self) -> bool:
        """Whether the eyes look where they are to look, or as near as the joints let them."""
        return bool(np.abs(self._goal - self.context.arbiter.last[self._joints]).max() <= THERE)

    def _within(self, pan: float, tilt: float) -> Direction:
        """The direction nearest to one that the head turns to."""
        view = self._view
        return Direction(min(max(pan, -view.right), view.left), min(max(tilt, -view.up), view.down))

    @property
    def _view(self) -> ViewCapability:
        return self.context.skills.capabilities.view or ViewCapability(False)

    def _yaw(self) -> float:
        """[rad] Of the base in the world."""
        skills = self.context.skills
        return float(skills.position()[skills.joints("base")][2])
