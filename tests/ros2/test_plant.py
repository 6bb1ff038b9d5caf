"""Robots over the wire: in a process of their own that shares no code with the plant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from taskmatrix import FailureKind
from taskmatrix.core import RealClock
from taskmatrix.core.base.failure import FailedError
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.ros2 import Ros2Error, Ros2Plant

from .robot import TRAJECTORY, RobotProcess, still, until

pytest.importorskip("zenoh")
pytest.importorskip("rosbags")
ARM = ("elbow", "wrist")


class Arm:
    """A robot of two joints, on wheels."""

    joints = ("base_x", "base_y", "base_yaw", *ARM)
    velocity = np.array([0.6, 0.6, 1.0, 2.0, 2.0])
    rolls = False


def arm(**settings: Any) -> RobotProcess:
    return RobotProcess(ARM, [0.1, 0.2], [2.0, 2.0], **settings)


@pytest.fixture
def robot() -> Iterator[RobotProcess]:
    with arm() as robot:
        yield robot


@pytest.fixture
def plant(robot: RobotProcess) -> Iterator[Ros2Plant]:
    with Ros2Plant(Arm(), robot.names(stop_pressed="/stop_pressed", stopped="/stopped")) as plant:
        yield plant


def monitor(plant: Ros2Plant) -> PlantMonitor:
    return PlantMonitor(plant, Arm.joints, Arm.velocity, {}, 0.01)


def drive(plant: Ros2Plant | PlantMonitor, seconds: float, elbow: float = 0.0) -> None:
    """Command the robot to go forward, and its elbow to move, by the clock."""
    q, clock = plant.sense().q.copy(), RealClock()
    for k in range(round(seconds / 0.01)):
        q = q + np.array([0.002, 0.0, 0.0, elbow, 0.0])
        plant.apply(still(q), 0.01)
        clock.sleep_until(0.01 * (k + 1))
        plant.sense()


def test_what_is_commanded_arrives_and_is_sensed(robot: RobotProcess, plant: Ros2Plant) -> None:
    """Joints by name, the base in its own frame, and nothing is lost on the way."""
    drive(plant, 0.3, elbow=0.01)
    told = robot.ask()
    assert told["q"]["elbow"] == pytest.approx(0.4)
    assert told["base"][0] == pytest.approx(0.06, abs=0.02)
    assert plant.sense().q[3] == pytest.approx(0.4)
    assert (told["lost"], plant.lost) == (0, 0)
    assert abs(plant.offsets["/odom"]) < 0.05


def test_the_last_command_is_a_hold(robot: RobotProcess, plant: Ros2Plant) -> None:
    """When it is closed, too, and the program knows it has stopped the robot."""
    drive(plant, 0.1, elbow=0.01)
    plant.close()
    told = robot.ask()
    assert told["last"]["/cmd_vel"] == [0.0] * 6
    assert told["last"][TRAJECTORY]["velocities"] == [0.0, 0.0]
    assert told["last"][TRAJECTORY]["positions"] == pytest.approx([0.2, 0.2])
    assert told["stopped"]


def test_from_a_stop_on_nothing_goes_out_until_it_senses_anew(robot: RobotProcess, plant: Ros2Plant) -> None:
    """So that a command which was under way when another thread stopped it is not the last."""
    q = plant.sense().q
    plant.stop()
    plant.apply(still(q + 0.1), 0.01)
    until(plant, 0.05)
    assert robot.ask()["goal"] == pytest.approx([0.1, 0.2])
    plant.apply(still(q + 0.1), 0.01)
    until(plant, 0.05)
    assert robot.ask()["goal"] == pytest.approx([0.2, 0.3])
    assert not robot.ask()["stopped"]


def test_a_hold_long_after_the_last_command_is_where_the_robot_is(robot: RobotProcess, plant: Ros2Plant) -> None:
    """Somebody else may have moved it."""
    plant.apply(still(plant.sense().q), 0.01)
    robot.ask(fault="jump", value={"elbow": 0.7})
    until(plant, 0.6)
    plant.stop()
    until(plant, 0.05)
    assert robot.ask()["last"][TRAJECTORY]["positions"] == pytest.approx([0.8, 0.2])


def test_the_robots_emergency_stop_stops_the_program(robot: RobotProcess, plant: Ros2Plant) -> None:
    """While it is pressed nothing is sensed and nothing goes out."""
    robot.ask(pressed=True)
    with pytest.raises(Ros2Error, match="emergency stop is pressed, says '/stop_pressed'"):
        until(plant, 0.05)
    with pytest.raises(Ros2Error, match="emergency stop is pressed"):
        plant.apply(still(np.zeros(5)), 0.01)
    robot.ask(pressed=False)
    until(plant, 0.05)


def test_a_stop_that_was_pressed_before_is_known(robot: RobotProcess) -> None:
    """Who comes late is told."""
    robot.ask(pressed=True)
    plant = Ros2Plant(Arm(), robot.names(stop_pressed="/stop_pressed"))
    with plant, pytest.raises(Ros2Error, match="emergency stop is pressed"):
        until(plant, 0.1)


FAULTS: list[tuple[str, Any, str]] = [
    ("silence", True, r"'/joint_states' is silent: no sensor_msgs/msg/JointState for 0.2"),
    ("no odometry", True, r"'/odom' is silent: no nav_msgs/msg/Odometry for 0.2"),
    ("old", 0.5, r"was set by -0.[45]"),
    ("frozen", True, r"'/joint_states' is stale: what comes is 0.2"),
    ("nan", "wrist", "positions that are no numbers: wrist is nan"),
    ("jump", {"elbow": 0.6}, "elbow is sensed to jump by 0.6"),
    ("skid", 0.5, "base_x is sensed to jump by 0.5"),
    ("reordered", True, "messages on '/joint_states' come out of order"),
    ("clock", 2.0, r"the clock of who publishes '/joint_states' was set by \+(1.9|2.0)"),
    ("clock", -2.0, r"the clock of who publishes '/joint_states' was set by -(1.9|2.0)"),
    ("hash", "0" * 64, r"is silent: .*another definition of sensor_msgs/msg/JointState: its hash is RIHS01_0000"),
    ("torn", True, "what came on '/joint_states' is no sensor_msgs/msg/JointState"),
    ("frame", "map", "'/odom' tells the place of the base in 'map', and not in 'odom'"),
]


@pytest.mark.parametrize(("fault", "value", "said"), FAULTS)
def test_what_goes_wrong_is_named_and_the_robot_holds(
    robot: RobotProcess, plant: Ros2Plant, fault: str, value: Any, said: str
) -> None:
    watched = monitor(plant)
    drive(watched, 0.05)
    robot.ask(fault=fault, value=value)
    with pytest.raises(FailedError, match=said) as caught:
        drive(watched, 0.6)
    assert caught.value.failure.kind is FailureKind.PLANT
    until_held(robot)


def until_held(robot: RobotProcess) -> None:
    """The last command that the robot has heard is a hold."""
    told = robot.ask()
    assert told["last"]["/cmd_vel"] == [0.0] * 6
    assert told["last"][TRAJECTORY]["velocities"] == [0.0, 0.0]


def test_a_robot_that_is_killed_is_named(robot: RobotProcess, plant: Ros2Plant) -> None:
    watched = monitor(plant)
    drive(watched, 0.05)
    robot.kill()
    with pytest.raises(FailedError, match=r"'/joint_states' is silent.*no Zenoh router answers at tcp/127"):
        drive(watched, 0.6)


def test_a_robot_whose_driver_is_started_again_goes_on(robot: RobotProcess, plant: Ros2Plant) -> None:
    watched = monitor(plant)
    drive(watched, 0.05)
    robot.ask(fault="restart")
    drive(watched, 0.3)
    assert watched.fault is None
