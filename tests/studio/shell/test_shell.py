"""Commands onto a run that is a fake, and onto a real one."""

from __future__ import annotations

import io
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.session.live.view import View
from taskmatrix.studio.shell.connection import Connection
from taskmatrix.studio.shell.shell import Shell

OBJECT = {"name": "object", "type": "str", "default": "cup", "doc": "what to take", "choices": ["cup", "can"]}
FORMS = [
    {"name": "pickup", "doc": "Fetch something.", "parameters": [OBJECT]},
    {"name": "postural", "doc": "Take a posture.", "parameters": []},
]
NODES = [
    {"name": "player", "source": "player", "depth": 0, "state": "search", "frequency": 10.0, "modulations": {}},
    {
        "name": "head",
        "source": "player",
        "depth": 1,
        "state": "active",
        "frequency": None,
        "modulations": {"pan": 0.5},
    },
]


class FakeConnection:
    """A run that does at once what it is asked for, unless it refuses.

    Attributes:
        said: What was asked for.
        gone: Whether the run has ended.
    """

    def __init__(self) -> None:
        self.hello = {"behaviors": FORMS, "objects": ["cup"]}
        self.run: dict[str, Any] = {"status": "running", "behavior": "pickup", "outcome": None, "speed": 1.0}
        self.run |= {"real_time": False, "paused_by": "", "breakpoints": [], "adjusted": []}
        self.sections: dict[str, Any] = {
            "run": self.run,
            "machine": {"pickup": {"phase": "control"}, "pickup/reach": {"phase": "planning"}},
            "tree": NODES,
            "chains": {"left": {"owner": "pickup/reach", "shared": []}, "head": {"owner": None, "shared": []}},
            "parameters": {"pickup": {"object": "cup"}, "pickup/reach": {"object": "cup", "hand": None}},
            "failures": [{"time": 1.0, "text": "it touches the table"}],
        }
        self.time = 1.5
        self.rows: deque[list[Any]] = deque([[0, 0.5, 5, "run", "pickup", "begins", ""]])
        self.refusals: deque[str] = deque()
        self.said: list[dict[str, Any]] = []
        self.gone = False

    def check(self) -> None:
        if self.gone:
            raise TaskMatrixError("the run has ended")

    def wait(self, until: Callable[[], object], seconds: float) -> bool:
        return bool(until())

    def say(self, kind: str, **fields: Any) -> None:
        self.said.append({"type": kind, **fields})
        getattr(self, f"_{kind.replace('-', '_')}", lambda fields: None)(fields)

    def _row(self, kind: str) -> None:
        self.rows.append([self.rows[-1][0] + 1, self.time, 1, kind, "pickup", kind, ""])

    def _pause(self, fields: dict[str, Any]) -> None:
        self.run |= {"status": "paused", "paused_by": "a viewer"}

    def _resume(self, fields: dict[str, Any]) -> None:
        self.run |= {"status": "running", "paused_by": ""}

    def _stop(self, fields: dict[str, Any]) -> None:
        self.run |= {"status": "idle", "outcome": {"text": "stopped by a viewer"}}

    def _start(self, fields: dict[str, Any]) -> None:
        self.run |= {"status": "running", "behavior": fields["behavior"], "outcome": None}
        self._row("run")

    def _speed(self, fields: dict[str, Any]) -> None:
        self.run["speed"] = fields["value"]

    def _break(self, fields: dict[str, Any]) -> None:
        point = {"on": fields["on"], "what": fields["what"]}
        self.run["breakpoints"] = [point] if fields["enabled"] else []

    def _set(self, fields: dict[str, Any]) -> None:
        if fields["where"] == "nobody":
            self.refusals.append("no behavior or component 'nobody'")
            return
        self.run["adjusted"] = [fields]
        self._row("adjusted")


def said(*commands: str, connection: FakeConnection | None = None) -> tuple[list[str], Shell, FakeConnection]:
    """What the shell answers, itself, and the run."""
    run, out = connection or FakeConnection(), io.StringIO()
    shell = Shell(cast("Connection", run), io.StringIO("\n".join([*commands, ""])), out)
    shell.cmdloop()
    return out.getvalue().splitlines(), shell, run


def test_it_tells_how_a_run_stands() -> None:
    """Status, states and components, chains, parameters, failures and the log."""
    assert said("status")[0] == ["pickup: running, at 1.50 s, 1x"]
    assert said("tree")[0] == [
        "pickup: control",
        "pickup/reach: planning",
        "player: search, 10 Hz",
        "  head: active, pan 0.5",
    ]
    assert said("chains")[0] == ["left: pickup/reach"]
    assert said("parameters")[0] == ["pickup: object=cup", "pickup/reach: object=cup"]
    assert said("parameters reach")[0] == ["pickup/reach: object=cup"]
    assert said("failures", "log 1")[0] == ["1.00 s it touches the table", "    0.50 s  pickup: begins"]
    assert said("behaviors", "behaviors pickup")[0] == [
        "pickup: Fetch something.",
        "postural: Take a posture.",
        "object: str = cup; what to take",
    ]


def test_it_controls_a_run() -> None:
    """Each command is one message, and its answer is how the run stands then."""
    told, shell, run = said(
        "pause", "resume", "speed 2", "break state pickup/reach", "set player frequency 5", "status"
    )
    assert told == [
        "pickup: paused (a viewer), at 1.50 s, 1x",
        "pickup: running, at 1.50 s, 1x",
        "pickup: running, at 1.50 s, 2x",
        "  set player frequency 5",
        "  break state pickup/reach",
    ]
    assert not shell.failed
    assert run.said[1:4] == [
        {"type": "resume"},
        {"type": "speed", "value": 2.0},
        {"type": "break", "on": "state", "what": "pickup/reach", "enabled": True},
    ]


