"""From an adapter (``robot.toml``) to a robot, with every inconsistency found before anything moves."""

from __future__ import annotations

import copyreg
import importlib.metadata
from pathlib import Path

from taskmatrix.core.base.errors import NotFoundError, ParameterError, RobotError
from taskmatrix.core.base.tables import read_table

from ..robot import Robot
from .adapter import build_robot

FOLDER = Path(__file__).parents[1]
GROUP = "taskmatrix.robots"
"""Entry points by which other packages add robots: the value is a path, or a function that returns one."""


def load_robot(name_or_path: str | Path) -> Robot:
    """Load a robot.

    Args:
        name_or_path: One of :func:`robot_names`, or the path of a ``robot.toml`` or of the folder with it.

    Raises:
        NotFoundError: There is no robot of this name.
        ParameterError: It is neither a name nor a path.
        RobotError: The URDF or the adapter is missing, malformed or inconsistent.
        MissingDependencyError: The robot is part of a package that is not installed.
    """
    return build_robot(find_adapter(name_or_path))


def robot_names() -> tuple[str, ...]:
    """Names of the robots that come with the library or with installed packages, in alphabetical order."""
    return tuple(sorted({**_own(), **_plugged()}))


def robot_descriptions() -> dict[str, str]:
    """One line about each robot, by name; reads only the adapters."""
    return {name: read_table(find_adapter(name), RobotError).get("description", str, "") for name in robot_names()}


def find_adapter(name_or_path: str | Path) -> Path:
    """The adapter file that a name or a path means; errors as in :func:`load_robot`."""
    if not isinstance(name_or_path, (str, Path)):
        raise ParameterError(f"a robot is a name or a path, not {type(name_or_path).__name__}")
    text = str(name_or_path)
    own = _own()
    if text in own:
        return own[text]
    plugged = _plugged()
    if text in plugged:
        return _adapter(Path(_value(plugged[text])))
    path = Path(text)
    if path.suffix == ".toml" or path.exists() or len(path.parts) > 1:
        return _adapter(path)
    raise NotFoundError("robot", text, [*own, *plugged])


def _adapter(path: Path) -> Path:
    path = (path / "robot.toml" if path.is_dir() else path).resolve()
    if not path.is_file():
        raise RobotError(f"{path}: the adapter file does not exist")
    return path


def _own() -> dict[str, Path]:
    return {path.parent.name: path.resolve() for path in sorted(FOLDER.glob("*/robot.toml"))}


def _plugged() -> dict[str, importlib.metadata.EntryPoint]:
    """Robots of other packages, by name."""
    return {entry.name: entry for entry in importlib.metadata.entry_points(group=GROUP)}


def _value(entry: importlib.metadata.EntryPoint) -> str | Path:
    """The path that an entry point gives, or the function that it names."""
    loaded = entry.load()
    value = loaded() if callable(loaded) else loaded
    if not isinstance(value, str | Path):
        raise RobotError(f"the entry point '{entry.name}' of '{GROUP}' must give a path, it gives {value!r}")
    return value


copyreg.pickle(Robot, lambda robot: (load_robot, (robot.source,)))  # a copy in another process is loaded there
