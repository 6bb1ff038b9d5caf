"""Bars are as long as their numbers, curves are where theirs are."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from charts import COLOURS, Bars, Chart, Curves, Line, bars_of, number
from rich.table import Table


def drawn(chart: Chart) -> ET.Element:
    return ET.fromstring(chart.svg())


def lengths(bars: Bars) -> list[float]:
    return [float(bar.attrib["width"]) for bar in drawn(bars).iter("rect")]


def words(chart: Chart) -> list[str]:
    return ["".join(text.itertext()) for text in drawn(chart).iter("text")]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("9/10", 0.9), ("+1.5 %", 1.5), ("-3", -3.0), ("1,234", 1234.0), ("2.5e-3", 0.0025), (".5", math.nan)],
)
def test_the_number_of_a_cell(word: str, expected: float) -> None:
    """What it begins with; nothing where it is none."""
    np.testing.assert_equal(number(word), expected)
    assert all(math.isnan(number(none)) for none in ("", "-", "nan", "0/0", "green"))


def test_bars_of_a_table() -> None:
    """A bar for each row that has a number; shares are shares of a whole bar."""
    table = Table("robot", "object", "held", "slip [mm]")
    table.add_row("g1", "can", "1/2", "3.0")
    table.add_row("pr2", "can", "1/4", "-")
    held, slip = bars_of(table, ["held", "slip [mm]"], by=2)
    assert held.bars == [("g1, can", 0.5, "1/2"), ("pr2, can", 0.25, "1/4")]
    assert held.most == 1.0
    assert slip.bars == [("g1, can", 3.0, "3.0")]
    assert bars_of(table, ["object"]) == []
    table.add_row("all", "", "2/6", "9.0")
    held, slip = bars_of(table, ["held", "slip [mm]"])
    assert (len(held.bars), len(slip.bars)) == (3, 1)


def test_bars_are_as_long_as_their_numbers() -> None:
    """Also below zero; what is not finite has its word and no length."""
    bars = Bars("off <all>", [("a", 4.0, "4"), ("b", -2.0, "-2"), ("c", math.inf, "inf")], marked="b")
    a, b, c = lengths(bars)
    assert a == pytest.approx(2 * b, abs=0.2)
    assert (a > 50, c) == (True, 0.0)
    assert words(bars) == ["off <all>", "a", "4", "b", "-2", "c", "inf"]
    whole, half = lengths(Bars("", [("a", 1.0, "")])), lengths(Bars("", [("a", 0.5, "")], most=1.0))
    assert whole[0] == pytest.approx(2 * half[0], abs=0.2)


def test_logarithmic_bars() -> None:
    """Ten times as much is one step longer, and the least is still seen."""
    a, b, c = lengths(Bars("", [("a", 0.1, ""), ("b", 1.0, ""), ("c", 10.0, "")], logarithmic=True))
    assert c - b == pytest.approx(b - a, abs=0.2)
    assert a == pytest.approx(c / 10, abs=0.2)


def test_long_names_are_cut_and_told_in_full() -> None:
    """Where the pointer rests."""
    name = "a name that is much longer than there is room for"
    text = next(each for each in drawn(Bars("", [(name, 1.0, "")])).iter("text") if each.find("title") is not None)
    title = text.find("title")
    assert title is not None
    assert (title.text, str(title.tail)[-1]) == (name, "…")


def test_curves() -> None:
    """Ends of the axes are corners; lines of one name have one colour and one word; many points are thinned."""
    xs = np.linspace(0.0, 10.0, 5000)
    lines: list[Line] = [
        ("a", xs, 2 * xs),
        ("b", [0.0, math.nan, 10.0], [20.0, 1.0, 0.0]),
        ("a", [0.0, 10.0], [5.0, 5.0]),
    ]
    chart = Curves("title", "time [s]", "way [m]", lines)
    first, second, third = drawn(chart).iter("polyline")
    points = [[float(each) for each in pair.split(",")] for pair in first.attrib["points"].split()]
    assert 100 < len(points) <= 400
    (left, bottom), (right, top) = points[0], points[-1]
    ends = [[float(each) for each in pair.split(",")] for pair in second.attrib["points"].split()]
    assert ends[0] == pytest.approx([left, top], abs=1.0)
    assert ends[1] == pytest.approx([right, bottom], abs=1.0)
    assert len(ends) == 2
    assert first.attrib["stroke"] == third.attrib["stroke"] == COLOURS[0]
    assert [word for word in words(chart) if re.fullmatch("[ab]", word)] == ["a", "b"]
    assert {"0", "5", "10", "15", "20", "time [s]", "way [m]"} <= set(words(chart))


def test_a_curve_that_others_are_seen_on() -> None:
    """Is broad, and takes no colour."""
    broad, thin = drawn(Curves("", "", "", [("a", [0, 1], [0, 1]), ("b", [0, 1], [1, 1])], behind="a")).iter("polyline")
    assert float(broad.attrib["stroke-width"]) > float(thin.attrib["stroke-width"])
    assert thin.attrib["stroke"] == COLOURS[0]
    assert broad.attrib["stroke"] not in COLOURS


def test_nothing_to_draw() -> None:
    """No numbers, no curves; one number is a point in the middle."""
    assert Curves("", "", "", [("a", [math.nan], [1.0])]).svg() == ""
    assert "points" in Curves("", "", "", [("a", [1.0], [1.0])]).svg()
