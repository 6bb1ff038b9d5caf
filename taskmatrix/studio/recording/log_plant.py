"""A recording as a plant: what was sensed then is sensed again, whatever is commanded."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from taskmatrix.core.base.errors import RecordingError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.plant import JointState
from taskmatrix.session.plants import PlantInputs
from taskmatrix.simulation.simulated_plant import SimulatedPlant

from .recording_reader import Recording


class LogPlant(SimulatedPlant):
    """Senses, in each control step, what the recording of a run has for it.

    Joints, poses of objects, and what hands hold and feel are those of the recording; velocities of objects are the
    differences of their poses, but for those that a robot of somebody's own perceived.

    Args:
        recording: Of a session from its beginning.
        inputs: Of the session that is to run on it.

    Raises:
        RecordingError: It has other joints than the robot, other control steps, or does not begin at the beginning.
    """

    def __init__(self, recording: Recording, inputs: PlantInputs) -> None:
        super().__init__(inputs.robot, inputs.world)
        step, joints = recording.header.get("dt"), recording.joints
        if list(joints) != list(inputs.robot.joints):
            raise RecordingError(f"{recording.path} is of another robot than '{inputs.robot.name}': its joints differ")
        if step != inputs.dt:
            raise RecordingError(f"{recording.path} has control steps of {step} s, and this session of {inputs.dt} s")
        self._path: Path = recording.path
        self._events = recording.events("step")
        self._ahead = next(self._events, None)
        if self._ahead is None or self._ahead["step"] != 0:
            begins = "no control step" if self._ahead is None else f"control step {self._ahead['step']} for its first"
            raise RecordingError(f"{recording.path} has {begins}, not the session's")
        self._true = bool(recording.header.get("truth", True))
        self._state = JointState(inputs.q.copy(), np.zeros(inputs.robot.n), np.zeros(inputs.robot.n))
        self._held: dict[str, str] = {}
        self._felt: dict[str, HandState] = {}
        self._count = 0
        if "q" in recording.header:  # a plant of somebody's own, which may have been anywhere
            first = self._ahead["data"]
            self._poses.clear()
            self._take(first if not self._true else {**first, "q": recording.header["q"], "v": [0.0] * len(joints)})
        self._recorded = self._truth(self._state.q, self._state.v)

    def apply(self, command: Command, dt: float) -> None:
        """Go on to the next control step of the recording.

        Raises:
            RecordingError: There is no other.
        """
        event, self._ahead = self._ahead, next(self._events, None)
        if event is None:
            raise RecordingError(f"{self._path.name} has {self._count} control steps, and this run goes on")
        data, self._count, self._time = event["data"], self._count + 1, self._time + dt
        if not self._true:  # it has what was sensed before its command
            self._recorded = self._truth(self._state.q, self._state.v)
        self._take(data if self._true or self._ahead is None else self._ahead["data"], dt)
        if self._true:
            self._recorded = self._truth(self._state.q, self._state.v)
        self._felt = {hand: _hand_state(told) for hand, told in data.get("felt", {}).items()}

    def _take(self, data: Mapping[str, Any], dt: float = math.inf) -> None:
        """Be as a control step has it, ``dt`` [s] after the one before."""
        q, v = np.array(data["q"]), np.array(data["v"])
        self._state = JointState(q, v, (v - self._state.v) / dt)
        for id in self._poses.keys() - data["poses"].keys():
            del self._poses[id]
        told = data.get("velocities")
        for id, pose in data["poses"].items():
            X_WO, before = np.array(pose), self._poses.get(id)
            same = before is not None and np.array_equal(X_WO, before)
            if told is not None:
                velocity = np.array(told[id]) if id in told else np.zeros(6)
                unmoved = same and np.array_equal(velocity, self._velocities[id])
                if not unmoved:
                    self._place(id, before if same and before is not None else X_WO, velocity)
            elif before is None:
                self._place(id, X_WO, np.zeros(6))
            elif self._velocities[id].any() or not same:
                self._move(id, X_WO, dt)
        self._held = data["held"]

    def sense(self) -> JointState:
        """The joints as they were."""
        return self._state

    def feel(self) -> Mapping[str, HandState]:
        """What the hands felt."""
        return {name: self._felt.get(name) or _nothing(hand.touch) for name, hand in self._robot.hands.items()}

    def held(self) -> dict[str, str]:
        """The object in each hand that held one."""
        return dict(self._held)

    def impedance_joints(self) -> Collection[str]:
        """All of them: what was commanded then was executed."""
        return self._robot.joints[3:]

    def attach(self, hand: str, object: str) -> None:
        """Do nothing: the recording tells what is held."""

    def detach(self, hand: str) -> None:
        """Do nothing: the recording tells what is held."""

    def truth(self) -> Mapping[str, object]:
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what was ``held`` by hand.

        That is what the last control step of the recording has, also where that was sensed and perceived before it.
        """
        return self._recorded


def _nothing(links: Iterable[str]) -> HandState:
    return HandState(np.zeros(3), np.zeros(3), dict.fromkeys(links, False))


def _hand_state(told: Mapping[str, Any]) -> HandState:
    """What a hand felt, as JSON has it: no number is infinite there."""
    slip = np.inf if told["slip"] is None else float(told["slip"])
    return HandState(np.array(told["force"]), np.array(told["torque"]), told["contact"], slip)
