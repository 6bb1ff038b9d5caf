"""A demonstration out of a recording: what a hand did in a run, for other robots."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taskmatrix.behaviors.along.demonstration import Axes, Demonstration
from taskmatrix.core.base.errors import NotFoundError, RecordingError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import load_robot
from taskmatrix.robots.hand_pose import hand_pose

from .recording_reader import Recording


def demonstration(
    recording: Recording, hand: str, relative_to: str = "hand", begin: float = 0.0, end: float = math.inf
) -> Demonstration:
    """What a hand did between two times of a recording, or what the object did that it held at the first.

    Args:
        recording: Of a run of a robot that is here.
        hand: Name of the hand.
        relative_to: ``hand``, ``robot``, ``world``, or the id of an object.
        begin: [s] On the clock of the run.
        end: [s] Likewise.

    Raises:
        NotFoundError: The robot, the hand or the object is not there.
        RecordingError: The joints of the robot are others now, or there is no control step between the times.
        ParameterError: Nothing moved.
    """
    robot = load_robot(str(recording.header["robot"]))
    if hand not in robot.hands:
        raise NotFoundError("hand", hand, robot.hands, f"robot '{robot.name}'")
    if recording.joints != tuple(robot.joints):
        raise RecordingError(f"{recording.path} is of another robot than '{robot.name}' is now: its joints differ")
    steps = list(recording.events("step", begin=begin, end=end))
    if not steps:
        raise RecordingError(f"{recording.path} has no control step from {begin:g} to {end:g} s")
    first = steps[0]["data"]
    held = first["held"].get(hand)

    def moved(step: dict[str, Any]) -> Array:
        if held is not None:
            return np.array(step["poses"][held])
        return hand_pose(robot, hand, np.array(step["q"]))

    seen = [step for step in steps if held is None or held in step["data"]["poses"]]
    poses = [moved(step["data"]) for step in seen]
    objects = {id: np.array(X_WO) for id, X_WO in first["poses"].items()}
    axes = Axes.of(relative_to, poses[0], np.array(first["q"][:3]), objects)
    times = [step["time"] for step in seen]
    return Demonstration.of(relative_to, held, times, [axes.shown(X_WM) for X_WM in poses])
