"""A plant without physics: joints go where they are told, held objects follow, the base may drift."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.world.carried import carried_by
from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .scenes.world import World
from .simulated_plant import SimulatedPlant
from .sliding import Sliding

SLIPS = (0.03, np.deg2rad(25.0))  # [m], [rad] by which a part that a joint leads slips out of a hand
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
        self._travelling: dict[str, tuple[str, Array]] = {}  # what stands on or in what is held
        self._sliding: dict[str, tuple[str, Array]] = {}  # by hand what it pushes, and where the hand was
        self._sliders: dict[tuple[str, str], Sliding] = {}
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
        led = set[str]()
        for hand, (id, X_HO) in list(self._held.items()):
            X_WH = self._hand_pose(hand, q)
            X_WO = self._poses[id] if id in led else self._led(id, X_HO, X_WH)
            if id not in led:
                self._move(id, X_WO, dt)
                led.add(id)
            distance, angle = pose_error(X_WH @ X_HO, X_WO)
            if distance > SLIPS[0] or angle > SLIPS[1]:
                self.detach(hand)
        for hand in self._sliding:
            self._let_slide(hand, dt)
        for other, (id, X_CO) in self._travelling.items():
            self._move(other, self._poses[id] @ X_CO, dt)
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

    def add(self, object: str, X_WO: Array) -> None:
        """Put an object at X_WO (4, 4), at rest; what is held takes it along if it stands on or in that."""
        super().add(object, X_WO)
        self._take_along()

    def remove(self, object: str) -> None:
        """Take an object out of the world."""
        super().remove(object)
        self._take_along()

    def attach(self, hand: str, object: str) -> None:
        """Fix an object to a hand where both are; another hand that held it lets go, and the hand of what it held.

        What takes two hands may be in both: it goes with the first, and slips out of one that goes elsewhere. What was
        held once does not move by itself any more.
        """
        self._check_hold(hand, object)
        self._stop(object)
        self._held[hand] = (object, inverse(self._hand_pose(hand, self._state.q)) @ self._poses[object])
        self._take_along()

    def detach(self, hand: str) -> None:
        """Leave what a hand holds where it is."""
        held = self._held.pop(hand, None)
        if held is not None:
            for id in (held[0], *self._travelling):
                self._velocities[id] = np.zeros(6)
            self._take_along()

    def slide(self, hand: str, object: str | None) -> None:
        """Let an object slide ahead of a hand from now on, with what stands on it; with None nothing any more."""
        if hand not in self._robot.hands:
            raise NotFoundError("hand", hand, self._robot.hands, f"robot '{self._robot.name}'")
        before = self._sliding.pop(hand, None)
        if before is not None and before[0] in self._poses:
            self._velocities[before[0]] = np.zeros(6)
        if object is not None:
            self._check_present(object)
            self._stop(object)
            self._sliders[hand, object] = Sliding(self._robot, hand, self._models[object])
            self._sliding[hand] = object, self._hand_pose(hand, self._state.q)
        self._take_along()

    def push(self, offset: Array) -> None:
        """Displace the base at once by (3,) [m, m, rad] in the world's axes; it stays off by that from its commands."""
        self._pushed = self._pushed + np.asarray(offset, dtype=float)
        q = self._state.q.copy()
        q[:3] += offset
        self._state = replace(self._state, q=q)
        for hand, (id, X_HO) in reversed(self._held.items()):  # the first of two hands has the last word
            self._poses[id] = self._led(id, X_HO, self._hand_pose(hand, q))
        for other, (id, X_CO) in self._travelling.items():
            self._poses[other] = self._poses[id] @ X_CO

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

    def _let_slide(self, hand: str, dt: float) -> None:
        """Move what a hand pushes out of its way, on the level."""
        id, before = self._sliding[hand]
        X_WH = self._hand_pose(hand, self._state.q)
        self._sliding[hand] = id, X_WH
        way = (X_WH - before)[:3, 3] * [1.0, 1.0, 0.0]
        if id in self._poses and id not in self.held().values():
            X_WO = self._poses[id].copy()
            X_WO[:3, 3] += self._sliders[hand, id].offset(self._robot.data, X_WO, way)
            self._move(id, X_WO, dt)

    def _led(self, id: str, X_HO: Array, X_WH: Array) -> Array:
        """(4, 4) Where what a hand at X_WH (4, 4) holds comes to: a part only along its joint."""
        joint = self._models[id].joint
        if joint is None or joint.parent not in self._poses:
            return X_WH @ X_HO
        X_WP, p_OH = self._poses[joint.parent], inverse(X_HO)[:3, 3]
        pulled = inverse(X_WP) @ X_WH
        return X_WP @ joint.at(joint.within(joint.position_of(pulled[:3, 3], p_OH)))

    def _take_along(self) -> None:
        """Find what stands on or in what is held, or slides."""
        self._travelling = {}
        moved = {id for id, _ in (*self._held.values(), *self._sliding.values()) if id in self._poses}
        for id in moved:
            for other in carried_by(id, self._models, self._poses, {*moved, *self._travelling}):
                self._travelling[other] = id, inverse(self._poses[id]) @ self._poses[other]

    def close(self) -> None:
        """Do nothing: it uses no resources."""
