"""A plant without physics for the fake robot."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept

from .fake_robot import FakeRobot


class FakePlant:
    """Joints go where they are told, held objects follow; implements :class:`taskmatrix.core.robot.plant.WholePlant`.

    Attributes:
        commands: Everything that was applied, in order; a test reads here what really went out.
        jammed: Joints that stay where they are, whatever they are told.
        slips: [m] By hand, how far what it holds is said to have moved in it.
    """

    def __init__(self, robot: FakeRobot, objects: Iterable[Percept] = ()) -> None:
        self._robot = robot
        self._objects = {percept.model.id: percept for percept in objects}
        self._state = JointState(robot.stance.copy(), np.zeros(robot.n), np.zeros(robot.n))
        self._held: dict[str, tuple[str, Array]] = {}
        self.commands: list[Command] = []
        self.jammed: set[int] = set()
        self.slips: dict[str, float] = {}

    def apply(self, command: Command, dt: float) -> None:
        """Move the joints to their commanded positions."""
        self.commands.append(command)
        q, stuck = command.q.copy(), list(self.jammed)
        q[stuck] = self._state.q[stuck]
        velocity = (q - self._state.q) / dt
        self._state = JointState(q, velocity, (velocity - self._state.v) / dt)
        for hand, (held, X_HO) in self._held.items():
            self.set_pose(held, self._robot.hand_pose(hand, self._state.q) @ X_HO)

    def sense(self) -> JointState:
        """The joints as they are."""
        return self._state

    def feel(self) -> Mapping[str, HandState]:
        """The one finger of each hand touches what it holds; ``slips`` are what a test scripts."""
        return {
            hand: HandState(np.zeros(3), np.zeros(3), {"finger": hand in self._held}, self.slips.get(hand, 0.0))
            for hand in self._robot.hands
        }

    def impedance_joints(self) -> Collection[str]:
        """None: all follow their positions."""
        return ()

    def attach(self, hand: str, object: str) -> None:
        """Fix an object to a hand where both are."""
        X_WH = self._robot.hand_pose(hand, self._state.q)
        self._held[hand] = (object, inverse(X_WH) @ self._object(object).X_WO)
        self._objects[object] = replace(self._objects[object], held_by=hand)

    def detach(self, hand: str) -> None:
        """Leave what a hand holds where it is."""
        if hand in self._held:
            dropped, _ = self._held.pop(hand)
            self._objects[dropped] = replace(self._objects[dropped], held_by=None)

    def slide(self, hand: str, object: str | None) -> None:
        """Do nothing: what a hand pushes stays where it is."""

    def set_pose(self, object: str, X_WO: Array) -> None:
        """Put an object somewhere."""
        self._objects[object] = replace(self._object(object), X_WO=X_WO)

    def put(self, percept: Percept) -> None:
        """Have an object as it is said to be, with its velocity."""
        self._objects[percept.model.id] = percept

    def truth(self) -> Mapping[str, object]:
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what is ``held`` by hand."""
        return {
            "q": self._state.q.copy(),
            "v": self._state.v.copy(),
            "poses": {name: percept.X_WO for name, percept in self._objects.items()},
            "held": {hand: held for hand, (held, _) in self._held.items()},
        }

    def observe(self) -> tuple[Percept, ...]:
        """Every object exactly as it is."""
        return tuple(self._objects.values())

    def _object(self, id: str) -> Percept:
        if id not in self._objects:
            raise NotFoundError("object", id, self._objects, "the fake plant")
        return self._objects[id]
