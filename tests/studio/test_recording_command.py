"""The command ``taskmatrix recording``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taskmatrix.studio.cli.command_line import main
from taskmatrix.studio.cli.recording_command import as_typed

FAILS = ("run", "pickup", "--param", "object=table", "--no-pictures", "--record")  # at once, for want of a grasp
NAME = "pickup-mannequin-sparse-0-object=table.mcap"


def call(*arguments: str) -> int:
    """Run the command in this process; its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


@pytest.fixture
def recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """One of a run that fails."""
    assert call(*FAILS, "--out", str(tmp_path)) == 1
    assert f"wrote {tmp_path / NAME}" in capsys.readouterr().out.replace("\n", "")
    return tmp_path / NAME


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_run_names_the_recording_in_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For machines."""
    assert call(*FAILS, "--out", str(tmp_path), "--json") == 1
    assert json.loads(capsys.readouterr().out)["files"]["recording"] == str(tmp_path / NAME)


def test_nothing_is_recorded_unless_asked_for(tmp_path: Path) -> None:
    """There is the event log then."""
    call(*FAILS[:-1], "--out", str(tmp_path))
    assert [path.suffix for path in tmp_path.iterdir()] == [".jsonl"]


def test_it_says_what_is_in_a_recording(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command, what it was about, versions, how long it took, and why it failed."""
    assert call("recording", str(recording)) == 0
    text = shown(capsys)
    for part in (
        f"command taskmatrix run pickup --param object=table --no-pictures --record --out {recording.parent.name}",
        "robot mannequin",
        "world sparse",
        "seed 0",
        "numpy ",
        "control steps",
        "1 program",
        "pickup failed: pickup: state 'reach' failed, because pickup/reach: no free hand has a grasp of 'table'",
    ):
        assert part in text
    assert "breaks off" not in text


def test_it_says_it_as_data(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All of it."""
    assert call("recording", str(recording), "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["robot"], said["complete"], said["events"]["outcome"]) == ("mannequin", True, 1)
    assert said["steps"] == said["events"]["step"] > 0
    (outcome,) = said["outcomes"]
    assert (outcome["behavior"], outcome["success"]) == ("pickup", False)
    assert outcome["failure"]["cause"]["where"] == "pickup/reach"


def test_it_says_that_a_recording_breaks_off(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what there is until then."""
    recording.write_bytes(recording.read_bytes()[:-100])
    assert call("recording", str(recording)) == 0
    assert "the file breaks off" in shown(capsys)


def test_it_says_where_two_recordings_differ(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In words, or as data."""
    other = tmp_path / "other"
    assert call(*FAILS, "--seed", "7", "--out", str(other)) == 1
    capsys.readouterr()
    second = str(other / NAME.replace("-0-", "-7-"))
    assert call("recording", str(recording), second) == 0
    text = shown(capsys)
    assert "seed 0 7" in text
    assert "messages and transitions are the same, with other motions." in text
    assert call("recording", str(recording), str(recording), "--json") == 0
    assert json.loads(capsys.readouterr().out)["same"]


@pytest.mark.pictures
def test_pictures_are_made_of_a_recording(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The contact sheet and the animation that 'run' makes, without the robot."""
    sheet, film = tmp_path / "new" / "run.png", tmp_path / "new" / "run.gif"
    assert call("recording", str(recording), "--picture", str(sheet), "--film", str(film)) == 0
    assert f"wrote {sheet}" in capsys.readouterr().out.replace("\n", "")
    assert sheet.read_bytes().startswith(b"\x89PNG")
    assert film.read_bytes().startswith(b"GIF")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--picture", "run.jpg"], "--picture writes a file that ends with .png, not 'run.jpg'"),
        (["--film", "run"], "--film writes a file that ends with .gif"),
        (["FILE", "--film", "run.gif"], "of one recording, not of two"),
    ],
)
def test_wrong_pictures_are_an_error(
    recording: Path, capsys: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    """Before anything is drawn."""
    assert call("recording", str(recording), *(str(recording) if each == "FILE" else each for each in given)) == 2
    assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(("name", "words"), [("no.mcap", "No such file"), ("a.jsonl", "is no recording of taskmatrix")])
def test_what_is_no_recording_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    """One line, and exit code 2."""
    (tmp_path / "a.jsonl").write_text("{}\n")
    assert call("recording", str(tmp_path / name)) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_a_command_names_files_without_their_folders() -> None:
    """What is quoted for a shell stays so; relative paths are as they were."""
    assert as_typed(["run", "own:Thing", "--robot", "/home/me/robot.toml", "--world=/x/y/w.toml", "--out", "a b"]) == (
        "taskmatrix run own:Thing --robot robot.toml --world=w.toml --out 'a b'"
    )
