"""Waiting for what moves to get out of the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.patience import PAUSE, TIMES
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept
from taskmatrix.testing import Bench, box_percept

WALKS: Array = np.array([0.3, 0.0, 0.0, 0.0, 0.0, 0.0])


class Blocked(TaskBehavior):
    """Cannot plan the first few times."""

    def __init__(self, times: int, kind: FailureKind = FailureKind.COLLISION) -> None:
        super().__init__()
        self.left, self.kind, self.planned_at = times, kind, list[float]()

    def plan(self) -> Failure | None:
        """Fail as often as it was told to."""
        self.planned_at.append(self.context.clock.now())
        self.left -= 1
        in_the_way = ["hand and walker (3 times)"]
        return None if self.left < 0 else self.fail(self.kind, "there is no way", in_the_way=in_the_way)


def walker(velocity: Array = WALKS, held_by: str | None = None) -> Percept:
    """Somebody who walks past."""
    return replace(box_percept("walker", (2.0, 0.0, 1.0)), velocity=velocity, held_by=held_by)


def test_what_moves_in_the_way_is_waited_for() -> None:
    """And told, with what was in the way."""
    bench, behavior = Bench([walker()]), Blocked(2)
    assert bench.run(behavior).success
    assert np.diff(behavior.planned_at) == pytest.approx([PAUSE, PAUSE], abs=0.1)
    waits = [event.data for event in bench.events if event.kind == "wait"]
    assert [data["object"] for data in waits] == ["walker"] * 2
    assert "there is no way" in str(waits[0]["cause"])


def test_it_is_waited_for_a_few_times() -> None:
    """Then the failure is that of the last try."""
    bench, behavior = Bench([walker()]), Blocked(TIMES + 1)
    outcome = bench.run(behavior)
    assert outcome.failure is not None
    assert outcome.failure.root.message == "there is no way"
    assert len(behavior.planned_at) == TIMES + 1


@pytest.mark.parametrize(
    ("percepts", "kind"),
    [
        ([walker(np.zeros(6))], FailureKind.COLLISION),
        ([walker(held_by="right")], FailureKind.COLLISION),
        ([replace(box_percept("walk", (2.0, 0.0, 1.0)), velocity=WALKS)], FailureKind.COLLISION),
        ([walker()], FailureKind.PARAMETER),
    ],
)
def test_nothing_else_is_waited_for(percepts: list[Percept], kind: FailureKind) -> None:
    """Not what stands, is in a hand or is not in the way, and not where nothing is in the way at all."""
    bench, behavior = Bench(percepts), Blocked(1, kind)
    assert not bench.run(behavior).success
    assert len(behavior.planned_at) == 1
