# ruff: noqa: E501  # one case a line, with its whole message
"""Motions kept as data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from scipy.interpolate import CubicSpline

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import Robot
from taskmatrix.robots.keyframes import read_motions


def test_every_robot_can_wave_its_right_arm(robot: Robot) -> None:
    """`wave` repeats, starts in the posture `wave_ready_right`, and moves joints of the right arm only."""
    wave = robot.motions["wave"]
    assert wave.periodic
    start = robot.posture("wave_ready_right")
    for joint, track in wave.keyframes.items():
        i = robot.joints.index(joint)
        assert i in robot.chains["right_arm"]
        assert track[0][1] == pytest.approx(start[i], abs=0.01)


def test_motions_keep_the_limits_of_velocity_and_acceleration(robot: Robot) -> None:
    """Played as smooth curves through their keyframes, motions stay below the robot's limits."""
    for motion in robot.motions.values():
        for joint, track in motion.keyframes.items():
            i = robot.joints.index(joint)
            times, positions = np.array(track).T
            curve = CubicSpline(times, positions, bc_type="periodic" if motion.periodic else "clamped")
            t = np.linspace(0.0, motion.duration, 200)
            assert np.abs(curve(t, 1)).max() < robot.velocity[i]
            assert np.abs(curve(t, 2)).max() < robot.acceleration[i]


def test_a_waving_robot_does_not_touch_itself(robot: Robot) -> None:
    """At all keyframes of all motions the robot is free of contact."""
    data, geometry_data = robot.model.createData(), robot.collision_data()
    for motion in robot.motions.values():
        for t in np.linspace(0.0, motion.duration, 17):
            q = robot.posture("stand")
            for joint, track in motion.keyframes.items():
                q[robot.joints.index(joint)] = np.interp(t, *np.array(track).T)
            assert not pin.computeCollisions(robot.model, data, robot.collision, geometry_data, robot.expand(q), True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[wave]", r"wave\.joints: at least one joint is needed"),
        ("[wave.joints]", r"wave\.joints: at least one joint is needed"),
        ("[wave.joints]\na = [[0, 0], [1]]", r"wave\.joints\.a: expected pairs \[time, position\], got \[1\]"),
        ("[wave.joints]\na = [[0, 0], [0, 1]]", r"wave\.joints\.a: two or more keyframes are needed, from 0 s on"),
        ("[wave.joints]\na = [[0.5, 0], [1, 1]]", r"wave\.joints\.a: two or more keyframes are needed, from 0 s on"),
        ("[wave.joints]\na = [[0, 0], [1, 1]]\nb = [[0, 0], [2, 1]]", r"wave\.joints: all joints must end at the same time"),
        ("[wave]\nperiodic = true\n[wave.joints]\na = [[0, 0], [1, 1]]", r"wave\.joints\.a: a periodic motion must end where it starts"),
        ("[wave]\nspeed = 1\n[wave.joints]\na = [[0, 0], [1, 1]]", r"wave\.speed: no key 'speed'"),
    ],
)  # fmt: skip
def test_malformed_motions_are_named(tmp_path: Path, text: str, message: str) -> None:
    """File, key and what is wrong are in the error."""
    path = tmp_path / "motions.toml"
    path.write_text(text)
    with pytest.raises(RobotError, match=r"motions\.toml: " + message):
        read_motions(path)


def test_a_robot_without_motions_has_none(tmp_path: Path) -> None:
    """The file may be missing."""
    assert read_motions(tmp_path / "motions.toml") == {}
