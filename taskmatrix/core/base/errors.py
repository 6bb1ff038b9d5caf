"""Errors that a user's input can cause, and the helper that names the nearest valid name.

An error is raised for what the caller got wrong before anything ran; what goes wrong while a task runs is a
:class:`~taskmatrix.core.base.failure.Failure` instead::

    TaskMatrixError
    ├── NotFoundError            a name that does not exist
    ├── ParameterError           a parameter of the wrong type or out of range
    │   └── NoValueError         a parameter that has no value yet
    ├── ReservedNameError        a name of the library's that a class or an instance takes
    ├── RobotError               a robot's URDF or adapter is missing, malformed or inconsistent
    ├── WorldError               a world or object file is missing, malformed or inconsistent
    ├── MachineError             a machine's definition is inconsistent
    ├── ComponentError           a component's definition is inconsistent, or a step that cannot be
    ├── RecordingError           a file is no recording, or one that cannot be read
    ├── MissingDependencyError   an optional package is needed and not installed
    ├── ChainError               a command to joints that the sender does not own
    └── NotInvertibleError       a condition that cannot be asked for states that satisfy it
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_LONGEST = 200  # characters of a name that was not found
_MOST = 200  # names that are listed


class TaskMatrixError(Exception):
    """Base of all errors that the library raises on purpose."""


class NotFoundError(TaskMatrixError, KeyError):
    """A name that does not exist, with the names that do.

    Attributes:
        noun: What was looked up ("object", "robot", ...).
        name: The name that was not found.
        known: The names that exist.
    """

    def __init__(self, noun: str, name: str, known: Iterable[str], where: str = "") -> None:
        self.noun = noun
        self.name = name
        self.known = tuple(known)
        super().__init__(not_found(noun, name, self.known, where))

    def __str__(self) -> str:
        return str(self.args[0])


class ParameterError(TaskMatrixError, ValueError):
    """A parameter of the wrong type, out of its range, missing or unknown."""


class NoValueError(ParameterError):
    """A parameter that has no value yet."""


class ReservedNameError(TaskMatrixError, AttributeError):
    """A class defines, or an instance sets, what is a name of the library's."""


class RobotError(TaskMatrixError):
    """A robot's URDF or adapter is missing, malformed or inconsistent."""


class WorldError(TaskMatrixError):
    """A world or object file is missing, malformed or inconsistent."""


class MachineError(TaskMatrixError):
    """A machine's definition is inconsistent."""


class ComponentError(TaskMatrixError):
    """A component's definition is inconsistent, or it is stepped where that cannot be."""


class RecordingError(TaskMatrixError):
    """A file is no recording, or one that cannot be read."""


class MissingDependencyError(TaskMatrixError, ImportError):
    """An optional package is needed and not installed; the message says how to get it."""


class ChainError(TaskMatrixError):
    """A command to joints that the sender does not own."""


class NotInvertibleError(TaskMatrixError):
    """A condition that cannot be asked for states that satisfy it.

    Attributes:
        part: The condition, or the part of it, as it is written.
        why: Why not.
    """

    def __init__(self, part: str, why: str) -> None:
        self.part = part
        self.why = why
        super().__init__(f"{part} cannot be inverted: {why}")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The name that is most like another, if one is."""
    return next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.5)), None)


def how_to_install(extra: str) -> str:
    """The command that installs what an extra of this project brings; no package index has the project.

    Example:
        >>> how_to_install("view")
        'in a checkout of taskmatrix: pip install -e ".[view]"'
    """
    return f'in a checkout of taskmatrix: pip install -e ".[{extra}]"'


def not_found(noun: str, name: str, known: Iterable[str], where: str = "") -> str:
    """Say that a name does not exist, which does, and which is nearest.

    Names of parts, with a slash, come last, and are nearest to names with one only.

    Example:
        >>> not_found("object", "vacum", ["table", "vacuum"])
        "no object 'vacum'; did you mean 'vacuum'? There are: table, vacuum"
    """
    names = sorted(known, key=lambda each: ("/" in each, each))
    name = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."
    wholes = [each for each in names if "/" not in each]
    near = nearest(name, wholes if wholes and "/" not in name else names)
    hint = f"; did you mean '{near}'?" if near else "."
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    listed = ", ".join(names[:_MOST]) + more if names else "none"
    place = f" in {where}" if where else ""
    return f"no {noun} '{name}'{place}{hint} There are: {listed}"
