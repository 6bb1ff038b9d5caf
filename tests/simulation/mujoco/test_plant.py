from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import MissingDependencyError
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.robots.mjcf.compiled import import_mujoco
from taskmatrix.simulation.mujoco import MujocoPlant
from taskmatrix.simulation.scenes.world import GAP, World

from ..physics.scenes import ball, box, hold, poses, robot, world_of
from ..physics.test_grip import between_the_fingers, wide

ASIMO = robot("asimo")


def holding(found: Robot) -> tuple[MujocoPlant, Array]:
    """A plant whose left hand holds a ball, which nothing else carries."""
    q = wide(found)
    made = MujocoPlant(found, between_the_fingers(found, q), q)
    made.attach("left", "ball")
    hold(made, q, 1.5)
    made.remove("post")
    return made, q


@pytest.fixture(scope="module")
def held() -> Iterator[tuple[MujocoPlant, Array]]:
    made, q = holding(ASIMO)
    with closing(made):
        yield made, q


def few() -> World:
    """A box and a ball on the floor."""
    things = {
        "box": (box("box", (0.1, 0.1, 0.1)), pose((2.0, 0.0, 0.05 + GAP))),
        "ball": (ball("ball", 0.05), pose((2.0, 1.0, 0.05 + GAP))),
    }
    return world_of(things)


def test_what_is_held_does_not_creep(held: tuple[MujocoPlant, Array]) -> None:
    """MuJoCo's friction alone lets it slide; pads keep it."""
    made, q = held
    hold(made, q, 0.4)
    before = poses(made)["ball"]
    hold(made, q, 5.0)
    np.testing.assert_allclose(poses(made)["ball"], before, atol=5e-4)


def test_what_is_absent_waits_and_comes_back() -> None:
    """It does not fall for ever; put back, it stands on the floor again."""
    found = robot("mannequin")
    q = found.posture(found.stance)
    with closing(MujocoPlant(found, few(), q)) as made:
        made.remove("box")
        hold(made, q, 0.5)
        assert "box" not in poses(made)
        made.add("box", pose((1.0, 1.0, 0.05 + GAP)))
        hold(made, q, 0.5)
        np.testing.assert_allclose(poses(made)["box"][:3, 3], (1.0, 1.0, 0.05 + GAP), atol=1e-3)


def test_without_it_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingDependencyError, match=r'pip install -e "\.\[mujoco\]"'):
        import_mujoco('sim="mujoco"')


def test_its_warnings_are_logged_and_no_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A simulation that diverges, say."""
    monkeypatch.chdir(tmp_path)
    mujoco = import_mujoco('sim="mujoco"')
    text = '<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qvel[:] = 1e200
    mujoco.mj_step(model, data)
    assert "The simulation is unstable" in caplog.text
    assert list(tmp_path.iterdir()) == []
