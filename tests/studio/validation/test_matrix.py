from __future__ import annotations

from dataclasses import replace

from taskmatrix.studio.validation import Case, Matrix, Result
from taskmatrix.studio.validation.matrix import alike, all_cases, sample


def results(verdicts: str, behavior: str = "reach", robot: str = "talos") -> tuple[Result, ...]:
    """A result for each letter: s success, f failure, n not able."""
    words = {"s": ("success", ""), "f": ("failure", "collision"), "n": ("not able", "no_grasp")}
    return tuple(
        Result(Case(behavior, robot, "sparse", seed), *words[letter], reason=f"at step {seed}" if letter != "s" else "")
        for seed, letter in enumerate(verdicts)
    )


def test_rates_and_thresholds() -> None:
    """Nineteen of twenty are enough for a cell, and not for the whole."""
    matrix = Matrix(results("s" * 19 + "f"))
    assert matrix.cells[0].good
    assert matrix.rate == 0.95
    assert matrix.complaints == ("95.0% of all runs succeed, less than 99%",)
    worse = Matrix(results("s" * 18 + "ff"))
    assert not worse.cells[0].good
    assert "reach by talos in sparse: 18 of 20 runs succeed" in worse.complaints[0]
    assert Matrix(results("ssss")).complaints == ()


def test_not_able_counts_separately_if_all_runs_say_so() -> None:
    """Where only some do, they are failures."""
    matrix = Matrix(results("nnn") + results("sss", "grasp"))
    assert [cell.not_able for cell in matrix.cells] == [False, True]
    assert matrix.rate == 1.0
    assert len(matrix.counted) == 3
    mixed = Matrix(results("nns"))
    assert not mixed.cells[0].not_able
    assert mixed.rate == 1 / 3


def test_a_robot_may_not_be_able_in_one_cell_of_ten_only() -> None:
    """If it has ten cells at all."""
    cells = [results("s", f"b{k}") for k in range(9)]
    assert Matrix(sum(cells, results("n", "transfer"))).complaints == ()
    complaints = Matrix(sum(cells, results("n", "transfer") + results("n", "grasp"))).complaints
    assert complaints == ("talos is not able in 2 of 11 cells, more than 10%",)
    assert Matrix(results("n", "grasp") + results("s")).complaints == ()


def test_every_robot_is_able_to_reach_look_and_move_what_it_has() -> None:
    """Unless the result says that it lacks the chain."""
    complaints = Matrix(results("n", "postural") + results("s")).complaints
    assert complaints == ("postural by talos in sparse: not able, although it lacks neither arm nor head for it",)
    lacking = tuple(replace(result, facts={"lacks": "arm"}) for result in results("n", "postural"))
    assert Matrix(lacking + results("s")).complaints == ()


def test_where_no_run_counts_nothing_is_proved() -> None:
    """Neither by robots that are not able, nor by no runs at all."""
    assert Matrix(results("nn", "grasp")).complaints == ("no run counts",)
    assert Matrix(()).complaints == ("no run counts",)


def test_reasons_that_differ_in_numbers_only_are_one() -> None:
    """The most frequent first."""
    matrix = Matrix(results("fff") + results("nn", "grasp"))
    (first, failed), (_, unable) = matrix.reasons()
    assert first == "reach: collision: at step #"
    assert (len(failed), len(unable)) == (3, 2)
    assert alike("moved by -3.5 mm (pair: a, b)") == "moved by # mm"


def test_json_has_cells_results_and_replay_commands() -> None:
    """All that the page shows."""
    data = Matrix(results("sf")).to_dict()
    assert data["cells"][0]["successes"] == 1
    assert data["cells"][0]["kinds"] == {"collision": 1}
    assert data["cells"][0]["replay"][0].endswith("--seed 1")
    assert len(data["results"]) == 2


def test_cases_and_the_sample() -> None:
    """Every combination; and each behavior once, with all robots and worlds in turn."""
    assert len(all_cases(["a", "b"], ["r", "s"], ["u", "v"], range(3))) == 24
    chosen = sample([f"b{k}" for k in range(6)], ["r", "s"], ["u", "v"])
    assert [case.behavior for case in chosen] == [f"b{k}" for k in range(6)]
    assert {(case.robot, case.world) for case in chosen} == {("r", "u"), ("s", "u"), ("r", "v"), ("s", "v")}
