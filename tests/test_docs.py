"""What the documentation says is true: its Python runs and prints what the pages show, and its tables are complete."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import taskmatrix
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.base.message import MessageKind
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.session.catalogue import behaviors

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [*(page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts), ROOT / "README.md"]
FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=ticks)[ \t]*$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r":caption: (?P<file>\S+)\n\n?")
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(taskmatrix.__path__, "taskmatrix.")
    if not (module.ispkg or module.name.endswith(".__main__"))
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    """Number of the line before its first."""
    language: str
    """``python``, ``output``, ``toml``, ..."""
    file: str
    """Where the page says that it is kept; empty if it does not."""
    text: str
    """What stands in it."""


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page; ``{code-block} toml`` and ``{literalinclude}`` with a ``:caption:`` are files."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        language, body, file = match["info"].replace("{code-block}", "").strip(), match["body"], ""
        caption = CAPTION.match(body)
        if caption:
            file, body = caption["file"], body[caption.end() :]
        if language.startswith("{literalinclude}"):
            body = (page.parent / language.split()[1]).read_text(encoding="utf-8")
        found.append(Block(text.count("\n", 0, match.start("body")), language, file, body))
    return found


def has_python(page: Path) -> bool:
    return page.exists() and any(block.language == "python" for block in blocks(page))


def masked(text: str) -> str:
    """The text with numbers and sides replaced, so that a page need not follow each change of a plan."""
    return re.sub(r"\b(left|right)\b", "SIDE", re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", text))


def run(block: Block, page: Path, namespace: dict[str, Any]) -> str:
    """Run a block; returns what it printed."""
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile("\n" * block.line + block.text, str(page), "exec", dont_inherit=True), namespace)
    return printed.getvalue()


@pytest.mark.parametrize(
    "page", [page for page in PAGES if has_python(page)], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_python_of_a_page_runs_and_prints_what_it_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Python blocks of a page run one after the other; an ``output`` block is what the block before it prints.

    Numbers and sides in it may differ, and ``...`` stands for anything. Blocks with a caption are files in the
    working folder.
    """
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed, compare = "", doctest.OutputChecker().check_output
    for block in blocks(page):
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            printed = run(block, page, namespace)
        elif block.language == "output":
            options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            same = compare(masked(block.text), masked(printed), options)
            assert same, f"{page}, line {block.line}: the page shows\n{block.text}\nthe code above prints\n{printed}"


def examples() -> Iterator[doctest.DocTest]:
    """The docstrings of the package that have examples."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for name in MODULES:
        for test in finder.find(importlib.import_module(name), name):
            if test.examples:
                yield test


@pytest.mark.parametrize("test", list(examples()), ids=lambda test: test.name)
def test_examples_in_docstrings_are_right(test: doctest.DocTest) -> None:
    """What an example in a docstring shows is what it prints."""
    report = StringIO()
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.write)
    assert not result.failed, report.getvalue()


def test_reference_has_every_module() -> None:
    """Every module of the package has its entry in the reference, and the reference has no other."""
    pages = (page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md"))
    listed = [name for page in pages for name in re.findall(r"automodule:: (taskmatrix\.\S+)", page)]
    assert sorted(listed) == MODULES


def test_readme_points_to_what_exists() -> None:
    """Links of the README into the documentation, the examples and the pictures lead somewhere."""
    links = re.findall(r"\]\(((?:docs|examples)[^)#]*)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def first_column(page: str) -> list[str]:
    """The code in the first column of a page's tables."""
    return re.findall(r"^\| `([^`]+)` \|", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)


def test_table_of_messages_is_complete() -> None:
    """The reference lists the fixed set of messages, and nothing else."""
    assert sorted(first_column("reference/messages.md")) == sorted(kind.value for kind in MessageKind)


def test_table_of_failure_kinds_is_complete() -> None:
    """The reference lists every kind of failure, and nothing else."""
    assert sorted(first_column("reference/failure-kinds.md")) == sorted(kind.value for kind in FailureKind)


def test_table_of_skills_is_complete() -> None:
    """The page about the Task Matrix files every member of the common skill set under a thesis definition."""
    page = (DOCS / "concepts" / "task-matrix.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \|[^|]*\|([^|]*)\|", page, re.MULTILINE)
    facets = [facet for facet in SkillSet.__mro__ if facet.__module__.startswith("taskmatrix.core.robot.skills.")]
    members = [name for facet in facets for name in vars(facet) if not name.startswith("_")]
    assert sorted(re.findall(r"`(\w+)`", "".join(rows))) == sorted(members)


def test_command_line_page_has_every_behavior() -> None:
    """The page about the command line names every behavior that can be run."""
    assert set(behaviors()) <= set(first_column("reference/command-line.md"))
