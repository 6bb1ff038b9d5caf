"""What a recording says of the run: everything that it takes to have the same run again."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taskmatrix.studio.session import Session

FORMAT = 1
"""Of recordings; goes up when what reads them has to change."""
PACKAGES = ("numpy", "scipy", "pin", "coal", "ompl", "daqp", "py_trees", "numba", "pybullet")
"""On whose versions a run may depend."""


def header(session: Session, command: str = "") -> dict[str, object]:
    """What there is to know of a session before anything runs.

    Args:
        session: The session.
        command: What was typed, if it was; see :func:`~taskmatrix.studio.recorded.as_typed`.

    Returns:
        Plain data, without names of people and machines, and without paths of folders.
    """
    robot, world = session.robot, session.world
    return {
        "format": FORMAT,
        "taskmatrix": _version("taskmatrix"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": {name: found for name in PACKAGES if (found := _version(name))},
        "command": command,
        "robot": robot.name,
        "world": world.name,
        "seed": session.seed,
        "dt": session.context.dt,
        **{key: _word(value) for key, value in session.given.items()},
        "furniture_scale": world.furniture_scale,
    }


def _word(value: object) -> object:
    """A setting: names, numbers and lists of numbers as they are, what else as the name of its class."""
    if isinstance(value, (str, Path)):
        return Path(value).name if Path(value).is_absolute() else str(value)
    if value is None or isinstance(value, (int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return list(value)
    if isinstance(value, Mapping):
        return {str(key): _word(item) for key, item in value.items()}
    return str(getattr(value, "name", type(value).__name__))


def _version(package: str) -> str:
    """The version of an installed package; nothing if it is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
