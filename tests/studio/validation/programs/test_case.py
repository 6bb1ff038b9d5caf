"""Cases that are programs."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.studio.validation import Result, run_case
from taskmatrix.studio.validation.programs import (
    LoopCase,
    Program,
    ProgramCase,
    ProgramMatrix,
    Step,
    case,
    keep,
    random_cases,
    written_case,
)  # fmt: skip
from taskmatrix.studio.validation.programs.judging import Told
from taskmatrix.studio.validation.programs.run import Run
from taskmatrix.studio.validation.store import Store

from .told import HAND_AND_CAN, bad, good, wrong

CASE = ProgramCase("program", "asimo", "sparse", 3, steps=4, disturbed=True)
STEPS = tuple(Step(name) for name in ("scan", "turn", "random-walk", "find"))


def fake(monkeypatch: pytest.MonkeyPatch, judge: Callable[[tuple[str, ...]], list[Told]]) -> list[int]:
    """Programs of ``STEPS`` that run without a robot; how long those that ran were."""
    lengths: list[int] = []

    def run(program: Program, source: object = None, readers: object = ()) -> Run:
        own = program if source is None else replace(program, items=STEPS)
        lengths.append(len(own.items))
        return Run(own, tuple(judge(tuple(step.behavior for step in own.steps))))

    monkeypatch.setattr(case, "run_program", run)
    return lengths


def walk_spoils_find(names: tuple[str, ...]) -> list[Told]:
    spoilt = "random-walk" in names
    return [wrong(f"{name}()") if name == "find" and spoilt else good(f"{name}()") for name in names]


def test_a_case_is_a_value() -> None:
    """It travels to other processes and into files, and is no other case; the folder does not count."""
    result = Result(CASE, "failure", "lock-up", "nothing works")
    assert pickle.loads(pickle.dumps(CASE)) == CASE
    assert Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result
    assert len({CASE, replace(CASE, out="elsewhere"), replace(CASE, steps=5), replace(CASE, disturbed=False)}) == 3


def test_a_failing_program_is_shortened_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Down to what it takes, as Python that can be run."""
    lengths = fake(monkeypatch, walk_spoils_find)
    result = run_case(CASE)
    assert (result.verdict, result.kind) == ("failure", "false success")
    assert result.reason.startswith("find(): judge/goal: ")
    assert [item["behavior"] for item in result.facts["shortest"]["items"]] == ["random-walk", "find"]
    assert "    print(session.run(RandomWalk()))\n    print(session.run(Find()))\n" in result.facts["python"]
    assert lengths[0] == 4
    assert len(lengths) < 12


def test_a_program_without_failures_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is a success."""
    lengths = fake(monkeypatch, lambda names: [good(name) for name in names])
    assert run_case(CASE).verdict == "success"
    assert lengths == [4]


def test_the_gravest_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock-up before a false success before a failure."""
    stuck = [bad("pickup()", HAND_AND_CAN), wrong("scan()"), bad("turn()", HAND_AND_CAN), bad("find()", HAND_AND_CAN)]
    fake(monkeypatch, lambda names: stuck[: len(names)])
    assert run_case(CASE).kind == "lock-up"
    fake(monkeypatch, lambda names: stuck[: min(len(names), 3)])
    assert run_case(CASE).kind == "false success"


def test_programs_are_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store gives their results back, with all that was told."""
    fake(monkeypatch, walk_spoils_find)
    result = run_case(CASE)
    Store(tmp_path / "results.jsonl").add(result)
    found = Store(tmp_path / "results.jsonl").results[CASE]
    assert found.facts["python"] == result.facts["python"]
    assert ProgramMatrix.of([found]).to_dict() == ProgramMatrix.of([result]).to_dict()


def test_the_shortest_program_is_kept_and_can_be_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a script, and as a case."""
    fake(monkeypatch, walk_spoils_find)
    path = keep(run_case(CASE), tmp_path)
    assert path is not None
    compile(path.read_text(), str(path), "exec")
    again = written_case(path.with_suffix(".json"))
    assert again.replay == f"taskmatrix validate --program {path.with_suffix('.json')}"
    assert run_case(again).kind == "false success"
    assert keep(Result(CASE, "success"), tmp_path) is None
    (tmp_path / "none.json").write_text("[1]")
    with pytest.raises(TaskMatrixError, match="no program"):
        written_case(tmp_path / "none.json")


def test_random_cases_take_robots_and_worlds_in_turn() -> None:
    """One seed each."""
    cases = random_cases(5, 10, False, ["asimo", "nao"], ["sparse", "cottage"], 7, "kinematic")
    assert [(each.robot, each.world, each.seed) for each in cases] == [
        ("asimo", "sparse", 7),
        ("nao", "sparse", 8),
        ("asimo", "cottage", 9),
        ("nao", "cottage", 10),
        ("asimo", "sparse", 11),
    ]
    assert cases[0].replay == "taskmatrix validate --programs 1 --steps 10 --robots asimo --worlds sparse --seed 7"


def test_steps_make_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a complaint for what no program may end in, and the rate of the steps."""
    fake(monkeypatch, walk_spoils_find)
    matrix = ProgramMatrix.of([run_case(CASE)])
    rates: dict[str, Any] = {cell.behavior: cell.rate for cell in matrix.cells}
    assert rates == {"scan": 1.0, "turn": 1.0, "random-walk": 1.0, "find": 0.0}
    assert matrix.complaints == (
        "1 programs end in: false success",
        "75.0% of all steps succeed, less than 98%",
    )
    assert "RandomWalk" in "".join(matrix.parts())
    assert ProgramMatrix.of([]).complaints == ("no step ran",)


def test_loops_are_runs_of_the_matrix_and_tell_what_they_cost() -> None:
    """One that went well leaves nothing to complain about."""
    facts = {"runs": 9, "failed": 0, "minute": [1.5, 1.6], "memory": [200.0, 201.0]}
    matrix = ProgramMatrix.of([Result(LoopCase("find,scan", "asimo", "sparse", 0), "success", facts=facts)])
    assert matrix.complaints == ()
    assert matrix.rate == 1.0
    assert "9 runs; a simulated minute takes 1.50 s, then 1.60 s; 200 MB, then 201 MB" in matrix.parts()[-1]
