"""What happens in a run, on a screen and elsewhere."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from io import StringIO

import pyte
import pytest
from rich.console import Console

from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.studio.cli.terminal import TerminalProgress, progress
from taskmatrix.testing import Bench, FakeClock, box_percept

from .glass import Glass

CUP = box_percept("cup", (0.5, 0.1, 0.9))
PROGRAM = """
from taskmatrix.behaviors import Pickup
from taskmatrix.studio.cli.terminal import TerminalProgress, console
from taskmatrix.testing import Bench, box_percept

bench = Bench([box_percept("cup", (0.5, 0.1, 0.9))])
with TerminalProgress(console()) as progress:
    bench.context.events.subscribe(progress)
    bench.context.events.subscribe(lambda event: progress.refresh() if event.step % 10 == 0 else None)
    print(bench.run(Pickup(object="cup")))
"""


def pickup(console: Console, then: Callable[[TerminalProgress, Event], None] = lambda *_: None) -> Bench:
    """A pickup on fakes, shown on a console."""
    bench = Bench([CUP])
    with TerminalProgress(console, FakeClock()) as progress:
        bench.context.events.subscribe(progress)
        bench.context.events.subscribe(lambda event: then(progress, event))
        assert bench.run(Pickup(object="cup")).success
    return bench


def test_what_runs_is_shown_below_the_lines_while_it_runs() -> None:
    """And is gone at the end, where all lines are left in their order."""
    glass, seen = Glass(100), set[str]()

    def look(progress: TerminalProgress, event: Event) -> None:
        if event.kind == "step" and event.step % 20 == 0:
            progress.refresh()
            lines = glass.lines()
            rule = next(number for number, line in enumerate(lines) if line.startswith("──"))
            assert all(" s  pickup" in line for line in lines[:rule])
            assert lines[rule + 1].startswith("pickup ")
            seen.update(line.split("  ")[0] for line in lines[rule + 2 :])

    bench = pickup(glass.console, look)
    assert {"├─ reach", "└─ fixate"} <= seen
    told = [line.split() for line in glass.scrolled()]
    said = [line[2:4] for line in told if line[3].startswith(("task", "plan", "control")) and line[3] != "planned"]
    assert [" ".join(line) for line in said] == [
        message for message in bench.messages() if message.split()[1].startswith(("task", "plan", "control"))
    ]
    assert not [line for line in told if line[0].startswith("──")]


def test_elsewhere_there_are_the_same_lines_and_nothing_else() -> None:
    """A line for an event, however long; nothing that steers a terminal."""
    glass, file = Glass(200), StringIO()
    pickup(glass.console)
    pickup(Console(file=file, width=10_000))
    assert file.getvalue().replace("\n", "").isprintable()
    assert [line.rstrip() for line in file.getvalue().splitlines()] == glass.scrolled()


def test_goals_of_a_recurrent_task_are_told_when_they_change() -> None:
    """Not in every control step."""
    file = StringIO()
    bench = pickup(Console(file=file, width=10_000))
    goals = [message for message in bench.messages("pickup/fixate") if message.startswith("goal")]
    assert len(goals) > 20
    assert 1 <= file.getvalue().count(" goal-") <= 2


def test_a_failure_with_causes_has_lines_below() -> None:
    """On a terminal; elsewhere it is one line."""
    deep = Failure(FailureKind.COLLISION, "planner", "the goal touches the table", {"pair": ("hand", "table")})
    event = Event(1.0, 100, "recovery", "pickup", {"failure": Failure(deep.kind, "pickup/reach", "no plan", {}, deep)})
    glass, file = Glass(80), StringIO()
    for console in (glass.console, Console(file=file, width=10_000)):
        with TerminalProgress(console, FakeClock()) as progress:
            progress(event)
    assert glass.lines() == [
        "   1.00 s  pickup             recovered from",
        "             pickup/reach: no plan",
        "               because planner: the goal touches the table",
        "                   pair: hand, table",
    ]
    assert file.getvalue().count("\n") == 1


def test_nothing_is_shown_where_it_should_be_quiet() -> None:
    """Neither lines nor what runs."""
    file = StringIO()
    pickup(Console(file=file, force_terminal=True, width=80, quiet=True))
    assert file.getvalue() == ""


def test_what_others_print_comes_in_its_order() -> None:
    """A behavior may print something in the middle of a run."""
    glass = Glass(100)

    def speak(progress: TerminalProgress, event: Event) -> None:
        if event.kind == "message" and event.source == "pickup/grasp":
            print("here:", event.data["message"])
            progress.refresh()

    pickup(glass.console, speak)
    lines = glass.scrolled()
    for number, line in enumerate(lines):
        if line.startswith("here: "):
            assert lines[number - 1].endswith(f"pickup/grasp       {line.removeprefix('here: ')}")
    assert "here: task-complete" in lines


def test_prints_are_drawn_with_the_events(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Two threads that both move the cursor would write over each other, so a print draws nothing itself."""
    monkeypatch.setattr(progress, "REFRESHES", 0.001)
    glass = Glass(100)
    with TerminalProgress(glass.console, FakeClock()) as shown:
        before = glass.file.getvalue()
        print("one\ntwo", end="")
        assert glass.file.getvalue() == before
        shown.refresh()
        assert "one" in glass.lines()
        kept = sys.stdout
    assert glass.lines()[:2] == ["one", "two"]
    print("later", file=kept)
    assert capsys.readouterr().out == "later\n"


@pytest.mark.parametrize("terminal", ["xterm-256color", "dumb"])
def test_a_real_terminal(terminal: str) -> None:
    """What a program in a pseudo terminal leaves on its screen; one that steers no cursor gets no signs that would."""
    outer, inner = pty.openpty()
    environment = {**os.environ, "TERM": terminal, "COLUMNS": "100", "LINES": "60"}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=inner, stdout=inner, stderr=inner, env=environment
    ) as process:
        os.close(inner)
        written = b""
        while chunk := _read(outer):
            written += chunk
    os.close(outer)
    assert process.returncode == 0, written.decode()
    assert (b"\x1b[" in written) == (terminal != "dumb")
    assert ("├─".encode() in written) == (terminal != "dumb")
    screen = pyte.Screen(100, 60)
    pyte.ByteStream(screen).feed(written)
    lines = [line.rstrip() for line in screen.display if line.strip()]
    assert lines[0].endswith("pickup             planning-started")
    assert lines[-1].startswith("success after")
    assert not [line for line in lines if line.startswith(("──", "├", "└"))]


def _read(descriptor: int) -> bytes:
    """What is there; nothing when the other end is closed, which Linux tells as an error."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""
