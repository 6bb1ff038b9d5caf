"""The page of a benchmark, and that every benchmark has it."""

from __future__ import annotations

import ast
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import sheet
import start
import ticking
from console import Console
from options import main
from rich.table import Table

BENCHMARKS = Path(start.__file__).parent
ABOUT = """What `slip` is, <measured>.

    python benchmarks/slip.py --json slip.json

Objects are held.

    slip    [mm] that they move
"""


def called(name: str, *arguments: str) -> list[str]:
    return [str(BENCHMARKS / name), *arguments]


class Outside(HTMLParser):
    """What a page asks of other files."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [str(value) for name, value in attrs if name in ("src", "href")] + [tag] * (tag == "link")


def test_a_page(told: list[object]) -> None:
    """Title, prose, command, tables, charts and lines; no markup of others, no folders, no other file."""
    console, table = Console(), Table("robot", "slip [mm]", title="slips <so far>")
    table.add_row("<g1>", "1.5")
    console.print(table)
    console.bars(table, "slip [mm]")
    console.print('File "/home/someone/code/slip.py", line 3: 5 m/s', "\n", "other")
    text = sheet.page(ABOUT, "python benchmarks/slip.py --seeds 3", Console.told)
    for part in (
        "<title>What slip is, &lt;measured&gt;.</title>",
        "<h1>What <code>slip</code> is, &lt;measured&gt;</h1>",
        "<p>Objects are held.</p>",
        "<pre>slip    [mm] that they move</pre>",
        "<code>python benchmarks/slip.py --seeds 3</code>",
        "<h2>slips &lt;so far&gt;</h2>",
        "<th>slip [mm]</th></tr><tr><td>&lt;g1&gt;</td><td>1.5</td>",
        '<div class="charts"><svg',
        "<li>File &quot;slip.py&quot;, line 3: 5 m/s</li>",
    ):
        assert part in text
    assert "--json" not in text
    outside = Outside()
    outside.feed(text)
    assert outside.found == []
    assert re.search(r"\d+ processors, \w+ \w+, Python 3\.\d+", text)


def test_a_command_writes_its_page(
    told: list[object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside its other options; files are told without their folders."""
    monkeypatch.setattr(ticking, "ROUNDS", 1)
    page, figures = tmp_path / "ticking.html", tmp_path / "ticking.json"
    monkeypatch.setattr(sys, "argv", called("ticking.py", "--sizes", "3", "--json", str(figures), "--page", str(page)))
    with pytest.raises(SystemExit) as ended:
        main(ticking.measure)
    assert ended.value.code == 0
    assert figures.exists()
    text = page.read_text()
    assert "<code>python benchmarks/ticking.py --sizes 3 --json ticking.json --page ticking.html</code>" in text
    assert "<h1>What a cycle costs" in text
    assert text.count("<svg") == 2
    assert str(tmp_path) not in text + capsys.readouterr().err


def test_a_script_writes_its_page(told: list[object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that reads its options by itself."""
    monkeypatch.setattr(start, "seconds", lambda *_: {"wall": 1.5, "processor": 0.5})
    monkeypatch.setattr(sys, "argv", called("start.py", "--page", str(tmp_path / "start.html")))
    start.main()
    assert (
        "<td>first tick of talos</td><td>1.500</td><td>0.500</td><td>-, 3.00</td>"
        in (tmp_path / "start.html").read_text()
    )


@pytest.mark.parametrize("way", ["command", "script"])
def test_a_page_that_cannot_be_written(
    way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Is refused before the work."""
    monkeypatch.setattr(sys, "argv", called("any.py", "--page", "no/such/folder/any.html"))
    with pytest.raises(SystemExit) as ended:
        start.main() if way == "script" else main(ticking.measure)
    assert ended.value.code == 2
    assert "does not exist" in " ".join(capsys.readouterr().err.split())  # however it is broken into lines


@pytest.mark.parametrize("path", sorted(BENCHMARKS.glob("*.py")), ids=lambda path: path.stem)
def test_every_benchmark_that_prints_a_table_has_a_page(path: Path) -> None:
    """By the console that keeps it, and by the common ways to read options."""
    tree = ast.parse(path.read_text())
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imports = {
        (node.module, name.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names
    }
    assert ("rich.console", "Console") not in imports
    if "__name__" in names and {"Table", "show", "REPORT"} & names:
        written = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert ("options", "main") in imports or {"parsed", "sheet.write"} <= written
