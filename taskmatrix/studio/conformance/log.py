"""What a check finds, told and kept as it comes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from taskmatrix.core.base.errors import TaskMatrixError

from .finding import FAILS, PASSES, UNABLE, Finding

_STYLES = {PASSES: "green", FAILS: "bold red", UNABLE: "yellow"}


class FindingLog:
    """Prints a line for each finding, and keeps all of them in a file, so that a check that is ended leaves something.

    Args:
        console: Where to print; on a terminal it shows below what is looked at now.
        path: The JSON file; whole after every finding.
    """

    def __init__(self, console: Console, path: Path) -> None:
        self._console, self._path = console, path
        self.findings: list[Finding] = []
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task("", total=None)

    def __enter__(self) -> FindingLog:
        self._progress.start()
        self._write()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._progress.stop()

    def take(self, what: str, findings: Iterable[Finding]) -> None:
        """Tell and keep findings as they come.

        Args:
            what: Is looked at while they are awaited.
            findings: Made one by one.

        Raises:
            TaskMatrixError: The file cannot be written.
        """
        self._progress.update(self._task, description=what)
        for finding in findings:
            self.findings.append(finding)
            line = Text(f"{finding.verdict:<8}  ", style=_STYLES.get(finding.verdict, ""))
            self._console.print(line.append(f"{finding.part}, {finding.name}: {finding.text}"), soft_wrap=True)
            self._write()

    def dumps(self, indent: int | None = None) -> str:
        """All findings as JSON."""
        return json.dumps([finding.to_dict() for finding in self.findings], indent=indent)

    def _write(self) -> None:
        """Put the file in place as a whole: who ends the process between two lines of it leaves the one before."""
        fresh = self._path.with_name(f"{self._path.name}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(self.dumps(indent=1), encoding="utf-8")
            fresh.replace(self._path)
        except OSError as error:
            at = error.filename or self._path.parent
            raise TaskMatrixError(f"cannot write {at}: {error.strerror or error}") from error
