"""The page of the robots has each that ships, with its picture, and says of it what is so."""

from __future__ import annotations

import re

import pytest

from taskmatrix.robots import load_robot, robot_names
from taskmatrix.robots.loading.loader import find_adapter
from tools.robot_page import NOT_SHOWN, PAGE, lines, row, written

LARGEST = 60_000  # [bytes] of a picture
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", robot_names())
def test_every_robot_that_ships_has_a_row(name: str) -> None:
    """With its picture, and the length of its adapter."""
    mine = [line for line in TEXT.splitlines() if f"**{name}**" in line]
    assert len(mine) == 1
    assert f"(images/robot-{name}.png)" in mine[0] or (name == "alex" and NOT_SHOWN in mine[0])
    assert f"adapter: {lines(find_adapter(name))} lines" in mine[0]


@pytest.mark.parametrize("name", ["asimo", "bandit", "centauro", "g1", "tiago_pro"])
def test_what_it_says_of_a_robot_is_so(name: str) -> None:
    """With legs, on wheels, without a pan of its head, without a neck; ``python tools/robot_page.py`` writes it."""
    assert row(load_robot(name)) in TEXT


def test_pictures_are_there_and_small() -> None:
    """Of the robots that were tried, too."""
    pictures = re.findall(r"\(images/(robot-\w+\.png)\)", TEXT)
    assert len(pictures) == len(set(pictures)) > len(robot_names())
    for picture in pictures:
        assert (PAGE.parent / "images" / picture).stat().st_size < LARGEST, picture


def test_only_what_is_generated_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text around the tables stays."""
    monkeypatch.setattr("tools.robot_page.table", lambda of_others: "others" if of_others else "ours")
    page = "before\n<!-- ours -->\nstale\n<!-- end of ours -->\nbetween\n<!-- others --><!-- end of others -->\nafter\n"
    assert written(page) == (
        "before\n<!-- ours -->\n\nours\n\n<!-- end of ours -->\nbetween\n"
        "<!-- others -->\n\nothers\n\n<!-- end of others -->\nafter\n"
    )
