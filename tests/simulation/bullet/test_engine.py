from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.robots.capabilities import GRAVITY
from taskmatrix.simulation.bullet.engine import Engine

pytestmark = pytest.mark.pictures
BALL = """<robot name="ball"><link name="ball">
  <inertial><mass value="{mass}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
</link></robot>"""


def ball(engine: Engine, mass: float = 1.0) -> int:
    def write(folder: Path) -> Path:
        file = folder / "ball.urdf"
        file.write_text(BALL.format(mass=mass))
        return file

    return engine.load(write)


def test_what_is_loose_falls(engine: Engine) -> None:
    """By half g t^2 and a step's share, with the damping off."""
    body, dt = ball(engine), 1 / 240
    engine.set(body, linearDamping=0.0)
    engine.put(body, pose((0, 0, 10)))
    for _ in range(240):
        engine.step(dt)
    height = engine("getBasePositionAndOrientation", body)[0][2]
    assert 10 - height == pytest.approx(GRAVITY * (1 + dt) / 2, rel=1e-6)


def test_files_of_one_name_are_read_each_time(engine: Engine) -> None:
    """PyBullet would remember the first."""
    masses = [engine("getDynamicsInfo", ball(engine, mass), -1)[0] for mass in (1.0, 2.0)]
    assert masses == [1.0, 2.0]


def test_what_is_put_somewhere_is_there_with_its_velocity(engine: Engine) -> None:
    """And at rest unless one is given."""
    body = ball(engine)
    X = pose((1, 2, 3), (0.1, -0.2, 0.3))
    engine.put(body, X, np.arange(6.0))
    place, turn = engine("getBasePositionAndOrientation", body)
    np.testing.assert_allclose(place, X[:3, 3])
    np.testing.assert_allclose(np.reshape(engine.bullet.getMatrixFromQuaternion(turn), (3, 3)), X[:3, :3], atol=1e-9)
    np.testing.assert_allclose(np.concatenate(engine("getBaseVelocity", body)), np.arange(6.0))
    engine.put(body, X)
    np.testing.assert_array_equal(np.concatenate(engine("getBaseVelocity", body)), 0.0)


def test_worlds_do_not_know_of_each_other(engine: Engine) -> None:
    """Each has its own client, and may be ended twice."""
    other = Engine(10)
    ball(other)
    assert engine("getNumBodies") == 1
    assert other("getNumBodies") == 2
    other.close()
    other.close()
    assert engine("getNumBodies") == 1
