"""What a recording says of the run: everything that it takes to have the same run again."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world import World

FORMAT = 2
"""Of recordings; goes up when what reads them has to change."""
PACKAGES = ("numpy", "scipy", "pin", "coal", "ompl", "daqp", "py_trees", "numba", "pybullet", "mujoco")
"""On whose versions a run may depend."""


def header(
    robot: Robot, world: World, seed: int, dt: float, settings: Mapping[str, object], command: str = ""
) -> dict[str, object]:
    """What there is to know of a session before anything runs.

    Args:
        robot: The robot.
        world: The world, as sampled.
        seed: Of everything random.
        dt: [s] The control step.
        settings: Whatever else it takes to have the run again, as plain data.
        command: What was typed, if it was; see :func:`~taskmatrix.studio.cli.recording_command.as_typed`.

    Returns:
        Plain data, without names of people and machines, and without paths of folders.
    """
    return {
        "format": FORMAT,
        "taskmatrix": _version("taskmatrix"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
        "command": command,
        "robot": robot.name,
        "world": world.name,
        "seed": seed,
        "dt": dt,
        **settings,
        "furniture_scale": world.furniture_scale,
    }


def _version(package: str) -> str:
    """The version of an installed package; nothing if it is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
