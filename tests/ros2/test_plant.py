"""Robots over the wire: in a process of their own that shares no code with the plant."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taskmatrix import FailureKind, connect
from taskmatrix.behaviors import Postural, Reach
from taskmatrix.core import MissingDependencyError, ObjectModel, ParameterError, Percept, RealClock, Shape
from taskmatrix.core.base.failure import FailedError
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.robots import load_robot
from taskmatrix.ros2 import Base, Controller, Ros2Error, Ros2Names, Ros2Plant
from taskmatrix.ros2.guardian import ENDED
from taskmatrix.testing import PlantContract

from ..transports.test_zenoh_transport import free_port
from .robot import COMMANDS, TRAJECTORY, Lockstep, RobotProcess, still, until

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


@pytest.fixture(scope="module")
def process() -> Iterator[RobotProcess]:
    with arm() as robot:
        yield robot


@pytest.fixture
def robot(process: RobotProcess) -> RobotProcess:
    """As it was in the beginning."""
    process.ask(fault="none")
    return process


@pytest.fixture
def plant(robot: RobotProcess) -> Iterator[Ros2Plant]:
    with bare(robot.names(stop_pressed="/stop_pressed", stopped="/stopped")) as plant:
        yield plant


def bare(names: Ros2Names, wait: float = 10.0) -> Ros2Plant:
    """Without the process that guards it, which takes its time to start."""
    return Ros2Plant(Arm(), names, wait=wait, guarded=False)


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
    until(plant, 0.1)
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
    assert is_held(robot)
    told = robot.ask()
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
    plant = bare(robot.names(stop_pressed="/stop_pressed"))
    with plant, pytest.raises(Ros2Error, match="emergency stop is pressed"):
        until(plant, 0.1)


FAULTS: list[tuple[str, Any, str]] = [
    ("silence", True, r"'/joint_states' is silent: no sensor_msgs/msg/JointState for 0.2"),
    ("no odometry", True, r"'/odom' is silent: no nav_msgs/msg/Odometry for 0.2"),
    ("old", 0.5, r"was set by -0.[45]"),
    ("frozen", True, r"'/joint_states' is stale: what comes is 0.2"),
    ("nan", "wrist", "positions that are no numbers: wrist is nan"),
    ("jump", {"elbow": 0.6}, "elbow is sensed to jump by 0.6"),
    ("skid", 0.5, r"base_x is sensed to jump by 0\.(49|5)"),
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
    assert is_held(robot)


def is_held(robot: RobotProcess) -> bool:
    """Whether the last command that the robot hears is a hold; what is under way arrives."""
    RealClock().sleep_until(0.05)
    told = robot.ask()["last"]
    return bool(told["/cmd_vel"] == [0.0] * 6 and told[TRAJECTORY]["velocities"] == [0.0, 0.0])


def test_a_robot_that_is_killed_is_named() -> None:
    with arm() as robot, bare(robot.names()) as plant:
        watched = monitor(plant)
        drive(watched, 0.05)
        robot.kill()
        with pytest.raises(FailedError, match=r"'/joint_states' is silent.*no Zenoh router answers at tcp/127"):
            drive(watched, 0.6)


@pytest.mark.parametrize("ends", ["killed", "raises"])
def test_a_program_that_ends_leaves_the_robot_held(robot: RobotProcess, ends: str) -> None:
    """Also if it is killed: a process beside it says so, and commands the hold."""
    command = [sys.executable, str(Path(__file__).with_name("program.py")), str(robot.port), ends]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert program.stdout is not None
    assert program.stdout.readline() == "driving\n"
    if ends == "killed":
        RealClock().sleep_until(0.1)
        assert not is_held(robot)
        program.kill()
    said = program.communicate(timeout=10.0)[1]
    assert is_held(robot)
    told = [message for _, _, message, _ in robot.ask()["diagnostics"]]
    assert told == ([ENDED] if ends == "killed" else [])
    assert (ENDED if ends == "killed" else "the program is wrong") in said


def test_a_robot_whose_driver_is_started_again_goes_on(robot: RobotProcess, plant: Ros2Plant) -> None:
    watched = monitor(plant)
    drive(watched, 0.05)
    robot.ask(fault="restart")
    drive(watched, 0.3)
    assert watched.fault is None


def test_a_program_started_against_nothing_says_what_it_waits_for(caplog: pytest.LogCaptureFixture) -> None:
    """While it waits, and when it gives up."""
    names = Ros2Names(router=f"tcp/127.0.0.1:{free_port()}")
    said = (
        "no sensor_msgs/msg/JointState on '/joint_states' tells of elbow, wrist; no Zenoh router answers at "
        rf"{names.router}; no nav_msgs/msg/Odometry on '/odom'"
    )
    with pytest.raises(Ros2Error, match=f"after 1.2 s there is no robot to command: {said}"):
        bare(names, wait=1.2)
    assert f"waiting for a robot: {said}" in caplog.text


@pytest.mark.parametrize(
    ("settings", "names", "said"),
    [
        ({"hash": "1" * 64}, {}, "with another definition of sensor_msgs/msg/JointState: its hash is RIHS01_1111"),
        ({"topic": "/arm/joint_states"}, {}, "nobody publishes '/joint_states'; of this type are /arm/joint_states"),
        ({"odometry": False}, {}, "no nav_msgs/msg/Odometry on '/odom'; nobody publishes '/odom'"),
        ({"domain": 7}, {}, "'/joint_states' is published in the domain 7, not 0"),
        ({}, {"joints": {"elbow": "ELBOW"}}, "tells of ELBOW, but of elbow"),
        (
            {},
            {"joint_states": ("/odom",), "base": None},
            "'/odom' is published as nav_msgs/msg/Odometry, not as sensor",
        ),
        ({}, {"base": Base(frame="map")}, "the place of the base in 'odom', and not in 'map'"),
    ],
)
def test_what_is_there_instead_is_told(settings: dict[str, Any], names: dict[str, Any], said: str) -> None:
    with arm(**settings) as robot, pytest.raises(Ros2Error, match=said):
        bare(robot.names(**names), wait=0.3)


def test_joints_may_be_driven_and_told_of_in_parts() -> None:
    """By positions and by trajectories, by other names, in another order, and by two who publish on one topic."""
    leg = Controller(COMMANDS, "positions", ("wrist",))
    controllers = {TRAJECTORY: ["ELBOW"], COMMANDS: ["wrist"]}
    settings = {"controllers": controllers, "split": 1, "order": "reversed", "velocities": False, "stamped": True}
    with RobotProcess(("ELBOW", "wrist"), [0.1, 0.2], [2.0, 2.0], clock=1000.0, **settings) as robot:
        names = robot.names(
            controllers=(Controller(TRAJECTORY, joints=("elbow",)), leg),
            joints={"elbow": "ELBOW"},
            base=Base(stamped=True, child_frame="base_link"),
        )
        with bare(names) as plant:
            drive(plant, 0.1, elbow=0.01)
            until(plant, 0.1)
            told = robot.ask()
            assert told["last"][COMMANDS]["positions"] == pytest.approx([0.2])
            assert plant.sense().q[3:] == pytest.approx([0.2, 0.2])
            assert plant.sense().v[3] == pytest.approx(0.0, abs=2.0)
            assert plant.offsets["/odom"] == pytest.approx(1000.0, abs=0.1)
            assert told["last"]["stamp"] == {"ahead": pytest.approx(0.0, abs=0.1), "frame": "base_link"}


def test_a_robot_without_a_base_is_not_driven() -> None:
    with arm(odometry=False) as robot, bare(robot.names(base=None)) as plant:
        q = plant.sense().q
        plant.apply(still(q), 0.01)
        q[0] += 0.1
        with pytest.raises(Ros2Error, match="the names have no base that is driven"):
            plant.apply(still(q), 0.01)


@pytest.mark.parametrize("wait", [0.0, -1.0, True, "long"])
def test_a_time_to_wait_is_a_number_above_zero(wait: Any) -> None:
    with pytest.raises(ParameterError, match="wait is a number of seconds above 0"):
        Ros2Plant(Arm(), wait=wait)


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(ParameterError, match="no Zenoh router can be at 'here'"):
        Ros2Plant(Arm(), Ros2Names(router="here"))


def test_without_zenoh_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zenoh", None)
    with pytest.raises(MissingDependencyError, match=r'pip install -e "\.\[ros2\]"'):
        Ros2Plant(Arm())


class TestContract(PlantContract):
    """Of a robot with a base and two joints that are driven; its clock goes on with the commands."""

    robot = load_robot("mannequin")
    driven = ("left_elbow", "neck_yaw")
    fixed = tuple(name for name in robot.joints[3:] if name not in ("left_elbow", "neck_yaw"))
    process: RobotProcess
    settles = 0.3
    repeats = False

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def driven_robot(cls) -> Iterator[None]:
        """One process for all tests, which begins anew for each plant."""
        index = [cls.robot.joints.index(name) for name in cls.driven]
        q, speed = cls.robot.posture("rest")[index].tolist(), cls.robot.velocity[index].tolist()
        with RobotProcess(cls.driven, q, speed, lockstep=cls.dt) as process:
            cls.process = process
            yield

    def make(self) -> Lockstep:
        self.process.ask(fault="none")
        rest = dict(zip(self.robot.joints, self.robot.posture("rest").tolist(), strict=True))
        return Lockstep(self.robot, self.process.names(fixed={name: rest[name] for name in self.fixed}))


@pytest.mark.parametrize("name", ["nao"])
def test_programs_run_as_they_are(name: str) -> None:
    """On any robot, and what they say has come about has."""
    robot = load_robot(name)
    can = ObjectModel("can", "object/graspable/can", (Shape("cylinder", (0.02, 0.1), np.eye(4)),), movable=True)
    X_WO = np.eye(4)
    X_WO[:3, 3] = 0.5 * robot.height, 0.1 * robot.height, 0.5 * robot.height
    with (
        RobotProcess.of(robot, lockstep=0.01) as process,
        Lockstep(robot, process.names()) as plant,
        connect(robot, plant, lambda: (Percept(can, X_WO),), real_time=False) as session,
    ):
        assert session.run(Postural(posture="ready")).success
        told, ready = process.ask()["q"], robot.posture("ready")
        for k in robot.indices("left_arm"):
            assert told[robot.joints[k]] == pytest.approx(ready[k], abs=0.02)
        outcome = session.run(Reach(object="can"))
        assert outcome.success, outcome
