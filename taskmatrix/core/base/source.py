"""Lines of a user's source, so that a mistake is shown where it was written."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from types import FrameType

from .errors import MachineError, TaskMatrixError

LIBRARY = str(Path(__file__).parents[2]) + os.sep
CORE = str(Path(__file__).parents[1]) + os.sep


@dataclass(frozen=True)
class SourceLine:
    """Where something was written."""

    file: str
    """Its path, as Python knows it."""
    number: int
    """Number of the line, from 1."""

    @property
    def path(self) -> str:
        """Of the file: from the working folder, if it lies below that."""
        inside = os.path.abspath(self.file).startswith(os.getcwd() + os.sep)
        return os.path.relpath(self.file) if inside else self.file

    def __str__(self) -> str:
        """``kitchen.py:12: reach = State(Reach)``; without the text where the source cannot be read."""
        text = linecache.getline(self.file, self.number).strip()
        return f"{self.path}:{self.number}: {text}" if text else f"{self.path}:{self.number}"


def caller() -> SourceLine:
    """The line outside of this room that led to the question."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(CORE) and frame.f_back is not None:
        frame = frame.f_back
    return SourceLine(frame.f_code.co_filename, frame.f_lineno)


def written_at(value: object) -> list[SourceLine]:
    """The line where a function, a property, a state or the like is defined, if that is known."""
    function = inspect.unwrap(value.fget if isinstance(value, property) else value)  # type: ignore[arg-type]
    if inspect.isfunction(function):
        return [SourceLine(function.__code__.co_filename, function.__code__.co_firstlineno)]
    line = inspect.getattr_static(value, "line", None)
    return [line] if isinstance(line, SourceLine) else []


def raised_at(error: BaseException) -> SourceLine | None:
    """The line where an exception was raised: the last one of the user's own code, if any of that had a part in it.

    Else it is the last one of the library's rooms but this, or else of Python and of installed packages.
    """
    lines = [SourceLine(_file(frame), number) for frame, number in walk_tb(error.__traceback__)]
    lines = [line for line in lines if not line.file.startswith(CORE)]
    packages = ("stdlib", "platstdlib", "purelib", "platlib")
    installed = ("<frozen", *(sysconfig.get_path(name) + os.sep for name in packages))
    library = [line for line in lines if line.file.startswith(LIBRARY)]
    own = [line for line in lines if line not in library and not line.file.startswith(installed)]
    return next(reversed(own or library or lines), None)


def _file(frame: FrameType) -> str:
    """Where the code of a frame is written; what a dataclass generates, where that is."""
    file = frame.f_code.co_filename
    return str(frame.f_globals.get("__file__", file)) if file == "<string>" else file


def mistake(message: str, *lines: SourceLine, error: type[TaskMatrixError] = MachineError) -> TaskMatrixError:
    """An error in a definition, of a machine unless given, that shows the lines which are wrong."""
    return error("".join([message, *(f"\n  {line}" for line in dict.fromkeys(lines))]))
