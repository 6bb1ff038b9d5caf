from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from taskmatrix.core.base.events import EventStream
from taskmatrix.core.base.message import Message, MessageKind, grammar_violation
from taskmatrix.studio.cli import command_line, run_command
from taskmatrix.studio.cli.command_line import main
from taskmatrix.studio.drawing import pictures

QUICK = ("run", "pickup", "--param", "object=table")  # fails at once, for want of a grasp
QUICK_STEM = "pickup-mannequin-sparse-0-object=table"


def call(*arguments: str) -> int:
    """Run the command in this process; its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


@pytest.mark.pictures
def test_run_shows_what_happens_and_writes_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The main job: progress on the terminal, the outcome, contact sheet, animation and event log."""
    monkeypatch.setattr(run_command, "animation", partial(pictures.animation, most=8))
    assert call("run", "pickup", "--robot", "mannequin", "--out", str(tmp_path)) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for part in ("pickup/reach planning-started", "planned a motion of", "task-successful", "success after"):
        assert part in shown
    sheet, film = tmp_path / "pickup-mannequin-sparse-0.png", tmp_path / "pickup-mannequin-sparse-0.gif"
    with Image.open(sheet) as picture:
        assert picture.width > 1000
        assert sum(count > 0 for count in picture.convert("L").histogram()) > 100
    with Image.open(film) as animation:
        assert getattr(animation, "n_frames", 1) > 6
    log = [json.loads(line) for line in (tmp_path / "pickup-mannequin-sparse-0.jsonl").read_text().splitlines()]
    messages = [
        Message(MessageKind(event["data"]["message"]), event["source"], event["time"])
        for event in log
        if event["kind"] == "message"
    ]
    assert grammar_violation(messages) is None
    assert log[-1]["kind"] == "outcome"


def test_json_prints_the_outcome_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For machines: one object on standard output."""
    arguments = ("--robot", "mannequin", "--param", "object=broom", "--seed", "1", "--json", "--no-pictures")
    assert call("run", "pickup", *arguments, "--out", str(tmp_path)) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["success"] is True
    assert report["failure"] is None
    assert report["parameters"]["object"] == "broom"
    assert report["robot"] == "mannequin"
    assert 0.5 < report["furniture_scale"] < 1.5
    assert Path(report["files"]["events"]).exists()


def test_quiet_prints_the_outcome_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For people who know the rest; the files are written all the same."""
    assert call("run", "pickup", "--no-pictures", "-q", "--out", str(tmp_path)) == 0
    told = capsys.readouterr()
    assert re.fullmatch(r"success after [\d.]+ s\n", told.out)
    assert told.err == ""
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]


