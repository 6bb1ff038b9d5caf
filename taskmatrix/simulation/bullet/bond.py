"""An object that stays where it is on a link of a robot, until something is stronger than what keeps it there."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.world.objects import Array

from .engine import Engine, Fastening, Place


class BulletBond:
    """Between an object and a link, as both are when it begins.

    Args:
        engine: Where both are.
        link: PyBullet's numbers of the robot and of the link.
        thing: PyBullet's numbers of the object.
        most: [N] and [N m] With which it pulls and turns the object back at most.
    """

    def __init__(self, engine: Engine, link: tuple[int, int], thing: tuple[int, int], most: float) -> None:
        self._engine, self._link, self._thing = engine, link, thing
        self._place = self._on_link()
        self._number = engine.fasten(Fastening(link, thing, self._place, most))

    @property
    def wrench(self) -> tuple[Array, Array]:
        """Force (3,) [N] and torque (3,) [N m] in the world with which it acts."""
        state = self._engine.pull(self._number)
        return state[:3], state[3:6] if len(state) > 5 else np.zeros(3)

    def turned(self) -> float:
        """[rad] By how much the object has turned on the link since it began."""
        return 2.0 * math.acos(min(1.0, abs(float(np.dot(self._place[1], self._on_link()[1])))))

    def end(self) -> None:
        """Let the object go its own way."""
        self._engine.unfasten(self._number)

    def _on_link(self) -> Place:
        """Where the object is on the link, of centres of mass."""
        bullet = self._engine.bullet
        there = bullet.invertTransform(*self._engine.centre(*self._link))
        p, turn = bullet.multiplyTransforms(*there, *self._engine.centre(*self._thing))
        return p, turn
