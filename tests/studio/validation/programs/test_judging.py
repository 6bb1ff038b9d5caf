"""What becomes of a step: judged, and its reason held against the world."""

from __future__ import annotations

import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.studio.validation.programs.judging import Told, judged
from tests.simulation.judges.setting import record_of, start_step

STOOL = ("left_hand", "stool")  # which are far from each other


def told(failure: Failure | None, **parameters: object) -> Told:
    """What becomes of a find during which nothing moved."""
    step = start_step()
    record = record_of([step, step], success=failure is None, failure=failure, object="soda_can")
    outcome = Outcome(failure is None, failure, 0.01, 1)
    return judged("find()", "find", {"type": "can", **parameters}, record, outcome)


def failed(kind: FailureKind, message: str, **facts: object) -> Failure:
    return Failure(kind, "find", "it did not work", cause=Failure(kind, "planner", message, facts))


def test_what_the_judge_agrees_with_is_a_success() -> None:
    """With what it measured."""
    assert (told(None).verdict, told(None).facts["object"]) == ("success", "soda_can")


def test_a_claim_that_the_judge_denies_is_a_false_success() -> None:
    """It found a can, and a ball was asked for."""
    found = told(None, type="ball")
    assert (found.verdict, found.kind) == ("false success", "judge/goal")


@pytest.mark.parametrize(
    ("failure", "verdict"),
    [
        (failed(FailureKind.COLLISION, "the start is in collision: the two", pair=STOOL, at="start"), "unexplained"),
        (failed(FailureKind.COLLISION, "the goal is in collision: the two", pair=STOOL), "failure"),
        (failed(FailureKind.PLANNER_EXHAUSTED, "no path found"), "failure"),
        (failed(FailureKind.UNKNOWN_OBJECT, "no object 'stool'"), "unexplained"),
        (failed(FailureKind.UNKNOWN_OBJECT, "no object 'teapot'"), "failure"),
        (failed(FailureKind.CHAIN_BUSY, "no arm is free"), "unexplained"),
        (failed(FailureKind.EXCEPTION, "ValueError: x"), "unexplained"),
        (failed(FailureKind.TIMEOUT, "still running after 120 s"), "unexplained"),
    ],
)
def test_a_reason_is_held_against_the_world(failure: Failure, verdict: str) -> None:
    """A collision where the robot is names two that are near each other, and what is not known is not there."""
    found = told(failure)
    assert found.verdict == verdict
    assert (" But " in found.reason) == (verdict == "unexplained")
    assert found.pair == failure.root.facts.get("pair")
    assert found.root == failure.root.message
