"""The plant with physics on PyBullet."""

from __future__ import annotations

from collections.abc import Mapping

import pinocchio as pin

from taskmatrix.core.world.objects import Array, ObjectModel

from ..physics.bodies import ObjectBodies, RobotBody, Stepper
from ..physics.plant import PhysicsPlant
from .body import Body
from .engine import Engine
from .objects import BulletObjects


class BulletPlant(PhysicsPlant):
    """A robot and its world in PyBullet."""

    def _build(
        self, model: pin.Model, q: Array, objects: Mapping[str, ObjectModel]
    ) -> tuple[Stepper, RobotBody, ObjectBodies]:
        engine = Engine(self._physics.iterations)
        body = Body(engine, self._robot, model, q, self._physics, self._tyres)
        return engine, body, BulletObjects(engine, objects, self._physics)
