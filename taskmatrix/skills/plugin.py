"""What a robot does in a way of its own: code that its adapter names in place of the library's.

``[skills]`` of an adapter gives, as ``module:name``, what can be imported: from the package that brings the robot, or
from the folder in which the adapter's own folder is:

- ``inverse_kinematics``: a function of the robot that returns an :class:`ArmSolver`;
- ``skill_set``: a subclass of :class:`~taskmatrix.skills.skillset.PinocchioSkills`, whose methods are the skills.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot


class ArmSolver(Protocol):
    """Inverse kinematics of a hand's arm, in closed form say."""

    def __call__(self, hand: str, X_WH: Array, Q: Array) -> Array:
        """Configurations in which a hand is at poses, as near as that can be told.

        What is left is up to the library, which descends from there to the pose: a solution within the limits is taken
        as it is, in no step at all; anything else is no worse than a guess.

        Args:
            hand: Its name.
            X_WH: (b, 4, 4) Poses of its grasp frame.
            Q: (b, n) Where the base, the torso and the arm are, for each.

        Returns:
            (b, n) The same with the arm put at the pose; rows as they were where it cannot be.
        """
        ...


def load_plugin(robot: Robot, key: str) -> Callable[..., object] | None:
    """What a robot's adapter names for a skill; None if it names nothing.

    Raises:
        RobotError: It cannot be imported, or called.
    """
    if key not in robot.plugins:
        return None
    name = robot.plugins[key]
    try:
        with _importable(robot.folder.parent):
            found = pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise RobotError(f"{robot.source}: skills.{key}: '{name}' is not to be found: {error}") from error
    if not callable(found):
        raise RobotError(f"{robot.source}: skills.{key}: '{name}' is a {type(found).__name__}, and cannot be called")
    skill: Callable[..., object] = found
    return skill


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let what is in a folder be imported, after what is installed: a robot may have its code beside its adapter."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
