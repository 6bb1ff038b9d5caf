"""A program that drives a robot until it is killed; started by ``test_plant``, with the port of the robot."""

from __future__ import annotations

import sys

import numpy as np

from taskmatrix.core import Command, RealClock
from taskmatrix.ros2 import Controller, Ros2Names, Ros2Plant


class Arm:
    """A robot of two joints, on wheels."""

    joints = ("base_x", "base_y", "base_yaw", "elbow", "wrist")
    velocity = np.array([0.6, 0.6, 1.0, 2.0, 2.0])
    rolls = False


def run(port: str, ends: str) -> None:
    """Drive, and raise after half a second if it is to end by that."""
    names = Ros2Names((Controller("/arm_controller/joint_trajectory"),), router=f"tcp/127.0.0.1:{port}")
    plant, clock = Ros2Plant(Arm(), names), RealClock()
    q, step = plant.sense().q, 0
    print("driving", flush=True)
    while True:
        step += 1
        q = q + np.array([0.002, 0.0, 0.0, 0.002, 0.0])
        plant.apply(Command(q, np.array([0.2, 0.0, 0.0, 0.2, 0.0]), np.zeros(5)), 0.01)
        clock.sleep_until(clock.now() + 0.01)
        plant.sense()
        if step == 20 and ends == "raises":
            raise RuntimeError("the program is wrong")


if __name__ == "__main__":
    run(*sys.argv[1:])
