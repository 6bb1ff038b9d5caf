"""The command ``taskmatrix validate``, with a tiny matrix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taskmatrix.studio.command_line import main
from taskmatrix.studio.validation import Case, Result, command

TINY = ["validate", "--behaviors", "fixate,postural", "--robots", "mannequin", "--worlds", "sparse", "--processes", "1"]


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


def test_a_tiny_matrix_runs_and_is_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table, JSON and page; what is done is not run again, unless asked to."""
    arguments = [*TINY, "--seeds", "2", "--out", str(tmp_path)]
    assert call(*arguments) == 0
    printed = capsys.readouterr().out
    assert "100.0% of 4 runs succeed" in printed
    assert "2/2" in (tmp_path / "matrix.html").read_text()
    assert json.loads((tmp_path / "matrix.json").read_text())["runs"] == 4
    ran: list[Case] = []

    def run(case: Case, picture: str) -> Result:
        ran.append(case)
        return Result(case, "failure", "collision", "the hand touches the table")

    monkeypatch.setattr(command, "run_case", run)
    assert call(*arguments) == 0
    assert ran == []
    assert "4 of 4 runs are done already" in capsys.readouterr().out
    assert call(*arguments, "--seeds", "3") == 1
    assert sorted(case.seed for case in ran) == [2, 2]
    assert call(*arguments, "--fresh") == 1
    assert len(ran) == 6
    assert f"  {ran[0].replay}" in capsys.readouterr().out


def test_json_is_all_that_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the standard output."""
    monkeypatch.setattr(command, "run_case", lambda case, picture: Result(case, "success"))
    assert call(*TINY, "--seeds", "2", "--out", str(tmp_path), "--json") == 0
    assert json.loads(capsys.readouterr().out)["rate"] == 1.0


def test_the_sample_has_each_behavior_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the matrix, the longest first."""
    ran: list[Case] = []

    def run(case: Case, picture: str) -> Result:
        ran.append(case)
        return Result(case, "success")

    monkeypatch.setattr(command, "run_case", run)
    assert call("validate", "--sample", "--processes", "1", "--out", str(tmp_path)) == 0
    behaviors = [case.behavior for case in ran]
    assert len(set(behaviors)) == len(behaviors) >= 5
    assert len({case.robot for case in ran}) >= 4


@pytest.mark.pictures
def test_a_single_case_tells_all_and_leaves_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That is what a replay command does."""
    arguments = ["validate", "--behaviors", "postural", "--robots", "mannequin", "--worlds", "sparse", "--seed", "3"]
    assert call(*arguments, "--out", str(tmp_path)) == 0
    printed = capsys.readouterr().out
    assert "planned a motion" in printed
    assert "postural by mannequin in sparse, seed 3: judged successful" in printed
    stem = tmp_path / "pictures" / "postural-mannequin-sparse-3"
    assert stem.with_suffix(".png").stat().st_size > 10_000
    assert stem.with_suffix(".jsonl").read_text().count('"kind": "step"') > 100


def test_unknown_names_are_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the nearest."""
    assert call("validate", "--behaviors", "reech", "--out", str(tmp_path)) == 2
    assert "did you mean 'reach'" in capsys.readouterr().err
    assert call("validate", "--robots", "tallos", "--out", str(tmp_path)) == 2
    assert "did you mean 'talos'" in capsys.readouterr().err


@pytest.mark.slow
def test_two_processes_give_the_results_of_one(tmp_path: Path) -> None:
    """Bit for bit."""

    def facts(out: Path) -> list[object]:
        data = json.loads((out / "matrix.json").read_text())
        return [(item["behavior"], item["seed"], item["facts"], item["duration"]) for item in data["results"]]

    for name, processes in (("one", "1"), ("two", "2")):
        arguments = [*TINY[:2], "reach,fixate", *TINY[3:-1], processes, "--seeds", "2", "--out", str(tmp_path / name)]
        assert call(*arguments) == 0
    assert facts(tmp_path / "one") == facts(tmp_path / "two")


def test_a_replay_leaves_the_matrix_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command that is printed with a failure, in the same folder."""
    monkeypatch.setattr(command, "run_case", lambda case, picture="", readers=(): Result(case, "failure", "collision"))
    assert call(*TINY, "--seeds", "2", "--out", str(tmp_path)) == 1
    matrix = (tmp_path / "matrix.json").read_text()
    replay = json.loads(matrix)["cells"][0]["replay"][0].split()
    assert replay[-2:] == ["--out", str(tmp_path)]
    assert call(*replay[1:]) == 1
    assert (tmp_path / "matrix.json").read_text() == matrix


def test_without_pybullet_cases_are_done_without_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And are not run again and again; a run in which nothing happened has none anyway."""
    ran: list[Case] = []

    def run(case: Case, picture: str) -> Result:
        ran.append(case)
        return Result(case, "success", duration=1.0)

    monkeypatch.setattr(command, "run_case", run)
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    for _ in range(2):
        assert call(*TINY, "--seeds", "2", "--out", str(tmp_path), "--pictures") == 0
    assert len(ran) == 4
    assert "no pictures without PyBullet" in capsys.readouterr().out


def test_worlds_are_those_with_furniture_unless_they_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a field there is nothing to put things on."""
    ran: list[Case] = []

    def run(case: Case, picture: str) -> Result:
        ran.append(case)
        return Result(case, "success")

    monkeypatch.setattr(command, "run_case", run)
    arguments = [*TINY[:5], "--processes", "1", "--seeds", "1", "--out", str(tmp_path)]
    assert call(*arguments) == 0
    assert {case.world for case in ran} == {"apartment", "cottage", "sparse"}
    ran.clear()
    assert call(*arguments, "--worlds", "soccer,sparse") == 0
    assert {case.world for case in ran} == {"soccer"}
