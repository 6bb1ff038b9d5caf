"""The page of a benchmark: one file, with what it measures, how it was called, its tables and charts."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from html import escape
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from textwrap import dedent

from charts import STYLE, Chart
from console import Console, Told
from rich.table import Table

from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.session.recording.header import PACKAGES
from taskmatrix.studio.cli.recording_command import as_typed
from taskmatrix.studio.drawing.html import document, listed

_FOLDERS = re.compile(r"(?<![\w.:/])/(?:[\w.+-]+/)+(?=[\w.+-])")
_CODE = re.compile(r"`+([^`]+)`+")


def checked(path: Path | None) -> None:
    """Refuse before the work what would be refused after it.

    Raises:
        ParameterError: The page's folder does not exist.
    """
    if path is not None and not path.absolute().parent.is_dir():
        raise ParameterError(f"{path}: the folder {path.absolute().parent} does not exist")


def write(path: Path | None, about: str | None) -> None:
    """Write what has been told so far, if a page is asked for.

    Args:
        path: Of the page.
        about: The docstring of the benchmark.

    Raises:
        TaskMatrixError: It cannot be written.
    """
    if path is None:
        return
    command = as_typed([f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]], "python")
    try:
        path.write_text(page(about or "", command, Console.told), encoding="utf-8")
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename}: {error.strerror}") from error


def page(about: str, command: str, told: Sequence[Told]) -> str:
    """The page as HTML, without names of machines, and without paths of folders.

    Args:
        about: The docstring of the benchmark.
        command: As it was typed.
        told: What was printed and drawn.
    """
    title, _, rest = about.strip().partition("\n")
    parts = [STYLE, f"<h1>{_code(title.rstrip('.'))}</h1>", *_prose(rest)]
    parts.append(f'<p><code>{escape(command)}</code><br><span class="soft">{escape(machine())}</span></p>')
    for lines, pieces in groupby(told, lambda piece: isinstance(piece, str)):
        drawn = [_plain(piece) if isinstance(piece, str) else _drawn(piece) for piece in pieces]
        parts += [listed(drawn)] if lines else drawn
    return document(title.replace("`", ""), parts)


def machine() -> str:
    """On what it was measured: processors, system, and versions of what counts."""
    system = f"{os.cpu_count()} processors, {platform.system()} {platform.machine()}"
    found = [f"Python {platform.python_version()}"]
    for package in ("taskmatrix", *PACKAGES):
        with suppress(PackageNotFoundError):
            found.append(f"{package} {version(package)}")
    return ", ".join((system, *found))


def _prose(text: str) -> Iterable[str]:
    """Paragraphs, and what is indented as it is; the first command is left out, the page tells its own."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    for block in blocks:
        if not block.startswith(" "):
            yield f"<p>{_code(block)}</p>"
        elif "python benchmarks/" not in block:
            yield f'<div class="wide"><pre>{escape(dedent(block))}</pre></div>'


def _code(text: str) -> str:
    """Text as HTML, with what stands between backquotes as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def _drawn(piece: Table | list[Chart]) -> str:
    """A table or charts."""
    if isinstance(piece, Table):
        return _table(piece)
    return f'<div class="charts">{"".join(chart.svg() for chart in piece)}</div>'


def _table(table: Table) -> str:
    columns = [[str(column.header), *(str(cell) for cell in column.cells)] for column in table.columns]
    head, *rows = zip(*columns, strict=True)
    lines = ["".join(f"<th>{_plain(cell)}</th>" for cell in head)]
    lines += ["".join(f"<td>{_plain(cell)}</td>" for cell in row) for row in rows]
    title = f"<h2>{_plain(str(table.title))}</h2>" if table.title else ""
    return f'{title}<div class="wide"><table>{"".join(f"<tr>{line}</tr>" for line in lines)}</table></div>'


def _plain(text: str) -> str:
    """Text without folders, as HTML."""
    return escape(_FOLDERS.sub("", text)).replace("\n", "<br>")
