"""The plant with physics on MuJoCo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pinocchio as pin

from taskmatrix.core.world.objects import Array, ObjectModel

from ..physics.bodies import ObjectBodies, RobotBody, Stepper
from ..physics.plant import PhysicsPlant
from ..physics.self_contacts import Pair, ignored_pairs
from .body import Body
from .engine import Engine
from .objects import MujocoObjects
from .scene import compile_scene


class MujocoPlant(PhysicsPlant):
    """A robot and its world in MuJoCo."""

    def _build(
        self, model: pin.Model, q: Array, objects: Mapping[str, ObjectModel]
    ) -> tuple[Stepper, RobotBody, ObjectBodies]:
        def engine(objects: Mapping[str, ObjectModel], ignored: Iterable[Pair]) -> Engine:
            physics, wheels = self._physics, self._tyres
            return Engine(compile_scene(self._robot, model, physics, wheels, objects, ignored, self._step_time))

        alone = Body(engine({}, ()), self._robot, model, q, ())
        world = engine(objects, ignored_pairs(self._robot, q, alone.depths))
        return world, Body(world, self._robot, model, q, objects), MujocoObjects(world, objects)
