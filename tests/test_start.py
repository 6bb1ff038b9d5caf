"""What a program loads before it needs it costs every user a moment at every start."""

from __future__ import annotations

import importlib
import importlib.metadata
import subprocess
import sys

import pytest

import taskmatrix

LATER = {  # what needs them imports them
    "IPython",
    "aiohttp",
    "matplotlib",
    "mcap",
    "mujoco",
    "nicegui",
    "numba.cuda",
    "orjson",
    "pandas",
    "pybullet",
    "rosbags",
    "scipy.interpolate",
    "scipy.ndimage",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.spatial",
    "scipy.special",
    "sphinx",
    "toppra",
    "zenoh",
    "zstandard",
}
COMMAND_LINE = {"PIL", "asyncio", "pebble", "rich", "typer"}
ENGINES = {"mcap", "mujoco", "pybullet", "rosbags", "taskmatrix.ros2", "taskmatrix.simulation.physics", "zenoh"}
RUN = "import taskmatrix as tm; from taskmatrix.behaviors import Postural; s = tm.simulate('nao'); "
COMPONENTS = {f"taskmatrix.core.{name}" for name in ("components", "remote", "robot.filters", "trees")}


@pytest.mark.parametrize(
    ("program", "later"),
    [
        ("import taskmatrix, taskmatrix.core", LATER | COMMAND_LINE | COMPONENTS | {"numpy", "py_trees"}),
        ("from taskmatrix import Machine, Parameter, TaskBehavior, on", LATER | COMMAND_LINE | COMPONENTS),
        ("from taskmatrix.core import Arbiter, Executive, SkillSet, pose", LATER | COMMAND_LINE | COMPONENTS),
        ("import taskmatrix.studio.cli.command_line", LATER),
        (
            "import taskmatrix.core, taskmatrix.studio.viewer.process",
            {"pinocchio", "coal", "numba", "taskmatrix.robots"},
        ),
        (f"{RUN} assert s.run(Postural(posture='ready', duration=0.5)).success", ENGINES),
    ],
)
def test_what_is_needed_later_is_loaded_later(program: str, later: set[str]) -> None:
    """In a fresh process."""
    command = [sys.executable, "-c", f"{program}; import sys; print(*sys.modules)"]
    told = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "taskmatrix.core" in (loaded := set(told.stdout.split()))
    assert sorted(later & loaded) == []


@pytest.mark.parametrize("face", ["taskmatrix", "taskmatrix.core", "taskmatrix.session", "taskmatrix.studio.drawing"])
def test_a_face_lists_what_it_has_not_loaded_yet(face: str) -> None:
    """All of it can be completed, and is there when it is asked for."""
    module = importlib.import_module(face)
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError, match="no attribute 'Behaviour'"):
        _ = module.Behaviour


def test_the_package_tells_its_version() -> None:
    """The one with which it was installed."""
    assert taskmatrix.__version__ == importlib.metadata.version("taskmatrix")