def test_a_failure_is_exit_code_one_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The whole chain in the terminal, and as a structure in JSON."""
    arguments = ("run", "pickup", "--param", "object=table", "--no-pictures", "--out", str(tmp_path))
    assert call(*arguments) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "state 'reach' failed, because pickup/reach: no free hand has a grasp of 'table'" in shown
    assert call(*arguments, "--json") == 1
    failure = json.loads(capsys.readouterr().out)["failure"]
    assert failure["kind"] == "no_grasp"
    assert failure["cause"]["where"] == "pickup/reach"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "pikup"), ["no behavior 'pikup'", "did you mean 'pickup'"]),
        (("run", "pickup", "--robot", "asimov"), ["no robot 'asimov'", "did you mean 'asimo'"]),
        (("run", "pickup", "--robot", "nowhere/robot.toml"), ["nowhere/robot.toml"]),
        (("run", "pickup", "--world", "spars"), ["no world 'spars'", "did you mean 'sparse'"]),
        (("run", "pickup", "--param", "objct=broom"), ["no parameter 'objct'", "did you mean 'object'"]),
        (("run", "pickup", "--param", "duration=soon"), ["duration", "a number", "'soon'"]),
        (("run", "pickup", "--param", "duration=-1"), ["duration", "smallest allowed is 0"]),
        (("run", "pickup", "--param", "duration"), ["name=value"]),
        (("run", "postural"), ["posture", "needs --param", "There are: ", "stand"]),
        (("run", "pickup", "--timeout", "0"), ["--timeout", "greater than 0"]),
        (("run", "pickup", "--timeout", "nan"), ["--timeout", "greater than 0"]),
        (("list", "robot"), ["no list 'robot'", "did you mean 'robots'"]),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_code_two(
    arguments: tuple[str, ...], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was wrong, what is allowed, the nearest valid name; and nothing was written."""
    out = ("--out", str(tmp_path / "out")) if arguments[0] == "run" else ()
    assert call(*arguments, *out) == 2
    shown = " ".join(capsys.readouterr().err.split())
    for word in words:
        assert word in shown
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("what", ["robots", "behaviors", "worlds"])
def test_list_gives_every_name_a_line(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With a description each."""
    expected = {"robots": "mannequin", "behaviors": "pickup", "worlds": "sparse"}[what]
    assert call("list", what, "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows[expected]["description"]) > 20
    assert call("list", what) == 0
    assert expected in capsys.readouterr().out


def test_the_same_seed_gives_identical_event_streams_in_two_processes(tmp_path: Path) -> None:
    """Byte for byte, whatever the hash seed."""
    command = [sys.executable, "-m", "taskmatrix", "run", "reach", "--robot", "asimo", "--seed", "4"]
    arguments = ["--param", "object=tennis_ball", "--no-pictures", "--out"]
    started = [
        subprocess.Popen(
            [*command, *arguments, str(tmp_path / number)],
            env={**os.environ, "PYTHONHASHSEED": number},
            stdout=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        for number in ("1", "2")
    ]
    assert [process.wait(120.0) for process in started] == [0, 0]
    name = "reach-asimo-sparse-4-object=tennis_ball.jsonl"
    logs = [(tmp_path / number / name).read_bytes() for number in ("1", "2")]
    assert logs[0] == logs[1]
    assert len(logs[0]) > 100_000


def test_ctrl_c_in_the_middle_stops_safely_and_closes_the_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends as interrupted, the log is whole up to its outcome, and the grammar holds."""
    plain_emit = EventStream.emit

    def interrupting(self: EventStream, kind: str, source: str, **data: object) -> None:
        plain_emit(self, kind, source, **data)
        if kind == "step" and self.step == 150:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(EventStream, "emit", interrupting)
    assert call("run", "pickup", "--out", str(tmp_path)) == 1
    assert "interrupted" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["pickup-mannequin-sparse-0.jsonl"]
    log = [json.loads(line) for line in (tmp_path / "pickup-mannequin-sparse-0.jsonl").read_text().splitlines()]
    assert log[-1]["kind"] == "outcome"
    assert log[-1]["data"]["failure"]["kind"] == "interrupted"
    messages = [
        Message(MessageKind(event["data"]["message"]), event["source"], event["time"])
        for event in log
        if event["kind"] == "message"
    ]
    assert grammar_violation(messages) is None
    assert len([event for event in log if event["kind"] == "step"]) in (150, 151, 152)


def test_given_parameters_are_in_the_names_and_the_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of declaration, without characters that are more than a name, with the suffix behind them."""
    titles = []

    def sheet(*arguments: object, **_: object) -> None:
        titles.append(arguments[4])

    monkeypatch.setattr(run_command, "contact_sheet", sheet)
    monkeypatch.setattr(run_command, "animation", lambda *_, **__: None)
    parameters = ("--param", "duration=1.5", "--param", "object=no/such thing")
    assert call("run", "pickup", *parameters, "--out", str(tmp_path)) == 1
    name = "pickup-mannequin-sparse-0-object=no_such_thing-duration=1.5.jsonl"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert titles == ["pickup (object=no/such thing, duration=1.5) by mannequin in sparse, seed 0"]


def test_a_run_without_pictures_leaves_none_of_an_earlier_run(tmp_path: Path) -> None:
    """Only those of the same name go."""
    for name in (f"{QUICK_STEM}.png", f"{QUICK_STEM}.gif", "other.png"):
        (tmp_path / name).touch()
    assert call(*QUICK, "--no-pictures", "--out", str(tmp_path)) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.png", f"{QUICK_STEM}.jsonl"]


@pytest.mark.parametrize("blocked", ["out", f"out/{QUICK_STEM}.jsonl", "pictures"])
def test_what_cannot_be_written_is_one_line_and_exit_code_two(
    blocked: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder, the log or the pictures."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if blocked == "out":
        (tmp_path / "out").touch()
    elif blocked == "pictures":
        monkeypatch.setattr(run_command, "contact_sheet", full)
    else:
        (tmp_path / blocked).mkdir(parents=True)
    assert call(*QUICK, "--out", str(tmp_path / "out")) == 2
    shown = capsys.readouterr().err
    assert shown.startswith(f"error: cannot write {tmp_path / 'out'}")
    assert shown.count("\n") == 1


def test_ctrl_c_while_rendering_keeps_the_log_and_the_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is announced before; half a picture is removed."""

    def interrupted(*arguments: object, **_: object) -> None:
        Path(str(arguments[3])).touch()
        assert f"{QUICK_STEM}.jsonl" in capsys.readouterr().out
        raise KeyboardInterrupt

    monkeypatch.setattr(run_command, "contact_sheet", interrupted)
    assert call(*QUICK, "--out", str(tmp_path)) == 1
    assert "pictures left out" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [f"{QUICK_STEM}.jsonl"]


def test_lines_are_not_broken_where_there_is_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence longer than eighty columns stays one line."""
    assert call(*QUICK, "--no-pictures", "--out", str(tmp_path)) == 1
    outcome = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("failure after"))
    assert len(outcome) > 80
    assert "no free hand has a grasp of 'table'" in outcome


def test_timeout_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As a failure that says so."""
    assert call("run", "pickup", "--timeout", "0.05", "--json", "--no-pictures", "--out", str(tmp_path)) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["failure"]["kind"] == "timeout"
    assert report["duration"] < 0.1
    assert report["recovered"] == []


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As the package's metadata have it."""
    monkeypatch.setattr(command_line, "version", lambda package: f"1.2.3 of {package}")
    assert call("--version") == 0
    assert capsys.readouterr().out == "taskmatrix 1.2.3 of taskmatrix\n"


def test_help_names_the_arguments_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    """Without braces."""
    assert call("run", "--help") == 0
    assert "run [OPTIONS] BEHAVIOR" in capsys.readouterr().out
    assert call("list", "--help") == 0
    assert "list [OPTIONS] WHAT" in capsys.readouterr().out


def test_list_of_behaviors_shows_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    """Name, type and default of each."""
    assert call("list", "behaviors") == 0
    lines = capsys.readouterr().out.splitlines()
    row = next(line for line in lines if line.startswith("pickup"))
    assert row.rstrip().endswith("duration: float = 4.0, onto: str = none, up: str = none, into: str = none")


def test_a_list_for_machines_has_all_that_a_form_needs(capsys: pytest.CaptureFixture[str]) -> None:
    """Parameters and outputs of behaviors, and of one robot or world what takes loading it."""
    assert call("list", "behaviors", "--json") == 0
    reach = json.loads(capsys.readouterr().out)["reach"]
    assert reach["parameters"]["duration"] == {
        "type": "float",
        "doc": "[s] shortest time of the movement, without planning",
        "required": False,
        "default": 4.0,
        "minimum": 0.0,
        "maximum": None,
        "choices": [],
    }
    assert reach["parameters"]["object"]["required"]
    assert reach["outputs"]["hand"]["type"] == "str"
    assert call("list", "robots", "bandit", "--json") == 0
    assert "left_arm" in json.loads(capsys.readouterr().out)["bandit"]["provides"]["chains"]
    assert call("list", "worlds", "sparse", "--json") == 0
    assert json.loads(capsys.readouterr().out)["sparse"]["objects"]["broom"] == "graspable/tool/broom"


def test_a_shell_completes_names() -> None:
    """Behaviors, robots and worlds, as far as they are typed."""
    said = complete("taskmatrix run pick", 2), complete("taskmatrix run pickup --robot man", 4)
    assert said == (["pick-and-place", "pickup"], ["mannequin"])


def complete(typed: str, word: int) -> list[str]:
    """What Bash would offer for a word of what is typed."""
    given = {"_TASKMATRIX_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(word)}
    program = "import sys; sys.argv[0] = 'taskmatrix'; from taskmatrix.studio.cli.command_line import main; main()"
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, env={**os.environ, **given}, capture_output=True, text=True, check=False
    ).stdout.split()


@pytest.mark.parametrize(
    ("ending", "environment"),
    [(">&-", {}), ("2>&-", {}), ("", {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})],
)
def test_streams_that_are_closed_or_take_ascii_only(ending: str, environment: dict[str, str]) -> None:
    """The command ends as it would without, and prints question marks for what cannot be shown."""
    program = "import taskmatrix.studio.cli.command_line as c; c.typer.echo('4 \\u2265 3'); c.main(['list', 'worlds'])"
    command = f'exec {sys.executable} -c "{program}" {ending}'
    done = subprocess.run(
        ["sh", "-c", command], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert ("sparse" in done.stdout) == (ending != ">&-")


def test_list_explains_the_parameters_of_one_behavior(capsys: pytest.CaptureFixture[str]) -> None:
    """Each in a line of its own; a wrong name is told."""
    assert call("list", "behaviors", "pickup") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Reach for an object")
    assert [" ".join(line.split()) for line in lines[2:]] == [
        "object: str = the world's id of the object to fetch",
        "duration: float = 4.0 [s] shortest time of the reaching movement",
        "onto: str = none id of what to put it on next: it takes a grasp that will do there, if any",
        "up: str = none which of its axes is up there; z unless given: x, -x, y, -y, z, -z",
        "into: str = none id of what to put it into next: likewise",
    ]
    assert call("list", "robots", "asimo", "--json") == 0
    assert list(json.loads(capsys.readouterr().out)) == ["asimo"]
    assert call("list", "behaviors", "pikup") == 2
    assert "did you mean 'pickup'" in capsys.readouterr().err


def test_a_second_robot_is_in_the_log_and_in_the_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And a world without room for one says so in one line."""
    options = ("--robot", "asimo", "--param", "posture=ready", "--second-robot", "mannequin", "--no-pictures")
    assert call("run", "postural", *options, "--out", str(tmp_path), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["second_robot"] == "mannequin"
    assert report["files"]["events"].endswith("postural-asimo-sparse-0-posture=ready-second_robot=mannequin.jsonl")
    assert '"second_robot"' in Path(report["files"]["events"]).read_text(encoding="utf-8")
    assert call("run", "postural", *options[:4], "--second-robot", "manequin", "--out", str(tmp_path)) == 2
    assert "did you mean 'mannequin'" in capsys.readouterr().err


@pytest.mark.pictures
def test_a_camera_is_in_the_report_and_the_file_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that runs with and without one are kept apart."""
    out = ("--out", str(tmp_path), "--no-pictures", "--json", "--perception", "camera")
    assert call("run", "timer", "--param", "duration=0.1", *out) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["perception"] == "camera"
    assert "perception=camera" in report["files"]["events"]


def test_another_behavior_can_be_run_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the same object; the outcome is that of the last that ran, and the log has all."""
    options = ("--param", "object=soda_can", "--no-pictures", "--out", str(tmp_path), "--json")
    assert call("run", "grasp", "--after", "reach", *options) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["after"] == ["reach"]
    assert report["duration"] < 1.0
    log = tmp_path / "grasp-mannequin-sparse-0-object=soda_can-after=reach.jsonl"
    outcomes = [event for event in map(json.loads, log.read_text().splitlines()) if event["kind"] == "outcome"]
    assert [event["source"] for event in outcomes] == ["reach", "grasp"]


def test_what_fails_first_is_the_outcome(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other one does not run; a wrong name is refused before anything does."""
    options = ("--param", "object=table", "--no-pictures", "--out", str(tmp_path), "--json")
    assert call("run", "putdown", "--after", "pickup", *options) == 1
    assert json.loads(capsys.readouterr().out)["failure"]["where"] == "pickup"
    assert call("run", "putdown", "--after", "pikup") == 2
    assert "did you mean 'pickup'" in capsys.readouterr().err


def test_what_needs_a_held_object_is_told_how_it_gets_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """When it is run alone; other failures, and JSON, are as ever."""
    options = ("--no-pictures", "--out", str(tmp_path))
    for behavior in ("transfer", "release"):
        assert call("run", behavior, *options) == 1
        assert "(try --after pickup)" in capsys.readouterr().out
    assert call("run", "grasp", *options) == 1
    assert "--after pickup" not in capsys.readouterr().out
    assert call("run", "release", *options, "--json") == 1
    assert json.loads(capsys.readouterr().out)["failure"]["kind"] == "precondition"


def test_a_class_of_a_module_can_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user writes it, in the working folder."""
    text = "import taskmatrix as tm\nclass Look(tm.behaviors.Fixate): pass\n"
    (tmp_path / "my_tasks_to_run.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert call("run", "my_tasks_to_run:Look", "--no-pictures") == 0
    assert (tmp_path / "out" / "my_tasks_to_run_Look-mannequin-sparse-0.jsonl").exists()


def test_what_nobody_stops_is_bounded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without parameters, a scan comes to an end by itself."""
    assert call("run", "scan", "--no-pictures", "--json", "--out", str(tmp_path)) == 0
    assert json.loads(capsys.readouterr().out)["duration"] < 20.0


@pytest.mark.parametrize(("format", "begins"), [("mermaid", "flowchart TD"), ("dot", "digraph"), ("svg", "<svg ")])
def test_graph_draws_a_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str, begins: str) -> None:
    """Printed and nothing else, or written to a file; the same every time."""
    assert call("graph", "pickup", "--format", format) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(begins)
    assert "reach" in printed
    file = tmp_path / "new" / "pickup.txt"
    assert call("graph", "taskmatrix.behaviors:Pickup", "--format", format, "--out", str(file)) == 0
    assert file.read_text(encoding="utf-8") == printed
    assert f"wrote {file}" in capsys.readouterr().out


def test_graph_is_told_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name or format is one line and exit code 2."""
    assert call("graph", "pikup") == 2
    assert "did you mean 'pickup'?" in capsys.readouterr().err
    assert call("graph", "pickup", "--format", "png") == 2
    assert "no format 'png'" in capsys.readouterr().err


def test_list_tells_what_one_robot_provides(capsys: pytest.CaptureFixture[str]) -> None:
    """Below its description, part by part."""
    assert call("list", "robots", "bandit") == 0
    told = " ".join(capsys.readouterr().out.split())
    for words in (
        "chains base (3)",
        "turns on the spot",
        "left hand closes 1 joint, opens 2 to 92 mm",
        "a head turns it",
    ):
        assert words in told
