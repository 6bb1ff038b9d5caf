"""Files that a command writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from taskmatrix.core.base.errors import TaskMatrixError


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
