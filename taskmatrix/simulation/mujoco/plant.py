"""The plant with physics on MuJoCo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

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
        self._world = engine(objects, ignored_pairs(self._robot, q, alone.depths))
        self._links = Body(self._world, self._robot, model, q, objects)
        return self._world, self._links, MujocoObjects(self._world, objects)

    def save(self) -> object:
        """All of its state, which later commands do not change."""
        return self._saved(self._lasting()), self._world.save(), self._links.save()

    def restore(self, state: object) -> None:
        """Go on from a state of this plant."""
        ours, world, links = cast("tuple[dict[str, Any], dict[str, Any], tuple[set[int], set[int]]]", state)
        self._take_back(ours, self._lasting())
        self._world.restore(world)
        self._links.restore(links)

    def _lasting(self) -> tuple[object, ...]:
        return self._world, self._links, self._objects
