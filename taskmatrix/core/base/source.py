"""Lines of a user's source, so that a mistake is shown where it was written."""

from __future__ import annotations

import linecache
import os
import sys
from dataclasses import dataclass

from .errors import ComponentError, MachineError


@dataclass(frozen=True)
class SourceLine:
    """Where something was written."""

    file: str
    """Its path, as Python knows it."""
    number: int
    """Number of the line, from 1."""

    def __str__(self) -> str:
        """``kitchen.py:12: reach = State(Reach)``; without the text where the source cannot be read."""
        inside = os.path.abspath(self.file).startswith(os.getcwd() + os.sep)
        path = os.path.relpath(self.file) if inside else self.file
        text = linecache.getline(self.file, self.number).strip()
        return f"{path}:{self.number}: {text}" if text else f"{path}:{self.number}"


def caller() -> SourceLine:
    """The line that calls the function which asks."""
    frame = sys._getframe(2)
    return SourceLine(frame.f_code.co_filename, frame.f_lineno)


def mistake(
    message: str, *lines: SourceLine, error: type[MachineError] | type[ComponentError] = MachineError
) -> MachineError | ComponentError:
    """An error in the definition of a machine or a component that shows the lines which are wrong."""
    return error("".join([message, *(f"\n  {line}" for line in dict.fromkeys(lines))]))
