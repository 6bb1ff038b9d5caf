"""Behaviors in a loop."""

from __future__ import annotations

import pytest

from taskmatrix.studio.validation import run_case
from taskmatrix.studio.validation.programs import LoopCase, loop, loop_cases
from taskmatrix.studio.validation.programs.judging import Told

from .told import HAND_AND_CAN, bad, good

QUARTER = 15.0 / 3600.0  # [h]


def test_a_loop_runs_for_its_time_and_tells_what_it_cost() -> None:
    """What is gone comes back before each run, so that there is always something to find."""
    (case,) = loop_cases(["find", "scan"], ["asimo"], ["sparse"], 0, "kinematic", QUARTER)
    result = run_case(case)
    assert result.kind in {"", "slow"}, result.reason  # so short a time says nothing about speed
    assert 15.0 <= result.duration < 30.0
    assert result.facts["runs"] >= 3
    assert result.facts["failed"] == 0
    assert all(figure > 0.0 for name in ("minute", "memory") for figure in result.facts[name])
    assert case.replay == (
        "taskmatrix validate --loop find,scan --hours 0.00416667 --robots asimo --worlds sparse --seed 0"
    )


@pytest.mark.parametrize(
    ("told", "kind", "runs"),
    [
        ([bad("pickup()", HAND_AND_CAN), bad("scan()", HAND_AND_CAN), good()], "lock-up", 2),
        ([bad("pickup()", HAND_AND_CAN), good(), good()], "failure", 3),
    ],
)
def test_a_loop_ends_with_a_lock_up_and_goes_on_after_a_failure(
    monkeypatch: pytest.MonkeyPatch, told: list[Told], kind: str, runs: int
) -> None:
    """A robot that can do nothing any more is not asked for hours."""
    left = iter([*told, *[good()] * 100])
    monkeypatch.setattr(loop, "run_step", lambda session, step: advance(session, next(left)))
    watch: list[Told] = []

    def advance(session: object, each: Told) -> Told:
        watch.append(each)
        session.context.clock.sleep_until(5.0 * len(watch))  # type: ignore[attr-defined]
        return each

    result = run_case(LoopCase("scan", "asimo", "sparse", 0, hours=QUARTER))
    assert result.kind == kind
    assert result.facts["runs"] == runs


def test_memory_that_grows_and_steps_that_slow_down_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the figures of the beginning and the end."""
    used, wall = iter(range(100, 1000, 10)), iter(k**2 for k in range(1000))
    monkeypatch.setattr(loop, "memory", lambda: float(next(used)))
    monkeypatch.setattr(loop, "process_time", lambda: float(next(wall)))
    watch = loop._Watch()
    for _ in range(30):
        watch.note(Told("scan()", "success", duration=10.0))
    assert watch.kind() == "memory"
    assert "MB at the beginning became 390 MB" in watch.reason()
    assert "a simulated minute took the processor" in watch.reason()
