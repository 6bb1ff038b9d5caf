"""What a console keeps for the page."""

from __future__ import annotations

import pytest
from charts import Bars, Curves
from console import Console
from rich.table import Table


def table(*rows: tuple[str, ...]) -> Table:
    found = Table("robot", "slip [mm]")
    for row in rows:
        found.add_row(*row)
    return found


def test_units_in_brackets_are_printed(told: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    """They are no markup."""
    Console(width=80).print(table(("g1", "1")))
    assert "slip [mm]" in capsys.readouterr().out
    assert len(told) == 1


def test_what_is_kept(told: list[object]) -> None:
    """Tables, lines and charts, in order; not how far the work is."""
    console, shown = Console(), table(("g1", "1"))
    console.print("at work", style="dim")
    console.print(shown)
    console.bars(shown, "slip [mm]")
    console.print("g1: fell")
    console.draw()
    assert told == [shown, [Bars("slip [mm]", [("g1", 1.0, "1")])], "g1: fell"]


def test_a_table_that_grows_is_kept_once(told: list[object]) -> None:
    """With its charts; others stay, and so does one of the same heads with other rows."""
    console, other = Console(), table(("pr2", "3"))
    for shown in (table(("g1", "1")), other, table(("g1", "1"), ("g1", "2"))):
        console.print(shown)
        console.draw(Curves(str(shown.row_count), "", "", []))
    assert [each.row_count for each in told if isinstance(each, Table)] == [1, 2]
    assert told[0] is other
    assert [each[0].title for each in told if isinstance(each, list)] == ["1", "2"]
