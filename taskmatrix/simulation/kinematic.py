"""A plant without physics: joints go where they are told, held objects follow, the base may drift."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .scenes.world import World
from .simulated_plant import SimulatedPlant

Drift = Callable[[float], Array]


class KinematicPlant(SimulatedPlant):
    """Executes commands exactly; implements :class:`taskmatrix.core.robot.plant.WholePlant`.

    Args:
        robot: The robot.
        world: The objects and where they start.
        q: (n,) Where the robot starts.
        drift: From time [s] to (3,) [m, m, rad]: by how much the base is off from where it was told to go.
    """

    def __init__(self, robot: Robot, world: World, q: Array, drift: Drift | None = None) -> None:
        super().__init__(robot, world)
        self._drift = drift
        self._state = JointState(np.array(q, dtype=float), np.zeros(robot.n), np.zeros(robot.n))
        self._held: dict[str, tuple[str, Array]] = {}
        self._pushed = np.zeros(3)

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
            self._move(id, self._hand_pose(hand, q) @ X_HO, dt)
        self._take_in()

    def sense(self) -> JointState:
        """The joints as they are."""
        return self._state

    def held(self) -> dict[str, str]:
        """The object in each hand that holds one."""
        return {hand: id for hand, (id, _) in self._held.items()}

    def feel(self) -> Mapping[str, HandState]:
        """Without forces: all that may touch what a hand holds does, and nothing slips."""
        return {
            name: HandState(np.zeros(3), np.zeros(3), dict.fromkeys(hand.touch, name in self._held))
            for name, hand in self._robot.hands.items()
        }

    def impedance_joints(self) -> Collection[str]:
        """None: all follow their positions."""
        return ()

    def attach(self, hand: str, object: str) -> None:
        """Fix an object to a hand where both are; another hand that held it lets go, and the hand of what it held.

        What was held once does not move by itself any more.
        """
        self._check_hold(hand, object)
        self._stop(object)
        self._held[hand] = (object, inverse(self._hand_pose(hand, self._state.q)) @ self._poses[object])

    def detach(self, hand: str) -> None:
        """Leave what a hand holds where it is."""
        held = self._held.pop(hand, None)
        if held is not None:
            self._velocities[held[0]] = np.zeros(6)

    def push(self, offset: Array) -> None:
        """Displace the base at once by (3,) [m, m, rad] in the world's axes; it stays off by that from its commands."""
        self._pushed = self._pushed + np.asarray(offset, dtype=float)
        q = self._state.q.copy()
        q[:3] += offset
        self._state = replace(self._state, q=q)
        for hand, (id, X_HO) in self._held.items():
            self._poses[id] = self._hand_pose(hand, q) @ X_HO

    def truth(self) -> Mapping[str, object]:
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what is ``held`` by hand.

        What is absent has no pose.
        """
        return self._truth(self._state.q, self._state.v)

    def save(self) -> object:
        """All of its state, which later commands do not change."""
        return self._saved()

    def restore(self, state: object) -> None:
        """Go on from a state of this plant."""
        self._take_back(cast("Mapping[str, Any]", state))

    def close(self) -> None:
        """Do nothing: it uses no resources."""
