"""Where is printed, and how lines are broken."""

from __future__ import annotations

import sys
from io import StringIO

import pytest
from rich.text import Text

from taskmatrix.studio.cli.terminal.screen import broken, console

from .glass import Glass


class Pretended(StringIO):
    """A file that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def printed(monkeypatch: pytest.MonkeyPatch, file: StringIO, **environment: str) -> str:
    """What a line in red becomes there."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", file)
    made = console()
    made.print("x" * 300, style="red")
    assert made.is_interactive == (file.isatty() and environment.get("TERM") == "xterm")
    return file.getvalue()


def test_a_terminal_has_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    """And lines of its width."""
    text = printed(monkeypatch, Pretended(), TERM="xterm", COLUMNS="80")
    assert "\x1b[31m" in text
    assert text.count("\n") == 4


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}])
def test_colors_only_where_they_are_wanted_and_known(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    """No sign of them otherwise."""
    assert "\x1b[" not in printed(monkeypatch, Pretended(), **environment)


def test_a_file_has_unbroken_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no signs that steer."""
    assert printed(monkeypatch, StringIO(), TERM="xterm") == "x" * 300 + "\n"


def test_a_pipe_that_asks_for_colors_gets_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines in colors, and nothing that moves a cursor: see `printed`."""
    assert printed(monkeypatch, StringIO(), TERM="xterm", FORCE_COLOR="1") == f"\x1b[31m{'x' * 300}\x1b[0m\n"


HEAD, BODY = (
    Text("   0.50 s  pickup/reach       "),
    Text("planned a motion of 6.99 s, stretched to the velocity limits"),
)


def test_a_wide_screen_has_two_columns() -> None:
    """What follows stands below where the words begin."""
    lines = [line.plain.rstrip() for line in broken(HEAD, BODY + Text(" ") + BODY, Glass(100).console)]
    assert len(lines) == 2
    assert lines[0].startswith(HEAD.plain + "planned")
    assert lines[1].startswith(" " * len(HEAD.plain) + "motion")


def test_a_narrow_screen_has_one() -> None:
    """The words go on in a line of their own where there is no room beside."""
    lines = [line.plain.rstrip() for line in broken(HEAD, BODY, Glass(60).console)]
    assert lines == [
        HEAD.plain.rstrip(),
        "       planned a motion of 6.99 s, stretched to the velocity",
        "       limits",
    ]
    assert len(broken(HEAD, Text("task-successful"), Glass(60).console)) == 1
