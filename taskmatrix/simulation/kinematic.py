"""A plant without physics: joints go where they are told, held objects follow, the base may drift."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pinocchio as pin

from taskmatrix.core.arbiter import Command
from taskmatrix.core.errors import NotFoundError
from taskmatrix.core.geometry import inverse
from taskmatrix.core.hand_state import HandState
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
        self._scripts = dict(world.scripts)
        self._starts = {id: (world.poses[id], world.axes(id)) for id in world.objects}
        self._suctions = dict(world.suctions)
        present = {id for id in world.objects if id not in self._scripts or self._scripts[id].present(0.0)}
        self._poses = {id: X_WO.copy() for id, X_WO in world.poses.items() if id in present}
        self._velocities = {id: np.zeros(6) for id in world.objects}
        self._held: dict[str, tuple[str, Array]] = {}
        self._pushed = np.zeros(3)
        self._percepts: dict[str, Percept] = {}

    def apply(self, command: Command, dt: float) -> None:
        """Move the joints to their commanded positions, what is held along, and what moves by itself."""
        before, self._time = self._time, self._time + dt
        q = command.q.copy()
        q[:3] += self._pushed
        if self._drift is not None:
            q[:3] += self._drift(self._time)
        v = (q - self._state.q) / dt
        self._state = JointState(q, v, (v - self._state.v) / dt)
        self._follow_scripts(before, dt)
        for hand, (id, X_HO) in self._held.items():
            self._move(id, self._hand_pose(hand) @ X_HO, dt)
        self._take_in()

    def sense(self) -> JointState:
        """The joints as they are."""
        return self._state

    def feel(self) -> Mapping[str, HandState]:
        """Without forces: all that may touch what a hand holds does, and nothing slips."""
        return {
            name: HandState(np.zeros(3), np.zeros(3), dict.fromkeys(hand.touch, name in self._held))
            for name, hand in self._robot.hands.items()
        }

    def attach(self, hand: str, object: str) -> None:
        """Fix an object to a hand where both are; another hand that held it lets go, and the hand of what it held.

        What was held once does not move by itself any more.
        """
        if hand not in self._robot.hands:
            raise NotFoundError("hand", hand, self._robot.hands, f"robot '{self._robot.name}'")
        if object not in self._poses:
            raise NotFoundError("object", object, self._poses, "the world")
        for holder in [name for name, (id, _) in self._held.items() if name == hand or id == object]:
            self.detach(holder)
        self._stop(object)
        self._held[hand] = (object, inverse(self._hand_pose(hand)) @ self._poses[object])

    def detach(self, hand: str) -> None:
        """Leave what a hand holds where it is."""
        held = self._held.pop(hand, None)
        if held is not None:
            self._velocities[held[0]] = np.zeros(6)

    def set_pose(self, object: str, X_WO: Array) -> None:
        """Put an object somewhere, a disturbance; it does not move by itself any more."""
        if object not in self._poses:
            raise NotFoundError("object", object, self._poses, "the world")
        self.add(object, X_WO)

    def add(self, object: str, X_WO: Array) -> None:
        """Put an object of the world that is absent at X_WO (4, 4), at rest; one that is there is moved."""
        if object not in self._models:
            raise NotFoundError("object", object, self._models, "the world")
        self._let_go(object)
        self._stop(object)
        self._poses[object] = X_WO.copy()
        self._velocities[object] = np.zeros(6)

    def remove(self, object: str) -> None:
        """Take an object out of the world, out of a hand if one holds it; nothing if it is absent already."""
        if object not in self._models:
            raise NotFoundError("object", object, self._models, "the world")
        self._let_go(object)
        self._poses.pop(object, None)

    def push(self, offset: Array) -> None:
        """Displace the base at once by (3,) [m, m, rad] in the world's axes; it stays off by that from its commands."""
        self._pushed = self._pushed + np.asarray(offset, dtype=float)
        q = self._state.q.copy()
        q[:3] += offset
        self._state = replace(self._state, q=q)
        for hand, (id, X_HO) in self._held.items():
            self._poses[id] = self._hand_pose(hand) @ X_HO

    def truth(self) -> Mapping[str, object]:
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what is ``held`` by hand.

        What is absent has no pose.
        """
        return {
            "q": self._state.q.copy(),
            "v": self._state.v.copy(),
            "poses": dict(self._poses),
            "held": {hand: id for hand, (id, _) in self._held.items()},
        }

    def observe(self) -> tuple[Percept, ...]:
        """Every object that is there, exactly as it is; what is as it was is the same percept."""
        holders = {id: hand for hand, (id, _) in self._held.items()}
        before, self._percepts = self._percepts, {}
        for id, X_WO in self._poses.items():
            v, hand, last = self._velocities[id], holders.get(id), before.get(id)
            if last is None or last.X_WO is not X_WO or last.velocity is not v or last.held_by != hand:
                last = Percept(self._models[id], X_WO, v, hand)
            self._percepts[id] = last
        return tuple(self._percepts[id] for id in self._models if id in self._percepts)

    def _follow_scripts(self, before: float, dt: float) -> None:
        for id, script in self._scripts.items():
            if script.present(before) and not script.present(self._time):
                self.remove(id)
            elif script.present(self._time) and not script.present(before):
                self._poses[id] = self._starts[id][0].copy()
            elif script.motion is not None and id in self._poses:
                self._move(id, script.pose(self._time, *self._starts[id]), dt)

    def _let_go(self, object: str) -> None:
        for hand in [hand for hand, (id, _) in self._held.items() if id == object]:
            self.detach(hand)

    def _stop(self, id: str) -> None:
        self._scripts.pop(id, None)

    def _take_in(self) -> None:
        for id, _ in tuple(self._held.values()):
            if id in self._suctions:
                for thing in self._suctions[id].reached(self._models[id], self._poses, self._models.values()):
                    self.remove(thing)

    def _move(self, id: str, X_WO: Array, dt: float) -> None:
        before = self._poses[id]
        spin = pin.log3(X_WO[:3, :3] @ before[:3, :3].T)
        self._velocities[id] = np.concatenate([X_WO[:3, 3] - before[:3, 3], spin]) / dt
        self._poses[id] = X_WO

    def _hand_pose(self, name: str) -> Array:
        return hand_pose(self._robot, name, self._state.q, self._data)
