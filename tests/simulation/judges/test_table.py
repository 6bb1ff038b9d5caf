from __future__ import annotations

import pytest

from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError
from taskmatrix.session.catalogue import behaviors
from taskmatrix.simulation.judges import judge_of, table
from taskmatrix.simulation.judges.behaviors.reach import ReachJudge


def test_every_behavior_has_a_judge(parts: frozenset[str]) -> None:
    """Whoever adds a behavior says when it succeeds."""
    assert set(behaviors()) - parts <= set(table.JUDGES)


def test_every_judge_says_formally_what_success_is() -> None:
    """In its docstring."""
    for judge in table.JUDGES.values():
        assert (judge.__doc__ or "").startswith("Success of ")


def test_an_unknown_behavior_has_the_nearest_name() -> None:
    """As everywhere."""
    with pytest.raises(NotFoundError, match="did you mean 'reach'"):
        judge_of("reech")


def test_third_parties_enter_their_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """By entry points; what is no judge is refused."""

    class Point:
        name, value = "dance", "dancing:Judge"

        def __init__(self, made: object) -> None:
            self.load = lambda: made

    monkeypatch.setattr(table, "entry_points", lambda group: [Point(ReachJudge)])
    assert isinstance(judge_of("dance"), ReachJudge)
    monkeypatch.setattr(table, "entry_points", lambda group: [Point(dict)])
    with pytest.raises(TaskMatrixError, match="gives no judge"):
        judge_of("dance")
