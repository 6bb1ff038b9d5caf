"""What is detected, and what is told of a program: against the robot's process."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from taskmatrix.core import Failure, FailureKind, ObjectModel, ParameterError, RealClock, Shape
from taskmatrix.core.base.events import Event
from taskmatrix.ros2 import Ros2Detections, Ros2Diagnostics, Ros2Plant

from .program import Arm
from .robot import RobotProcess

pytest.importorskip("zenoh")
pytest.importorskip("rosbags")
CAN = ObjectModel("model", "object/graspable/can", (Shape("cylinder", (0.03, 0.12), np.eye(4)),), movable=True)
LEFT = [0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)]
TF = {"parent": "odom", "child": "base_link", "p": [1.0, 0.0, 0.0], "r": LEFT}
SENSOR = {"parent": "base_link", "child": "camera", "p": [0.0, 0.0, 1.5], "r": [0.0, 0.0, 0.0, 1.0]}


@pytest.fixture(scope="module")
def robot() -> Iterator[RobotProcess]:
    with RobotProcess(("elbow", "wrist"), [0.1, 0.2], [2.0, 2.0]) as robot:
        yield robot


@pytest.fixture
def plant(robot: RobotProcess) -> Iterator[Ros2Plant]:
    robot.ask(fault="none")
    with Ros2Plant(Arm(), robot.names(), guarded=False) as plant:
        yield plant


def seen(frame: str = "camera", **told: Any) -> dict[str, Any]:
    return {"class": "can", "frame": frame, "p": [2.0, 0.0, -0.5], "size": [0.1, 0.2, 0.3], **told}


PATIENT, SETTLED = 2.0, 0.05  # [s] for what comes from another process, and in which nothing more comes


def detect(robot: RobotProcess, detections: Ros2Detections, *told: dict[str, Any]) -> dict[str, Any]:
    """What is known after something was detected, by id."""
    robot.ask(detect=list(told))
    clock, seen_until = RealClock(), (0, 0)
    while clock.now() < PATIENT:
        clock.sleep_until(clock.now() + SETTLED)
        known = {percept.model.id: percept for percept in detections()}
        came = len(known), len(detections.unplaced)
        if any(came) and came == seen_until:
            break
        seen_until = came
    return known


def test_what_is_detected_is_placed_by_the_robots_transforms(robot: RobotProcess, plant: Ros2Plant) -> None:
    detections = Ros2Detections(plant, {"can": CAN})
    known = detect(robot, detections, TF, SENSOR, seen(), seen(id="mine"), seen(), seen(**{"class": "chair"}))
    assert sorted(known) == ["can", "can-3", "chair", "mine"]
    np.testing.assert_allclose(known["can"].X_WO[:3, 3], [1.0, 2.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(known["can"].X_WO[:3, :3] @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-9)
    assert known["mine"].model.type == CAN.type
    assert known["chair"].model.type == "obstacle/chair"
    assert known["chair"].model.shapes[0].size == (0.1, 0.2, 0.3)


def test_the_most_likely_class_counts_and_the_world_needs_no_transform(robot: RobotProcess, plant: Ros2Plant) -> None:
    known = detect(robot, Ros2Detections(plant, {"can": CAN}), seen(frame="odom"))
    np.testing.assert_allclose(known["can"].X_WO[:3, 3], [2.0, 0.0, -0.5])


def test_what_cannot_be_placed_is_told(robot: RobotProcess, plant: Ros2Plant) -> None:
    detections = Ros2Detections(plant)
    assert detect(robot, detections, seen(frame="elsewhere"), seen(frame="odom", p=[float("nan"), 0.0, 0.0])) == {}
    assert detections.unplaced == {
        "elsewhere": "no transform leads from 'elsewhere' to 'odom'",
        "odom": "a 'can' in 'odom' has a pose that is none",
    }


def test_what_is_not_detected_any_more_is_forgotten(robot: RobotProcess, plant: Ros2Plant) -> None:
    detections = Ros2Detections(plant, forget=0.1)
    assert "can" in detect(robot, detections, seen(frame="odom"))
    RealClock().sleep_until(0.15)
    assert detections() == ()


@pytest.mark.parametrize("forget", [0.0, -1.0, True, "never"])
def test_a_time_to_forget_is_a_number_above_zero(plant: Ros2Plant, forget: Any) -> None:
    with pytest.raises(ParameterError, match="forget is a number of seconds above 0"):
        Ros2Detections(plant, forget=forget)


def test_what_happens_is_told_as_diagnostics(robot: RobotProcess, plant: Ros2Plant) -> None:
    """With a level, and all that is known; steps are not."""
    tell = Ros2Diagnostics(plant)
    failure = Failure(FailureKind.COLLISION, "reach", "the hand touches the table")
    for kind, data in (("run", {"seed": 3}), ("step", {}), ("outcome", {"success": False, "failure": failure})):
        tell(Event(0.0, 0, kind, "pickup", data))
    RealClock().sleep_until(0.05)
    assert robot.ask()["diagnostics"] == [
        [0, "taskmatrix: pickup", "run", [["seed", "3"]]],
        [2, "taskmatrix: pickup", "outcome: reach: the hand touches the table.", [["success", "False"]]],
    ]
