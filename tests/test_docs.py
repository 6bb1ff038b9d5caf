"""What the documentation says is true: its Python runs and prints what the pages show, and its tables are complete."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

import taskmatrix
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.base.message import MessageKind
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.session.catalogue import behaviors
from tools.outputs import DOCS, ROOT, blocks, has_outputs, matches, outputs, pages, write

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(taskmatrix.__path__, "taskmatrix.")
    if not (module.ispkg or module.name.endswith(".__main__"))
)


@pytest.mark.pages
@pytest.mark.parametrize(
    "page", [page for page in pages() if has_outputs(page)], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_page_runs_and_shows_what_it_prints(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Python and its commands run in order, and print what it shows; ``python tools/outputs.py`` writes that."""
    monkeypatch.chdir(tmp_path)
    if any(block.runs and 'sim="bullet"' in block.text for block in blocks(page)):
        pytest.importorskip("pybullet")
    for each in outputs(page):
        where = f"{page}, line {each.block.line}"
        assert each.same, f"{where}: it shows\n{each.shown}\nand prints\n{each.printed}\n(python tools/outputs.py)"


def test_what_a_page_does_not_run_imports_what_there_is() -> None:
    """Python that takes a robot, say, is compiled at least, and its imports are run."""
    for page in pages():
        for block in (each for each in blocks(page) if each.language == "python" and not each.runs):
            for node in ast.walk(ast.parse(block.text)):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    exec(ast.unparse(node))


@pytest.mark.parametrize(
    ("shown", "printed", "varies", "same"),
    [
        ("after 5.83 s", "after 6.01 s", False, False),
        ("after 5.83 s", "after 6.01 s", True, True),
        ("left hand", "right hand", True, False),
        ("a\n...\nd", "a\nb\nc\nd", False, True),
        ("a  b", "a\nb", False, True),
    ],
)
def test_every_figure_counts_unless_the_page_says_that_it_varies(
    shown: str, printed: str, varies: bool, same: bool
) -> None:
    """What may be left out, and how a line is broken, does not."""
    assert matches(shown, printed, varies) is same


def test_stale_outputs_are_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that the page leaves out stay left out."""
    page = tmp_path / "page.md"
    monkeypatch.chdir(tmp_path)
    before = """
```python
for i in range(4):
    print("line", 7 * i)
```

```output
line 0
...
line 3
```
"""
    page.write_text(before, encoding="utf-8")
    assert write(page) == 1
    assert page.read_text(encoding="utf-8") == before.replace("line 3", "line 21")
    assert write(page) == 0


def test_documentation_and_examples_import_faces_only() -> None:
    """What they import is public: a name in the ``__all__`` of a package of ours."""
    sources = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in (ROOT / "examples").rglob("*.py")
    }
    for page in pages():
        for block in blocks(page):
            if block.language == "python" or block.file.endswith(".py"):
                sources[f"{page.relative_to(ROOT)}, line {block.line}"] = block.text
    wrong = [f"{where}: {name}" for where, source in sources.items() for name in private_imports(source)]
    assert wrong == []


def private_imports(source: str) -> Iterator[str]:
    """What a source imports of ours, and no face hands on."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("taskmatrix.") and not is_face(a.name))
        elif isinstance(node, ast.ImportFrom) and (name := node.module or "").split(".")[0] == "taskmatrix":
            public = importlib.import_module(name).__all__ if is_face(name) else []
            yield from (f"{name}.{a.name}" for a in node.names if a.name not in public)


def is_face(name: str) -> bool:
    """Whether a module is a package that says what is public in it."""
    module = importlib.import_module(name)
    return hasattr(module, "__path__") and hasattr(module, "__all__")


EXTRA = re.compile(r"taskmatrix\[\w+\]")


def test_nobody_is_told_to_install_what_no_index_has() -> None:
    """The project is installed from a checkout, its extras too: ``pip install -e ".[view]"``."""
    sources = [*pages(), *(ROOT / "benchmarks").rglob("*.py"), *Path(taskmatrix.__file__).parent.rglob("*.py")]
    wrong = [str(path) for path in sources if EXTRA.search(path.read_text(encoding="utf-8"))]
    assert wrong == []


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


def test_glossary_names_what_exists() -> None:
    """Every class that the glossary names is one of the package."""
    page = (DOCS / "reference" / "glossary.md").read_text(encoding="utf-8")
    named = {
        name
        for column in re.findall(r"^\|([^|]*)\|", page, re.MULTILINE)
        for name in re.findall(r"`([A-Z]\w+)", column)
    }
    source = (path.read_text(encoding="utf-8") for path in Path(taskmatrix.__file__).parent.rglob("*.py"))
    assert named - {name for text in source for name in re.findall(r"^class (\w+)", text, re.MULTILINE)} == set()


def test_the_version_that_is_cited_is_the_version() -> None:
    """Of the citation file."""
    assert f"version: {taskmatrix.__version__}\n" in (ROOT / "CITATION.cff").read_text()
