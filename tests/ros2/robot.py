"""The robot of the benchmarks, in a process of its own, and a plant that waits for its answer to each command."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from taskmatrix.core import Command, JointState, RealClock, SimulatedClock
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.ros2 import Controller, Ros2Names, Ros2Plant
from taskmatrix.ros2.plant import Ros2Robot

from ..transports.test_zenoh_transport import free_port

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "ros2_robot.py"
TRAJECTORY = "/arm_controller/joint_trajectory"
COMMANDS = "/leg_controller/commands"


class RobotProcess:
    """A robot that speaks ROS 2, and shares no code with the plant."""

    def __init__(self, joints: Sequence[str], q: Sequence[float], speed: Sequence[float], **settings: Any) -> None:
        self.port = settings.setdefault("port", free_port())
        settings.setdefault("controllers", {TRAJECTORY: list(joints)})
        told = json.dumps({"joints": list(joints), "q": list(q), "speed": list(speed), **settings})
        command = [sys.executable, str(PROGRAM), told]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._line()

    @classmethod
    def of(cls, robot: Robot, **settings: Any) -> RobotProcess:
        """With the joints of a robot of the library's, in its rest posture."""
        return cls(robot.joints[3:], robot.posture("rest")[3:].tolist(), robot.velocity[3:].tolist(), **settings)

    def ask(self, **order: Any) -> dict[str, Any]:
        """Have it do something; what it was commanded until now."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        told: dict[str, Any] = json.loads(self._line())
        return told

    def kill(self) -> None:
        """From one moment to the next."""
        self._process.kill()
        self._process.wait(5.0)

    def names(self, **given: Any) -> Ros2Names:
        """What its topics are called."""
        given.setdefault("controllers", (Controller(TRAJECTORY),))
        return Ros2Names(router=f"tcp/127.0.0.1:{self.port}", **given)

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def __enter__(self) -> RobotProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.kill()
        self._process.wait(5.0)


class StepClock(SimulatedClock):
    """Time passes with the steps of a robot, and while somebody waits."""

    def sleep_until(self, when: float) -> float:
        RealClock().sleep_until(when - self.now())
        return super().sleep_until(when)

    def go_on(self, seconds: float) -> None:
        """Let time pass at once."""
        super().sleep_until(self.now() + seconds)


class Lockstep(Ros2Plant):
    """After each command it waits until the robot, for which time passes with commands only, has gone on."""

    def __init__(self, robot: Ros2Robot, names: Ros2Names) -> None:
        self.step_clock = StepClock()
        super().__init__(robot, names, guarded=False, clock=self.step_clock)

    def apply(self, command: Command, dt: float) -> None:
        before = self.sense().time or 0.0
        super().apply(command, dt)
        self.step_clock.go_on(dt)
        waits = RealClock()
        while (self.sense().time or 0.0) < before + dt / 2:
            assert waits.now() < 5.0, "the robot does not answer"


def still(q: Array) -> Command:
    """A command to be somewhere, at rest."""
    return Command(q.copy(), np.zeros(len(q)), np.zeros(len(q)))


def until(plant: Ros2Plant, seconds: float) -> JointState:
    """Let time pass on the machine's clock; what is sensed then."""
    RealClock().sleep_until(seconds)
    return plant.sense()
