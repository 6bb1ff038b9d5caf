"""Robots over the wire of ROS 2: how long a command takes there and back, what is lost, and what faults lead to.

    python benchmarks/ros2.py --seconds 600 --faults 200 --json ros2.json

The robot is a process of its own that shares no code with the plant, see ``ros2_robot.py``. It answers each command at
once with its joint states. At 500 Hz, beside a process that keeps a core busy, a round trip is from the call that
commands until the answer to that very command is sensed; an answer that has not come after 2 s is lost. Numbers of
messages tell on both sides what else was.

Then one thing after another goes wrong while the robot is driven at 100 Hz. A fault is

    named   the run ends as a failure of kind ``plant`` whose words are those that this fault has to have
            (of a killed program, a diagnostic says so), and the last command that the robot has heard is a hold;
            a killed robot hears nothing any more
    wrong   anything else
"""

from __future__ import annotations

import json
import multiprocessing
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix.core import Command
from taskmatrix.core.base.failure import FailedError
from taskmatrix.core.robot.plant_monitor import PlantMonitor
from taskmatrix.ros2 import Controller, Ros2Names, Ros2Plant

ROBOT = Path(__file__).with_name("ros2_robot.py")
TOPIC = "/arm/joint_trajectory"
JOINTS = tuple(f"joint_{k}" for k in range(30))
PERIOD, STEP = 0.002, 0.01  # [s] of round trips, and of the runs with faults
GIVEN_UP = 2.0  # [s]
FAULTS: dict[str, tuple[str, Any, str]] = {
    "silence": ("silence", True, "'/joint_states' is silent"),
    "no odometry": ("no odometry", True, "'/odom' is silent"),
    "stamps stand still": ("frozen", True, "is stale|stale: they are of"),
    "no number": ("nan", "joint_7", "joint_7 is nan"),
    "a joint jumps": ("jump", {"joint_3": 0.7}, "joint_3 is sensed to jump"),
    "the base jumps": ("skid", 0.8, "base_x is sensed to jump"),
    "reordering": ("reordered", True, "come out of order"),
    "clock set forward": ("clock", 3.0, r"clock of who publishes .* was set by \+"),
    "clock set back": ("clock", -3.0, "clock of who publishes .* was set by -"),
    "wrong type hash": ("hash", "0" * 64, "another definition of sensor_msgs/msg/JointState"),
    "torn bytes": ("torn", True, "is no sensor_msgs/msg/JointState"),
    "wrong frame": ("frame", "map", "in 'map', and not in 'odom'"),
    "emergency stop": ("pressed", True, "emergency stop is pressed"),
    "killed program": ("program", True, "ended without closing its plant; the robot was told to hold"),
    "killed robot": ("kill", True, "is silent.*no Zenoh router answers"),
}


