from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from py_trees.behaviour import Behaviour
from rich.console import Console

from taskmatrix.behaviors import Postural
from taskmatrix.core.base.errors import MissingDependencyError, ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.session.live import link
from taskmatrix.studio.cli import run_command
from taskmatrix.studio.cli.command_line import main
from taskmatrix.studio.viewer.command import Viewing, stay, tell


def call(*arguments: str) -> int:
    """Run the command in this process; its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


@pytest.mark.parametrize(
    "option", [["--paused"], ["--open"], ["--host", "0.0.0.0"], ["--port", "80"], ["--break", "reach"]]
)
def test_options_of_the_page_need_a_page(option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A clear word, before anything runs."""
    assert call("run", "pickup", *option, "--out", str(tmp_path)) == 2
    assert f"{option[0]} is for a run with --view" in capsys.readouterr().err
    with pytest.raises(ParameterError):
        Viewing(False, paused=True)


def test_a_viewer_that_is_not_installed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """How to get it, before anything runs."""
    monkeypatch.setattr(link, "find_spec", lambda name: None)
    assert call("run", "pickup", "--view", "--out", str(tmp_path)) == 2
    assert 'pip install -e ".[view]"' in capsys.readouterr().err
    with pytest.raises(MissingDependencyError), Viewing(True).link():
        pass


def test_what_is_no_recording_cannot_be_viewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A clear word."""
    (tmp_path / "notes.mcap").write_text("hello")
    assert call("view", str(tmp_path / "notes.mcap")) == 2
    assert "is no recording" in capsys.readouterr().err
    assert call("view", str(tmp_path / "missing.mcap")) == 2
    assert "cannot read" in capsys.readouterr().err


class FakeView:
    """A page on which behaviors are started, and Ctrl-C comes when there is nothing more."""

    def __init__(self, *behaviors: Behaviour) -> None:
        self.behaviors = list(behaviors)
        self.alive = True

    def next_behavior(self) -> Behaviour | None:
        if not self.behaviors:
            raise KeyboardInterrupt
        return self.behaviors.pop(0)


GOOD = Outcome(True, None, 1.0, 100)


def outcomes(*given: Outcome) -> tuple[list[Behaviour], Callable[[Behaviour], Outcome]]:
    ran: list[Behaviour] = []
    left = iter(given)

    def run(behavior: Behaviour) -> Outcome:
        ran.append(behavior)
        return next(left)

    return ran, run


def test_the_page_stays_until_ctrl_c() -> None:
    """And runs what is started from it, whatever comes of that."""
    bad = Outcome(False, Failure(FailureKind.COLLISION, "a", "it touches"), 1.0, 100)
    first, second = Postural(posture="ready"), Postural(posture="ready")
    ran, run = outcomes(bad, GOOD)
    view: Any = FakeView(first, second)
    stay(view, bad, run, Console(file=StringIO()))
    assert ran == [first, second]
    stay(None, GOOD, run, Console(file=StringIO()))


def test_ctrl_c_in_a_run_ends_the_page_too() -> None:
    """Who wants only the run to end stops it from the page."""
    ctrl_c = Outcome(False, Failure(FailureKind.INTERRUPTED, "a", "interrupted by Ctrl-C; it holds"), 1.0, 100)
    stopped = Outcome(False, Failure(FailureKind.INTERRUPTED, "a", "stopped by a viewer; it holds"), 1.0, 100)
    behaviors = [Postural(posture="ready") for _ in range(3)]
    ran, run = outcomes(stopped, ctrl_c)
    view: Any = FakeView(*behaviors)
    stay(view, GOOD, run, Console(file=StringIO()))
    assert len(ran) == 2
    stay(view, ctrl_c, run, Console(file=StringIO()))
    assert len(ran) == 2


@pytest.mark.parametrize(
    ("asked", "terminal", "display", "opens"),
    [
        (None, True, ":0", True),
        (None, True, "", False),
        (None, False, ":0", False),
        (True, False, "", True),
        (False, True, ":0", False),
    ],
)
def test_the_page_is_opened_where_a_person_sits_at_a_desktop(
    asked: bool | None, terminal: bool, display: str, opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless somebody says what is wanted; over SSH a browser would be one of text."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    tell("http://127.0.0.1:1/", asked, Console(file=StringIO(), force_terminal=terminal))
    assert bool(opened) is opens


@pytest.mark.slow
def test_a_run_with_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is told, in a browser if that is wanted, and the event log is that of every run."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(run_command, "stay", lambda *given: None)
    arguments = ["postural", "--param", "posture=ready", "--view", "--open", "--json", "--out", str(tmp_path)]
    assert call("run", *arguments) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["success"]
    (address,) = opened
    assert address.startswith("http://127.0.0.1:")
    assert f"view at {address}" in told.err
    assert not list(tmp_path.glob("*.png"))


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_a_recording_in_the_browser(tmp_path: Path, count: int) -> None:
    """The command tells where the page is, of two side by side too, and ends with Ctrl-C."""
    from taskmatrix import simulate  # noqa: PLC0415 - not for the other tests

    path = tmp_path / "run.mcap"
    with simulate("mannequin", seed=1) as session:
        session.record(path)
        session.run(Postural(posture="ready"))
    program = "import sys; from taskmatrix.studio.cli.command_line import main; main(sys.argv[1:])"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", program, "view", *[str(path)] * count],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        process.send_signal(2)
        assert process.wait(60.0) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert line.startswith("view at http://127.0.0.1:")
