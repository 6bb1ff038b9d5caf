"""The same program in a simulation, over the wire, and on the recordings of both."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("zenoh")
pytest.importorskip("rosbags")
pytestmark = pytest.mark.pages


def test_a_program_counts_over_the_wire_and_on_the_recording_of_it(tmp_path: Path) -> None:
    """It is judged by what the robot's process says was true, which the program does not see."""
    from one_program import measured  # noqa: PLC0415  # after the path is set

    run, log = measured("wire", "nao", 1, tmp_path, logs=True)
    assert run["success"], run["reason"]
    assert log["success"], log["reason"]


def test_the_judge_of_the_wire_is_no_yes_man() -> None:
    """A hand that is where it could take something does not pass."""
    from one_program import opened  # noqa: PLC0415  # likewise

    from taskmatrix.behaviors import Reach  # noqa: PLC0415

    with opened("wire", "nao", 1) as (session, witness, _):
        assert session.run(Reach(object="soda_can", duration=1.0)).success
        assert witness.verdict


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.3, -2.0, 3.0), (np.pi, 0.0, 0.0), (0.0, np.pi / 2, np.pi)])
def test_the_robots_process_tells_rotations_as_quaternions(turn: tuple[float, float, float]) -> None:
    """Of any angle."""
    from ros2_world import quaternion  # noqa: PLC0415  # likewise

    from taskmatrix.core.world.geometry import pose  # noqa: PLC0415

    R = pose(rpy=turn)[:3, :3]
    x, y, z, w = quaternion(R)
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    np.testing.assert_allclose(np.eye(3) + 2.0 * w * K + 2.0 * K @ K, R, atol=1e-12)
