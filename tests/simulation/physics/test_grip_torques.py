"""With which torques a hand closes on something, told to a body that only writes them down."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.adoption import propose, write
from taskmatrix.simulation.physics.grip import BRAKES, Grip
from taskmatrix.simulation.physics.presets import PRESETS
from tests.robots.adoption.made import thumbed_arm

DT = 1 / 240


class Written:
    """A body whose links touch nothing."""

    def __init__(self, robot: Robot) -> None:
        self.link_of = robot.model.getFrameId
        self.torques: Any = None

    def links_that_touch(self, hand: str) -> set[int]:
        return set()

    def contacts(self, links: set[int]) -> list[object]:
        return []

    def renew(self, object: str, links: set[int]) -> None:
        pass

    def squeeze(self, joints: Any, speeds: Any, torques: Any) -> None:
        self.torques = dict(zip(joints.tolist(), torques.tolist(), strict=True))


@pytest.fixture
def closing(tmp_path: Path) -> tuple[Robot, Written, Grip]:
    (tmp_path / "hand.urdf").write_text(thumbed_arm())
    write(propose(tmp_path / "hand.urdf"), tmp_path / "hand")
    robot = load_robot(tmp_path / "hand")
    body = Written(robot)
    return robot, body, Grip(cast(Any, body), robot, "only", "can", PRESETS["default"], 10.0)


def test_what_turns_a_thumb_holds_while_the_fingers_close(closing: tuple[Robot, Written, Grip]) -> None:
    """It does not close, and would be pushed away if it were limp."""
    robot, body, grip = closing
    n = np.zeros(robot.n)
    grip.drive(robot.posture(robot.stance), n, n, n + 0.005, n + 10.0, DT)
    still = body.torques[robot.joints.index("thumb_turn")]
    assert still > 0.0
    assert still == pytest.approx(max(body.torques.values()))


def test_a_finger_that_is_too_fast_is_braked_as_a_motor_can(closing: tuple[Robot, Written, Grip]) -> None:
    """Also where the model gives its motor an effort of 1e9, which stands for none."""
    robot, body, grip = closing
    n, q = np.zeros(robot.n), robot.posture(robot.stance)
    grip._stand = q[grip.joints].copy()
    v = n.copy()
    v[grip.joints] = 1.1 * robot.velocity[grip.joints]
    for effort in (1.0, 1e9):
        grip.drive(q, v, n, n + 0.005, n + effort, DT)
        for joint, torque in body.torques.items():
            assert torque == pytest.approx(min(effort, BRAKES * 0.005 * robot.velocity[joint] / DT))
