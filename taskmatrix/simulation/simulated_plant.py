"""What simulated plants have in common: objects of a world, what happens to them by themselves, and who sees all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.plant import JointState, WholePlant
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.geometry.solids import corners_of
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose

from .scenes.world import World

CLEARANCE = 0.3  # [m] from a joint of the robot, at which a walking robot stops until the way is free
BESIDE = 0.1  # [m] from what stands on its base, likewise
FOR_GOOD = ("_robot", "_models", "_all_scripts", "_starts", "_suctions", "_walkers", "_kept_off", "_sliders")


class SimulatedPlant(ABC):
    """Base of the plants; subclasses say how joints and objects move.

    Args:
        robot: The robot.
        world: The objects and where they start.
    """

    def __init__(self, robot: Robot, world: World) -> None:
        self._robot = robot
        self._time = 0.0
        self._models = dict(world.objects)
        self._all_scripts = world.scripts
        self._scripts = dict(world.scripts)
        self._walkers = {id: _radius(world.objects[id]) for id in world.gaits}
        self._kept_off = _kept_off(robot) if world.gaits else np.empty(0)
        self._waited = dict.fromkeys(self._walkers, 0.0)  # [s]
        self._starts = {id: (world.poses[id], world.axes(id)) for id in world.objects}
        self._suctions = dict(world.suctions)
        present = {id for id in world.objects if id not in self._scripts or self._scripts[id].present(0.0)}
        self._poses = {id: X_WO.copy() for id, X_WO in world.poses.items() if id in present}
        self._velocities = {id: np.zeros(6) for id in world.objects}
        self._percepts: dict[str, Percept] = {}

    @abstractmethod
    def sense(self) -> JointState:
        """The joints as they are."""

    @abstractmethod
    def detach(self, hand: str) -> None:
        """Let go of what a hand holds."""

    @abstractmethod
    def held(self) -> dict[str, str]:
        """The object in each hand that holds one."""

    def slide(self, hand: str, object: str | None) -> None:  # noqa: B027  # most plants have forces
        """Do nothing: where there are forces, what a hand pushes goes."""

    def _saved(self, shared: Iterable[object] = ()) -> dict[str, Any]:
        """A copy of what changes with time; ``shared`` are things that are not copied with it."""
        return self._copied(vars(self), shared)

    def _take_back(self, saved: Mapping[str, Any], shared: Iterable[object] = ()) -> None:
        """Be as when that was saved."""
        vars(self).update(self._copied(saved, shared))

    def _copied(self, values: Mapping[str, Any], shared: Iterable[object]) -> dict[str, Any]:
        same = (self._robot, *self._models.values(), *self._all_scripts.values(), *shared)
        return deepcopy({name: each for name, each in values.items() if name not in FOR_GOOD}, {id(x): x for x in same})

    def set_pose(self, object: str, X_WO: Array) -> None:
        """Put an object somewhere, a disturbance; it does not move by itself any more."""
        self._check_present(object)
        self.add(object, X_WO)

    def add(self, object: str, X_WO: Array) -> None:
        """Put an object of the world that is absent at X_WO (4, 4), at rest; one that is there is moved."""
        self._check_known(object)
        self._let_go(object)
        self._stop(object)
        self._place(object, X_WO.copy(), np.zeros(6))

    def remove(self, object: str) -> None:
        """Take an object out of the world, out of a hand if one holds it; nothing if it is absent already."""
        self._check_known(object)
        self._let_go(object)
        self._poses.pop(object, None)

    def observe(self) -> tuple[Percept, ...]:
        """Every object that is there, exactly as it is; what is as it was is the same percept."""
        hands: dict[str, tuple[str, ...]] = {}
        for hand, thing in self.held().items():
            hands[thing] = (*hands.get(thing, ()), hand)
        before, self._percepts = self._percepts, {}
        for id, X_WO in self._poses.items():
            v, last, by = self._velocities[id], before.get(id), hands.get(id)
            same = last is not None and last.X_WO is X_WO and last.velocity is v
            if last is None or not same or (last.held_by if by is None else last.holders != by):
                last = Percept(self._models[id], X_WO, v, *(by or ()))
            self._percepts[id] = last
        return tuple(self._percepts[id] for id in self._models if id in self._percepts)

    def _truth(self, q: Array, v: Array) -> Mapping[str, object]:
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what is ``held`` by hand."""
        return {"q": q.copy(), "v": v.copy(), "poses": dict(self._poses), "held": self.held()}

    def _place(self, id: str, X_WO: Array, velocity: Array) -> None:
        """Have an object at X_WO (4, 4), with a velocity (6,)."""
        self._poses[id], self._velocities[id] = X_WO, velocity

    def _move(self, id: str, X_WO: Array, dt: float) -> None:
        """Have an object at X_WO (4, 4), where it came within ``dt`` [s]."""
        before = self._poses[id]
        spin = pin.log3(X_WO[:3, :3] @ before[:3, :3].T)
        self._place(id, X_WO, np.concatenate([X_WO[:3, 3] - before[:3, 3], spin]) / dt)

    def _follow_scripts(self, before: float, dt: float) -> None:
        for id, script in self._scripts.items():
            if script.present(before) and not script.present(self._time):
                self.remove(id)
            elif script.present(self._time) and not script.present(before):
                self._place(id, self._starts[id][0].copy(), np.zeros(6))
            elif script.motion is not None and id in self._poses:
                X_WO = script.pose(self._time - self._waited.get(id, 0.0), *self._starts[id])
                if id in self._walkers and self._comes_near(id, X_WO):
                    self._waited[id] += dt
                    self._place(id, self._poses[id], np.zeros(6))
                else:
                    self._move(id, X_WO, dt)

    def _comes_near(self, walker: str, X_WO: Array) -> bool:
        """Whether a walking robot would get closer to this one than it should, at X_WO (4, 4)."""
        model, data = self._robot.model, self._robot.data
        pin.forwardKinematics(model, data, self._robot.expand(self.sense().q))
        joints = np.array([data.oMi[k].translation[:2] for k in range(1, model.njoints)])
        ways = (joints - X[:2, 3] for X in (self._poses[walker], X_WO))
        before, after = (float((np.linalg.norm(way, axis=1) - self._kept_off).min()) for way in ways)
        return after < self._walkers[walker] and after < before

    def _check_hold(self, hand: str, object: str) -> None:
        """Check that there is such a hand and such an object; hands that held either let go of it.

        Of what takes two hands the other holds on.
        """
        if hand not in self._robot.hands:
            raise NotFoundError("hand", hand, self._robot.hands, f"robot '{self._robot.name}'")
        self._check_present(object)
        alone = self._models[object].hands == 1
        for holder in [name for name, id in self._claimed().items() if name == hand or (alone and id == object)]:
            self.detach(holder)

    def _claimed(self) -> Mapping[str, str]:
        """The object that each hand holds, or is closing on."""
        return self.held()

    def _check_known(self, id: str) -> None:
        if id not in self._models:
            raise NotFoundError("object", id, self._models, "the world")

    def _check_present(self, id: str) -> None:
        if id not in self._poses:
            raise NotFoundError("object", id, self._poses, "the world")

    def _let_go(self, object: str) -> None:
        for hand in [hand for hand, id in self._claimed().items() if id == object]:
            self.detach(hand)

    def _stop(self, id: str) -> None:
        self._scripts.pop(id, None)

    def _take_in(self) -> None:
        for id in self.held().values():
            if id in self._suctions:
                for thing in self._suctions[id].reached(self._models[id], self._poses, self._models.values()):
                    self.remove(thing)

    def _hand_pose(self, name: str, q: Array) -> Array:
        return hand_pose(self._robot, name, q)


