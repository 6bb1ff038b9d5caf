"""A recording as a plant: what was sensed then is sensed again, whatever is commanded."""

from __future__ import annotations

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
    differences of their poses.

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
        begins = next((event["step"] for event in recording.events("step")), None)
        if begins != 0:
            told = "no control step" if begins is None else f"control step {begins} for its first, not the session's"
            raise RecordingError(f"{recording.path} has {told}")
        self._path: Path = recording.path
        self._events = recording.events("step")
        self._state = JointState(inputs.q.copy(), np.zeros(inputs.robot.n), np.zeros(inputs.robot.n))
        self._held: dict[str, str] = {}
        self._felt: dict[str, HandState] = {}
        self._count = 0

    def apply(self, command: Command, dt: float) -> None:
        """Go on to the next control step of the recording.

        Raises:
            RecordingError: There is no other.
        """
        event = next(self._events, None)
        if event is None:
            raise RecordingError(f"{self._path.name} has {self._count} control steps, and this run goes on")
        data, self._count = event["data"], self._count + 1
        q, v = np.array(data["q"]), np.array(data["v"])
        self._state, self._time = JointState(q, v, (v - self._state.v) / dt), self._time + dt
        for id in self._poses.keys() - data["poses"].keys():
            del self._poses[id]
        for id, pose in data["poses"].items():
            X_WO = np.array(pose)
            if id not in self._poses:
                self._place(id, X_WO, np.zeros(6))
            elif self._velocities[id].any() or not np.array_equal(X_WO, self._poses[id]):
                self._move(id, X_WO, dt)
        self._held = data["held"]
        self._felt = {hand: _hand_state(told) for hand, told in data.get("felt", {}).items()}

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
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what was ``held`` by hand."""
        return self._truth(self._state.q, self._state.v)


def _nothing(links: Iterable[str]) -> HandState:
    return HandState(np.zeros(3), np.zeros(3), dict.fromkeys(links, False))


def _hand_state(told: Mapping[str, Any]) -> HandState:
    """What a hand felt, as JSON has it: no number is infinite there."""
    slip = np.inf if told["slip"] is None else float(told["slip"])
    return HandState(np.array(told["force"]), np.array(told["torque"]), told["contact"], slip)
