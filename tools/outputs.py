"""Write the outputs that the documentation shows: ``python tools/outputs.py [PAGE ...]``.

The pages are run as their readers would run them: their Python blocks in order, in one namespace and an empty folder,
and the commands of ``console`` blocks that are followed by what they print. ``tests/test_docs.py`` compares what the
pages show with what is printed; this command writes it into the pages. In what a page shows

- ``...`` stands for anything; a line of nothing else, for any lines;
- ``varies: what and why`` after the language of a block lets the numbers in it be others, as those of durations on the
  wall clock are;
- ``not run: why`` after ``console`` or ``python`` says that the block is not run here.

A block with a ``:caption:`` is a file of that name. A comment ``<!-- python ... -->`` is run, and not shown.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
COLUMNS = "100"  # of the terminal
WIDE = 120  # characters of a line in a page
FENCE = re.compile(
    r"^(?P<ticks>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=ticks)[ \t]*$|^<!-- python\n(?P<hidden>.*?)^-->$",
    re.MULTILINE | re.DOTALL,
)
CAPTION = re.compile(r":caption: (?P<file>\S+)\n\n?")
PROMPT = "$ "


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    """Number of the line before its first."""
    language: str
    """``python``, ``output``, ``console``, ``toml``, ..."""
    file: str
    """Where the page says that it is kept; empty if it does not."""
    text: str
    """What stands in it."""
    remark: str = ""
    """What stands behind the language."""
    span: tuple[int, int] = (0, 0)
    """Where in the page its text begins and ends."""

    @property
    def runs(self) -> bool:
        """Whether the page does not say that it is not run."""
        return not self.remark.startswith("not run")


@dataclass(frozen=True)
class Shown:
    """What a page shows of an output, and what is printed."""

    block: Block
    """Where it is shown; its ``text`` is all of the block."""
    shown: str
    """What the page shows."""
    printed: str
    """What was printed when the page was run."""
    span: tuple[int, int]
    """Where in the page ``shown`` begins and ends."""

    @property
    def same(self) -> bool:
        """Whether the page shows what is printed."""
        return matches(self.shown, self.printed, self.block.remark.startswith("varies"))


def pages() -> list[Path]:
    """All pages of the documentation, and the README."""
    return [*(page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts), ROOT / "README.md"]


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page; ``{code-block} toml`` and ``{literalinclude}`` with a ``:caption:`` are files."""
    text, found = page.read_text(encoding="utf-8"), []
    for match in FENCE.finditer(text):
        part = "body" if match["hidden"] is None else "hidden"
        info, body, file = (match["info"] or "python").replace("{code-block}", "").strip(), match[part], ""
        caption = CAPTION.match(body)
        if caption:
            file, body = caption["file"], body[caption.end() :]
        if info.startswith("{literalinclude}"):
            body = (page.parent / info.split()[1]).read_text(encoding="utf-8")
        language, _, remark = info.partition(" ")
        found.append(Block(text.count("\n", 0, match.start(part)), language, file, body, remark, match.span(part)))
    return found


def has_outputs(page: Path) -> bool:
    """Whether something on a page is run."""
    return any((block.language == "python" and block.runs) or commands(block) for block in blocks(page))


def commands(block: Block) -> list[tuple[str, str, int]]:
    """The commands of a block that are shown with an output: command, output, and where in the block that begins."""
    if block.language != "console" or not block.runs:
        return []
    found: list[tuple[str, str, int]] = []
    at = 0
    for line in block.text.splitlines(keepends=True):
        at += len(line)
        if line.startswith(PROMPT):
            found.append((line[len(PROMPT) :].strip(), "", at))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line, found[-1][2])
    return [each for each in found if each[1]]


def outputs(page: Path) -> Iterator[Shown]:
    """Run a page in the working folder; yields each output that it shows."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for block in blocks(page):
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python" and block.runs:
            printed = run(block, page, namespace)
        elif block.language == "output":
            yield Shown(block, block.text, printed, block.span)
        for command, shown, at in commands(block):
            start = block.span[0] + at
            yield Shown(block, shown, call(command), (start, start + len(shown)))


def run(block: Block, page: Path, namespace: dict[str, Any]) -> str:
    """Run a block of Python; returns what it printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * block.line + block.text, str(page), "exec", dont_inherit=True), namespace)  # noqa: S102
    return printed.getvalue()


def call(command: str) -> str:
    """Run a command of ours in this process; returns what it printed, errors too."""
    from taskmatrix.studio.cli.command_line import main  # noqa: PLC0415 - loads much

    program, *arguments = shlex.split(command, comments=True)
    if program != "taskmatrix":
        raise ValueError(f"{command!r}: only `taskmatrix` is run; mark the block with `not run: why`")
    printed, columns = io.StringIO(), os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = COLUMNS
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            contextlib.suppress(SystemExit),
        ):
            main(arguments)
    finally:
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns
    return printed.getvalue()


def matches(shown: str, printed: str, numbers_vary: bool = False) -> bool:
    """Whether what is shown is what was printed; white space does not count, and ``...`` stands for anything."""
    if numbers_vary:
        shown, printed = masked(shown), masked(printed)
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(shown, printed, options)


def masked(text: str) -> str:
    """The text without its numbers."""
    return re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", text)


def renewed(shown: str, printed: str) -> str:
    """What a page should show: the lines that were printed; those that a page leaves out stay left out."""
    lines = [line.rstrip() for line in printed.splitlines()]
    parts: list[list[str]] = [[]]
    for line in shown.splitlines():
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    found, at = [], 0
    for number, part in enumerate(parts):
        first, last = number == 0, number == len(parts) - 1
        begins = [at] if first else [len(lines) - len(part)] if last and part else range(at, len(lines) + 1)
        like = (lines[i : i + len(part)] for i in begins if i >= at)
        new = next((those for those in like if _alike(part, those)), None)
        if new is None or (first and last):
            return "".join(f"{line}\n" for line in lines)  # somebody has to look where lines were left out
        found += [old if matches(old, line) else line for old, line in zip(part, new, strict=True)]
        found += [] if last else ["..."]
        at += len(part)
    return "".join(f"{line}\n" for line in found)


def _alike(some: list[str], others: list[str]) -> bool:
    """Whether lines are the same but for numbers."""
    return len(some) == len(others) and all(map(matches, some, others, [True] * len(some)))


def write(page: Path) -> int:
    """Write what is printed into a page; returns how many outputs changed."""
    text, changed = page.read_text(encoding="utf-8"), 0
    for each in reversed(list(outputs(page))):
        if not each.same:
            changed += 1
            begin, end = each.span
            lines = renewed(each.shown, each.printed).splitlines()
            new = "\n".join(map(_broken, lines))
            text = text[:begin] + new + "\n" + text[end:]
    if changed:
        page.write_text(text, encoding="utf-8")
    return changed


def _broken(line: str) -> str:
    """A long line of prose as several; a table's stays whole."""
    return line if len(line) <= WIDE or "   " in line.strip() else textwrap.fill(line, WIDE, break_on_hyphens=False)


def main(names: list[str]) -> None:
    """Run the pages, and write into each what it prints."""
    sys.path.insert(0, str(ROOT))
    chosen = [Path(name).resolve() for name in names] or pages()
    for page in chosen:
        if has_outputs(page):
            with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
                changed = write(page)
            sys.stdout.write(f"{page.relative_to(ROOT)}: {changed or 'no'} outputs changed\n")


if __name__ == "__main__":
    main(sys.argv[1:])
