"""A plant without physics: joints go where they are told, held objects follow, the base may drift."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.core.arbiter import Command
from taskmatrix.core.errors import NotFoundError
from taskmatrix.core.geometry import inverse
from taskmatrix.core.objects import Array
from taskmatrix.core.perception import Percept
from taskmatrix.core.plant import JointState
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose

from .world import World

Drift = Callable[[float], Array]


class KinematicPlant:
    """Executes commands exactly; implements :class:`taskmatrix.core.plant.Plant`.

    Args:
        robot: The robot.
        world: The objects and where they start.
        q: (n,) Where the robot starts.
        drift: From time [s] to (3,) [m, m, rad]: by how much the base is off from where it was told to go.
    """

    def __init__(self, robot: Robot, world: World, q: Array, drift: Drift | None = None) -> None:
        self._robot = robot
        self._data = robot.model.createData()
        self._drift = drift
        self._time = 0.0
        self._state = JointState(np.array(q, dtype=float), np.zeros(robot.n), np.zeros(robot.n))
        self._models = dict(world.objects)
        self._poses = {id: X_WO.copy() for id, X_WO in world.poses.items()}
        self._velocities = {id: np.zeros(6) for id in world.objects}
        self._held: dict[str, tuple[str, Array]] = {}

    def apply(self, command: Command, dt: float) -> None:
        """Move the joints to their commanded positions."""
        self._time += dt
        q = command.q.copy()
        if self._drift is not None:
            q[:3] += self._drift(self._time)
        v = (q - self._state.q) / dt
        self._state = JointState(q, v, (v - self._state.v) / dt)
        for hand, (id, X_HO) in self._held.items():
            self._move(id, self._hand_pose(hand) @ X_HO, dt)

    def sense(self) -> JointState:
        """The joints as they are."""
        return self._state

    def attach(self, hand: str, object: str) -> None:
        """Fix an object to a hand where both are; another hand that held it lets go, and the hand of what it held."""
        if hand not in self._robot.hands:
            raise NotFoundError("hand", hand, self._robot.hands, f"robot '{self._robot.name}'")
        if object not in self._poses:
            raise NotFoundError("object", object, self._poses, "the world")
        for holder in [name for name, (id, _) in self._held.items() if name == hand or id == object]:
            self.detach(holder)
        self._held[hand] = (object, inverse(self._hand_pose(hand)) @ self._poses[object])

    def detach(self, hand: str) -> None:
        """Leave what a hand holds where it is."""
        held = self._held.pop(hand, None)
        if held is not None:
            self._velocities[held[0]] = np.zeros(6)

    def set_pose(self, object: str, X_WO: Array) -> None:
        """Put an object somewhere: a disturbance, or the script of a moving object."""
        if object not in self._poses:
            raise NotFoundError("object", object, self._poses, "the world")
        self._poses[object] = X_WO.copy()

    def truth(self) -> Mapping[str, object]:
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what is ``held`` by hand."""
        return {
            "q": self._state.q.copy(),
            "v": self._state.v.copy(),
            "poses": dict(self._poses),
            "held": {hand: id for hand, (id, _) in self._held.items()},
        }

    def observe(self) -> tuple[Percept, ...]:
        """Every object exactly as it is."""
        holders = {id: hand for hand, (id, _) in self._held.items()}
        return tuple(
            Percept(model, self._poses[id], self._velocities[id], holders.get(id)) for id, model in self._models.items()
        )

    def _move(self, id: str, X_WO: Array, dt: float) -> None:
        before = self._poses[id]
        spin = pin.log3(X_WO[:3, :3] @ before[:3, :3].T)
        self._velocities[id] = np.concatenate([X_WO[:3, 3] - before[:3, 3], spin]) / dt
        self._poses[id] = X_WO

    def _hand_pose(self, name: str) -> Array:
        return hand_pose(self._robot, name, self._state.q, self._data)
