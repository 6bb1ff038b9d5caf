"""The command ``taskmatrix validate``, with a tiny matrix."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from taskmatrix.studio.cli.command_line import main
from taskmatrix.studio.validation import Case, Result, command
from taskmatrix.studio.validation.engine import Answer, EngineError, Job

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
        arguments = [*TINY[:2], "reach", *TINY[3:-1], processes, "--seeds", "2", "--out", str(tmp_path / name)]
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


def test_worlds_are_those_that_tasks_are_about_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_programs_run_are_told_and_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the table of their steps, and for each way of failing the shortest program and its command."""
    ran: list[Case] = []
    short = {"robot": "asimo", "world": "sparse", "seed": 0, "items": [{"behavior": "scan", "parameters": {}}]}

    def run(case: Case, picture: str) -> Result:
        ran.append(case)
        steps = [{"step": "turn()", "verdict": "success"}, {"step": "scan()", "verdict": "failure", "kind": "timeout"}]
        steps[1]["reason"] = "still running"
        facts = {"told": steps, "shortest": short, "python": "print('short')\n"}
        return Result(case, "failure", "failure", "scan(): timeout: still running", facts=facts)

    monkeypatch.setattr(command, "run_case", run)
    arguments = ["validate", "--programs", "3", "--steps", "2", "--robots", "asimo,nao", "--worlds", "sparse"]
    assert call(*arguments, "--processes", "1", "--out", str(tmp_path)) == 1
    printed = capsys.readouterr().out
    assert "3 x failure: scan: timeout" in printed
    assert "print('short')" in printed
    assert "taskmatrix validate --programs 1 --steps 2 --robots asimo --worlds sparse --seed 0" in printed
    assert "50.0% of all steps succeed, less than 98%" in " ".join(printed.split())
    assert (tmp_path / "programs" / "asimo-sparse-0.py").read_text() == "print('short')\n"
    assert "Programs that fail" in (tmp_path / "matrix.html").read_text()
    assert call(*arguments, "--processes", "1", "--out", str(tmp_path)) == 1
    assert len(ran) == 3


def succeeds(case: Case, picture: str) -> Result:
    """Every third seed of one behavior fails."""
    failed = case.behavior == "fixate" and case.seed % 3 == 0
    return Result(case, "failure" if failed else "success", "collision" if failed else "", wall=0.1)


class FakeEngine:
    """Two workers on two machines, which run what they get at once; the scheduler goes after so many answers."""

    def __init__(self, most: int = 1000) -> None:
        self.most, self.answers = most, list[Answer]()

    def workers(self) -> list[str]:
        return ["tcp://one:1", "tcp://two:1"]

    def submit(self, job: Job, worker: str) -> None:
        self.answers.append(Answer(job.key, worker, replace(succeeds(job.case, job.picture), wall=7.0)))

    def wait(self, seconds: float) -> list[Answer]:
        found, self.answers = self.answers[: self.most], self.answers[self.most :]
        self.most -= len(found)
        if not self.most:
            raise EngineError("the scheduler at tcp://one:8786 has gone")
        return found

    def cancel(self, key: str, worker: str) -> None:
        pass

    def restart(self, worker: str) -> bool:
        return True

    def close(self) -> None:
        pass


def test_an_engine_makes_the_matrix_of_one_machine_byte_for_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And tells besides which machine did what."""
    monkeypatch.setattr(command, "run_case", succeeds)
    monkeypatch.setattr(command, "open_engine", lambda name, processes, run: FakeEngine())
    monkeypatch.chdir(tmp_path)
    made = {}
    for engine in ("", "dask://one:8786"):
        call(*TINY, "--seeds", "6", "--fresh", *(["--engine", engine] if engine else []))
        out = command.OUT
        made[engine] = [(out / name).read_bytes() for name in ("matrix.json", "matrix.html")]
    assert made[""] == made["dask://one:8786"]
    timing = json.loads((command.OUT / "timing.json").read_text())
    assert sorted(timing["hosts"]) == ["one", "two"]
    assert sum(counts["runs"] for counts in timing["hosts"].values()) == 12
    assert sum(counts["not successful"] for counts in timing["hosts"].values()) == 2
    assert {run["wall"] for run in timing["runs"]} == {7.0}
    assert "one: " in capsys.readouterr().out


def test_a_scheduler_that_goes_tells_what_was_kept_and_the_same_command_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that came is lost."""
    engines = [FakeEngine(5), FakeEngine()]
    monkeypatch.setattr(command, "open_engine", lambda name, processes, run: engines.pop(0))
    arguments = [*TINY, "--seeds", "6", "--engine", "dask://one:8786", "--out", str(tmp_path)]
    assert call(*arguments) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "the scheduler at tcp://one:8786 has gone; 4 of 12 results are kept, the same command goes on" in told
    call(*arguments)
    assert "4 of 12 runs are done already" in capsys.readouterr().out
    assert json.loads((tmp_path / "matrix.json").read_text())["runs"] == 12