class Robot:
    """The robot's process.

    Attributes:
        joints: Names, of the base as well.
        velocity: Limits.
        rolls: Whether the base cannot go sideways.
    """

    joints = ("base_x", "base_y", "base_yaw", *JOINTS)
    velocity = np.array([0.6, 0.6, 1.0, *[2.0] * len(JOINTS)])
    rolls = False

    def __init__(self, **settings: Any) -> None:
        with socket.socket() as asked:
            asked.bind(("127.0.0.1", 0))
            self.port = int(asked.getsockname()[1])
        told: dict[str, Any] = {
            "joints": JOINTS,
            "q": [0.0] * len(JOINTS),
            "speed": [1e9 if settings else 2.0] * len(JOINTS),
        }
        told |= {"controllers": {TOPIC: JOINTS}, "port": self.port, **settings}
        command = [sys.executable, str(ROBOT), json.dumps(told)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
        self._line()

    def connect(self) -> Ros2Plant:
        """A plant that commands it."""
        names = Ros2Names((Controller(TOPIC),), router=f"tcp/127.0.0.1:{self.port}", stop_pressed="/stop_pressed")
        return Ros2Plant(self, names, guarded=False)

    def ask(self, **order: Any) -> dict[str, Any]:
        """Have it do something; what it was commanded."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        told: dict[str, Any] = json.loads(self._line())
        return told

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait(5.0)

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


def busy() -> None:
    """Keep a core busy."""
    while True:
        pass


def trips(seconds: float, console: Console) -> dict[str, Any]:
    """Round trips at 500 Hz beside a busy core."""
    other = multiprocessing.get_context("spawn").Process(target=busy, daemon=True)
    other.start()
    robot = Robot(answers=True)
    took, unanswered, late = [], 0, 0
    try:
        with robot.connect() as plant:
            q = plant.sense().q.copy()
            began = time.perf_counter()
            for k in range(round(seconds / PERIOD)):
                due = began + k * PERIOD
                while (now := time.perf_counter()) < due:
                    time.sleep(min(due - now, PERIOD))
                late += now - due > PERIOD
                q[3:] = 1e-6 * (k + 1)
                sent = time.perf_counter()
                plant.apply(Command(q.copy(), np.zeros(len(q)), np.zeros(len(q))), PERIOD)
                while plant.sense().q[3] != q[3] and time.perf_counter() - sent < GIVEN_UP:
                    time.sleep(2e-5)
                took.append(time.perf_counter() - sent)
                unanswered += took[-1] >= GIVEN_UP
                if k % round(30.0 / PERIOD) == 0:
                    console.print(f"{k * PERIOD:.0f} s of round trips", style="dim")
            lost = plant.lost
        told = robot.ask()
    finally:
        other.kill()
        robot.end()
    median, p99, worst = np.percentile(took, (50, 99, 100)).tolist()
    return {
        "trips": len(took),
        "median": median,
        "p99": p99,
        "worst": worst,
        "late": late,
        "unanswered": unanswered,
        "lost states": lost,
        "lost commands": told["lost"],
    }


def drive(port: int, ready: Connection[Any, Any]) -> None:
    """Drive the robot until this process is killed."""
    names = Ros2Names((Controller(TOPIC),), router=f"tcp/127.0.0.1:{port}")
    plant = Ros2Plant(cast("Any", Robot), names)
    q = plant.sense().q.copy()
    ready.send("drives")
    while True:
        q[0] += 0.002
        q[3:] += 0.003
        plant.apply(Command(q.copy(), np.full(len(q), 0.3), np.zeros(len(q))), STEP)
        time.sleep(STEP)
        plant.sense()


def kill_program(robot: Robot, after: int) -> tuple[str, str]:
    """Kill a program that drives the robot, after some control steps, and judge."""
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    program = context.Process(target=drive, args=(robot.port, theirs), daemon=True)
    program.start()
    pipe.recv()
    time.sleep(after * STEP)
    program.kill()
    program.join(5.0)
    time.sleep(1.0)
    told = robot.ask()
    said = "; ".join(message for _, _, message, _ in told["diagnostics"])
    if not re.search(FAULTS["killed program"][2], said):
        return "wrong", f"said: {said or 'nothing'}"
    return ("named", said) if holds(told["last"]) else ("wrong", "the last command is no hold")


def strike(robot: Robot, name: str, after: int) -> tuple[str, str]:
    """Drive the robot, have something go wrong after some control steps, and judge; the verdict, and what was said."""
    fault, value, said = FAULTS[name]
    if fault == "program":
        return kill_program(robot, after)
    with robot.connect() as plant:
        watched = PlantMonitor(plant, robot.joints, robot.velocity, {}, STEP)
        q, began, message = watched.sense().q.copy(), time.perf_counter(), ""
        try:
            for k in range(after + 150):
                if k == after and fault == "kill":
                    robot.end()
                elif k == after:
                    robot.ask(**({"pressed": True} if fault == "pressed" else {"fault": fault, "value": value}))
                q[0] += 0.002
                q[3:] += 0.003
                watched.apply(Command(q.copy(), np.full(len(q), 0.3), np.zeros(len(q))), STEP)
                time.sleep(max(began + (k + 1) * STEP - time.perf_counter(), 0.0))
                watched.sense()
        except FailedError as error:
            message = error.failure.explain()
        time.sleep(0.05)
        held = fault == "kill" or holds(robot.ask()["last"])  # nobody is there any more who could hold
    if not re.search(said, message):
        return "wrong", f"said: {message or 'nothing'}"
    return ("named", message) if held else ("wrong", "the last command is no hold")


def holds(last: dict[str, Any]) -> bool:
    """Whether the last commands that were heard are a hold."""
    return last["/cmd_vel"] == [0.0] * 6 and not any(last[TOPIC]["velocities"])


def campaign(faults: int, console: Console) -> list[dict[str, Any]]:
    """Faults in turn, each at another instant."""
    robot, rng, results = Robot(), np.random.default_rng(1), []
    for k in range(faults):
        name = list(FAULTS)[k % len(FAULTS)]
        if robot.process.poll() is not None:
            robot = Robot()
        robot.ask(fault="none")
        verdict, said = strike(robot, name, int(rng.integers(5, 40)))
        results.append({"fault": name, "verdict": verdict, "said": said})
        if verdict == "wrong":
            console.print(f"{name}: {said}")
        if k % 20 == 0:
            console.print(f"{k} of {faults} faults", style="dim")
    robot.end()
    return results


def measure(
    seconds: Annotated[float, typer.Option(help="Of round trips.", min=0.0)] = 60.0,
    faults: Annotated[int, typer.Option(help="How many faults, of all kinds in turn.", min=0)] = 56,
    json_file: Json = None,
) -> None:
    """Measure and report."""
    console, found = Console(width=160), dict[str, Any]()
    if seconds:
        found["trips"] = figures = trips(seconds, console)
        table = Table("trips", "median [ms]", "99 % [ms]", "worst [ms]", "late", "unanswered", "lost states")
        table.title = "there and back at 500 Hz, 30 joints and a base, beside a busy core"
        table.add_column("lost commands")
        times = [f"{1e3 * figures[name]:.2f}" for name in ("median", "p99", "worst")]
        counts = [str(figures[name]) for name in ("late", "unanswered", "lost states", "lost commands")]
        table.add_row(str(figures["trips"]), *times, *counts)
        console.print(table)
    if faults:
        found["faults"] = results = campaign(faults, console)
        named, all = (
            Counter(each["fault"] for each in chosen)
            for chosen in ([each for each in results if each["verdict"] == "named"], results)
        )
        table = Table("fault", "injected", "named, and held", title="what went wrong")
        for name in all:
            table.add_row(name, str(all[name]), str(named[name]))
        table.add_row("all", str(all.total()), str(named.total()))
        console.print(table)
    if json_file:
        json_file.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(measure)
