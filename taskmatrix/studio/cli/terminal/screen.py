"""Where to print, and lines that are broken so that they read well."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.text import Text

from taskmatrix.core.base.errors import TaskMatrixError

_UNWRAPPED = 10_000  # columns where nobody looks at a screen
FEWEST = 20  # columns that a text has, however far in it stands
WIDE = 90  # columns from which on there is room for two


def console(stderr: bool = False, quiet: bool = False) -> Console:
    """Where to print; lines are broken at the width of a terminal, and not at all in a file or a pipe.

    Colors are left out where ``NO_COLOR`` is set, and on terminals that know none. What moves the cursor goes to a
    terminal only: not to a pipe whose colors ``FORCE_COLOR`` asks for.
    """
    made = Console(stderr=stderr, quiet=quiet)
    if not made.file.isatty():
        made.is_interactive = False
        made.width = _UNWRAPPED
    return made


def broken(head: Text, body: Text, console: Console) -> list[Text]:
    """A line of a head and a body, as lines of the console's width; what follows stands below where the body begins.

    Where the head takes much of a narrow screen, a body that has no room beside it begins on the next line.
    """
    width, indent = console.width, head.cell_len
    if width < WIDE and indent + body.cell_len > width and indent > width // 4:
        return [head, *indented(body, width // 8, console)]
    lines = body.wrap(console, max(width - indent, width // 2))
    return [(head if number == 0 else Text(" " * indent)) + line for number, line in enumerate(lines)] or [head]


def indented(text: Text, indent: int, console: Console, hanging: int = 0) -> list[Text]:
    """A text as lines of the console's width that all begin at a column, but the first at one further left."""
    lines = text.wrap(console, max(console.width - indent - hanging, FEWEST))
    return [Text(" " * (indent + (hanging if number else 0))) + line for number, line in enumerate(lines)]


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Tell in one line what could not be written."""
    try:
        yield
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename or out}: {error.strerror or error}") from error


def wrote(screen: Console, *paths: Path) -> None:
    """Say which files were written."""
    for path in paths:
        screen.print(f"wrote {path}", markup=False, highlight=False)