def test_a_budget_bounds_the_runs_and_the_same_command_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every cell gets its share."""
    monkeypatch.setattr(command, "run_case", succeeds)
    arguments = [*TINY, "--seeds", "6", "--out", str(tmp_path), "--budget", "8"]
    assert call(*arguments) == 1
    assert "4 runs are left; the same command goes on" in capsys.readouterr().out
    assert [cell["runs"] for cell in json.loads((tmp_path / "matrix.json").read_text())["cells"]] == [4, 4]
    call(*arguments)
    assert "runs are left" not in capsys.readouterr().out


def test_a_precision_adds_seeds_where_the_rate_is_unsure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell that succeeds always needs fewer; resumed, nothing is run again."""
    monkeypatch.setattr(command, "run_case", succeeds)
    arguments = [*TINY, "--seeds", "4", "--out", str(tmp_path), "--precision", "0.1"]
    call(*arguments)
    fixate, postural = json.loads((tmp_path / "matrix.json").read_text())["cells"]
    assert 70 < fixate["runs"] < 130
    assert 12 < postural["runs"] < 25
    monkeypatch.setattr(command, "run_case", lambda case, picture: pytest.fail("run again"))
    call(*arguments)
    assert call(*TINY, "--seed", "1", "--precision", "0.1") == 2
    assert "--precision adds seeds" in capsys.readouterr().err


def test_another_matrix_is_compared_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is run it is known whether that can be read."""
    monkeypatch.setattr(command, "run_case", lambda case, picture: Result(case, "success"))
    call(*TINY, "--seeds", "30", "--out", str(tmp_path / "before"))
    monkeypatch.setattr(command, "run_case", succeeds)
    other = tmp_path / "before" / "matrix.json"
    call(*TINY, "--seeds", "30", "--out", str(tmp_path / "now"), "--compare", str(other))
    told = " ".join(capsys.readouterr().out.split())
    assert "fixate by mannequin in sparse: 30/30 -> 20/30, -33.3% (-51.2% to -15.2%), significant" in told
    assert call(*TINY, "--compare", str(tmp_path / "none.json")) == 2


def test_a_robot_of_ones_own_is_named_by_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it is everywhere; a folder that is not there is a name that nobody knows."""
    assert command._chosen("robot", [str(tmp_path)], ["mannequin"]) == [str(tmp_path)]
    assert call("validate", "--robots", str(tmp_path / "nowhere"), "--behaviors", "fixate") == 2
    assert "no robot" in capsys.readouterr().err


def test_a_world_that_lacks_what_a_behavior_is_about_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where none is left, it is said what they lack."""
    ran: list[Case] = []

    def run(case: Case, picture: str) -> Result:
        ran.append(case)
        return Result(case, "success")

    monkeypatch.setattr(command, "run_case", run)
    asked = ["validate", "--robots", "mannequin", "--worlds", "sparse,canteen", "--seeds", "2", "--out", str(tmp_path)]
    assert call(*asked, "--behaviors", "position", "--processes", "1") == 0
    assert {case.world for case in ran} == {"sparse"}
    assert call("validate", "--behaviors", "position,pickup:sofa", "--worlds", "canteen", "--out", str(tmp_path)) == 2
    said = capsys.readouterr().err.replace("\n", " ")
    assert "nothing that was asked for can be run: 'canteen' has no confetti_1; 'canteen' has no sofa" in said
