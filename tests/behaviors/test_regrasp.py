from __future__ import annotations

from taskmatrix.behaviors import Pickup, Regrasp
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.testing import Bench, box_percept

from .judged import Run


def test_the_judge_finds_it_in_another_grasp() -> None:
    """Put down, let go, and taken again."""
    run = Run("mannequin")
    run.prepare(Pickup(object="vacuum"))
    run.judged(Regrasp(object="vacuum", on="table"))
    assert run.started("regrasp") == ["position", "release", "reach", "grasp"]


def test_what_has_one_grasp_only_cannot_be_grasped_in_another_way() -> None:
    """It is left on the table, and the failure says that no other grasp is known."""
    cup = box_percept("cup", (0.4, 0.3, 1.0))
    bench = Bench([cup, box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")])
    bench.plant.attach("left", "cup")
    failure = bench.run(Regrasp(object="cup", on="table")).failure
    assert failure is not None
    assert failure.root.kind is FailureKind.NO_GRASP
    assert "state 'reach' failed" in failure.explain()
    assert bench.skills.held("left") is None