def _kept_off(robot: Robot) -> Array:
    """(joints,) [m] How far a walking robot stays away from each joint, seen from above; farther from a wide base."""
    off = np.full(robot.model.njoints - 1, CLEARANCE)
    base = robot.model.getJointId(robot.joints[2])
    for body in robot.collision.geometryObjects:
        if body.parentJoint == base:
            corners = corners_of(body.geometry) @ body.placement.rotation.T + body.placement.translation
            wide = float(np.linalg.norm(corners[:, :2], axis=1).max()) + BESIDE
            off[base - 1] = max(off[base - 1], wide)
    return off


def _radius(model: ObjectModel) -> float:
    """[m] How far an object reaches from its origin, seen from above."""
    lower, upper = bounding_box([shape for shape in model.shapes if shape.collides], np.eye(4))
    return float(np.linalg.norm(np.maximum(np.abs(lower), np.abs(upper))[:2]))


class Omniscient:
    """Fills the perceptual model with the plant's own truth at every call."""

    def __init__(self, plant: WholePlant, model: PerceptualModel, clock: Clock) -> None:
        self._plant, self._model, self._clock = plant, model, clock

    def __call__(self) -> None:
        """Write the true poses of all objects to the perceptual model."""
        self._model.update(self._plant.observe(), self._clock.now())
