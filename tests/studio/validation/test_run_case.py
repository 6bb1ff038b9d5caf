from __future__ import annotations

import sys
from pathlib import Path

import pytest

from taskmatrix.core.base.events import Event
from taskmatrix.studio.validation import Case, Task, run_case
from taskmatrix.studio.validation.case import FAILURE, NOT_ABLE, SUCCESS

CASE = Case("reach", "mannequin", "sparse", 1)


def test_a_good_run_is_a_success() -> None:
    """With what the judge measured, and what it cost."""
    result = run_case(CASE)
    assert result.verdict == SUCCESS, result.reason
    assert result.claimed
    assert result.facts["distance"] < 0.005
    assert 3.0 < result.duration < 20.0
    assert result.wall > 0
    assert result.judging > 0


def test_only_what_follows_the_prelude_is_judged() -> None:
    """A grasp after a reach takes a second; the reach before it counts in the duration only."""
    result = run_case(Case("grasp", "mannequin", "sparse", 1))
    assert result.verdict == SUCCESS, result.reason
    assert result.facts["steps"] * 0.01 < 2.0 < result.duration


def test_a_case_gives_the_same_result_whatever_ran_before() -> None:
    """Which a replay in another process relies on."""
    first = run_case(CASE)
    run_case(Case("postural", "mannequin", "sparse", 5))
    again = run_case(CASE)
    assert (again.facts, again.duration) == (first.facts, first.duration)


def test_not_able_is_what_the_library_says_before_anything_moves() -> None:
    """A table has no grasp: the reason is the library's own."""
    result = run_case(CASE, task=Task("reach", {"object": "table"}))
    assert (result.verdict, result.kind) == (NOT_ABLE, "no_grasp")
    assert "table" in result.reason


def test_a_wrong_name_is_no_lack_of_the_robot() -> None:
    """Unless it lacks what the task needs: then its data have no such posture."""
    result = run_case(
        Case("postural", "mannequin", "sparse", 1), task=Task("postural", {"posture": "redy"}, chain="arm")
    )
    assert (result.verdict, result.kind, dict(result.facts)) == (FAILURE, "parameter", {})


def test_a_robot_without_a_head_is_not_able_to_nod(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the result says what it lacks."""
    module = sys.modules["taskmatrix.studio.validation.run_case"]
    monkeypatch.setattr(module, "lacks", lambda robot, chain: chain == "head")
    result = run_case(
        Case("aperiodic-canned", "mannequin", "sparse", 1),
        task=Task("aperiodic-canned", {"motion": "nodd"}, chain="head"),
    )
    assert (result.verdict, result.kind, dict(result.facts)) == (NOT_ABLE, "parameter", {"lacks": "head"})


def test_not_able_after_moving_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the behavior says."""
    monkeypatch.setattr("taskmatrix.simulation.judges.Record.moved", lambda self: True)
    assert run_case(CASE, task=Task("reach", {"object": "table"})).verdict == FAILURE


def test_a_prelude_that_fails_is_a_failed_case_with_its_reason() -> None:
    """Of any kind but not being able."""
    result = run_case(CASE, task=Task("reach", {"object": "vacuum"}, (("reach", {"object": "teapot"}),)))
    assert (result.verdict, result.kind) == (FAILURE, "unknown_object")
    assert result.reason.startswith("before it, reach failed: ")


def test_a_run_that_does_not_end_in_time_is_a_failure() -> None:
    """On its own clock."""
    result = run_case(CASE, task=Task("reach", {"object": "vacuum"}, timeout=1.0))
    assert (result.verdict, result.kind) == (FAILURE, "timeout")


def test_what_raises_is_a_failed_case_with_the_place() -> None:
    """A parameter that the behavior does not have, say."""
    result = run_case(CASE, task=Task("reach", {"objekt": "vacuum"}))
    assert (result.verdict, result.kind) == (FAILURE, "error")
    assert "ParameterError" in result.reason
    assert ".py, line " in result.reason


def test_the_judge_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that claims success and does not please the judge is a failure."""
    monkeypatch.setattr(
        "taskmatrix.simulation.judges.behaviors.reach.off_grasp", lambda *_, **__: "the hand is elsewhere"
    )
    result = run_case(CASE)
    assert (result.verdict, result.kind, result.reason) == (FAILURE, "judge/goal", "the hand is elsewhere")
    assert result.claimed


def test_an_interrupted_run_has_no_result() -> None:
    """Ctrl-C is no failure of the behavior."""

    def interrupt(event: Event) -> None:
        if event.step == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_case(CASE, readers=[interrupt])


@pytest.mark.pictures
def test_a_picture_is_drawn_when_asked_for(tmp_path: Path) -> None:
    """One contact sheet."""
    path = tmp_path / "sheet.png"
    result = run_case(Case("postural", "mannequin", "sparse", 1), str(path))
    assert result.picture == str(path)
    assert path.stat().st_size > 10_000


def test_what_requirements_rule_out_is_not_prepared() -> None:
    """A robot without a neck does not fetch anything to look at."""
    prelude = (("pickup", {"object": "{object}"}),)
    result = run_case(Case("scan", "g1", "sparse", 1), task=Task("scan", {"duration": 1.0}, prelude))
    assert (result.verdict, result.kind) == (NOT_ABLE, "not_able")
    assert result.reason == "scan: it takes a head that turns the view; the robot has no head to turn."
    assert result.duration < 0.1