def test_another_behavior_takes_the_place_of_one_that_runs() -> None:
    """It is stopped first."""
    told, _, run = said("replace pickup object=can")
    assert told == ["pickup: running, at 1.50 s, 1x"]
    assert [each["type"] for each in run.said] == ["stop", "start"]
    assert run.said[1]["parameters"] == {"object": "can"}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("sett player pan 1", "no command 'sett'; did you mean 'set'?"),
        ("help statu", "no command 'statu'; did you mean 'status'?"),
        ("start pikcup", "no behavior 'pikcup'; did you mean 'pickup'?"),
        ("start pickup cup", "parameters are given as name=value, not 'cup'"),
        ("start pickup objct=cup", "no parameter 'objct' in pickup; did you mean 'object'?"),
        ("set nobody pan 1", "no behavior or component 'nobody'"),
        ("set player pan", "this takes 3 words, not 2"),
        ("speed fast", "the speed is a number, not 'fast'"),
        ("speed nan", "the speed is a number, not 'nan'"),
        ("break stat pickup", "no kind of breakpoint 'stat'; did you mean 'state'?"),
        ("move cup 0 0 up", "a place is a number, not 'up'"),
        ("set 'player pan 1", "cannot read"),
        ("load /nowhere/at/all", "cannot read /nowhere/at/all"),
        ("save /nowhere/at/all", "cannot write /nowhere/at/all"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_done(command: str, why: str) -> None:
    """With the nearest name; the next command is read all the same."""
    told, shell, run = said(command, "status")
    assert told[0].startswith("! ")
    assert why in told[0]
    assert told[1:] == ["pickup: running, at 1.50 s, 1x"]
    assert shell.failed
    assert [each for each in run.said if each["type"] != "set"] == []


def test_what_was_set_is_saved_as_commands_that_set_it_again(tmp_path: Path) -> None:
    """And the behavior that runs, with its parameters."""
    path = tmp_path / "configuration"
    said("set player search true", "break failure ''", "speed 0", f"save {path}")
    assert path.read_text().splitlines() == [
        "replace pickup object=cup",
        "set player search true",
        "break failure ''",
        "speed 0",
    ]
    _, shell, run = said(f"load {path}")
    assert not shell.failed
    assert [each["type"] for each in run.said] == ["stop", "start", "set", "break", "speed"]


def test_what_was_set_of_the_behavior_itself_is_what_it_starts_with(tmp_path: Path) -> None:
    """Set afterwards it would come too late."""
    path = tmp_path / "configuration"
    said("set pickup object can", f"save {path}")
    assert path.read_text().splitlines()[0] == "replace pickup object=can"
    assert "set" not in path.read_text()


def test_loading_stops_at_what_is_refused(tmp_path: Path) -> None:
    """The line is told."""
    path = tmp_path / "configuration"
    path.write_text("speed 2\n# nobody is there\nset nobody pan 1\nspeed 3\n")
    told, shell, run = said(f"load {path}")
    assert told[-1] == f"! line 3 of {path} was refused: set nobody pan 1"
    assert shell.failed
    assert run.run["speed"] == 2.0
    path.write_text(f"load {path}\n")
    assert "loads another file" in said(f"load {path}")[0][-1]


def test_it_ends_with_the_run() -> None:
    """Whatever was typed after it."""
    run = FakeConnection()
    run.gone = True
    assert said("status", "status", connection=run)[0] == ["! the run has ended"]


@pytest.mark.parametrize(
    ("line", "text", "offered"),
    [
        ("start pi", "pi", ["pickup"]),
        ("start pickup ", "", ["object="]),
        ("start pickup object=ca", "object=ca", ["object=can"]),
        ("set pl", "pl", ["player", "player/head"]),
        ("set player/head ", "", ["pan", "frequency"]),
        ("break s", "s", ["state"]),
        ("break state pickup/", "pickup/", ["pickup/reach"]),
        ("move ", "", ["cup"]),
        ("parameters pickup/r", "pickup/r", ["pickup/reach"]),
    ],
)
def test_words_are_completed(line: str, text: str, offered: list[str]) -> None:
    """By what there is in the run."""
    _, shell, _ = said()
    complete = getattr(shell, f"complete_{line.split(maxsplit=1)[0]}")
    assert complete(text, line, len(line) - len(text), len(line)) == offered


def test_every_command_has_help() -> None:
    """In one line each."""
    told = said("help")[0]
    assert "start: Start a behavior when nothing runs: start NAME [PARAMETER=VALUE ...]." in told
    assert {line.partition(":")[0] for line in told} >= {"status", "tree", "set", "unset", "save", "load", "quit"}


@pytest.mark.slow
def test_a_real_run_is_paused_changed_and_stopped() -> None:
    """Over real sockets, with the viewer's process between."""
    with simulate("mannequin", seed=3) as session, View(session, paused=True, speed=None) as view:
        told: list[str] = []

        def visit() -> None:
            out = io.StringIO()
            commands = "set pickup duration 9\nset pickup duration -1\nbreak message planning-ended\nresume\nstop\n"
            with Connection(view.address) as connection:
                Shell(connection, io.StringIO(commands), out).cmdloop()
            told.extend(out.getvalue().splitlines())

        visitor = threading.Thread(target=visit, daemon=True)
        visitor.start()
        behavior = Pickup(object="soda_can")
        outcome = session.run(behavior)
        visitor.join(20.0)
    assert behavior.duration == 9.0
    assert told[0] == "! parameter 'duration' is -1.0; the smallest allowed is 0.0"
    assert outcome.failure is not None
    assert outcome.failure.message == "stopped by a viewer; the robot holds where it is"
    with pytest.raises(TaskMatrixError, match="nothing at http"):
        Connection(view.address)
