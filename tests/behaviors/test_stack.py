"""Stacking things, and emptying what contains them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.behaviors import Stack, Unload
from taskmatrix.core import TaskBehavior
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.simulation.judges import judge_of

from .judged import Run

WORLD = """
description = "cans"
default_object = "a"
default_surface = "table"
reference_shoulder_height = 1.40
bounds = [-3.0, -3.0, 3.5, 3.0]

[start]
lower = [-0.5, -0.5, -180]
upper = [0.5, 0.5, 180]
"""
OBJECT = """
[[object]]
id = "{id}"
model = "{model}"
position = {position}
"""


@pytest.fixture(scope="module")
def cans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cans on a counter, and a table."""
    things = [
        OBJECT.format(id="table", model="table", position=[1.8, 0.0]) + "rpy = [0, 0, -90]\n",
        OBJECT.format(id="counter", model="counter", position=[0.4, 2.1]) + "rpy = [0, 0, -90]\n",
    ]
    for id, y in (("a", -0.2), ("b", 0.1)):
        things.append(OBJECT.format(id=id, model="soda_can", position=[0.12, y]) + 'on = "counter"\n')
    path = tmp_path_factory.mktemp("worlds") / "cans.toml"
    path.write_text(WORLD + "".join(things))
    return path


@pytest.fixture(scope="module")
def cafe() -> Iterator[Run]:
    run = Run("mannequin", world="cafe", seed=1)
    yield run
    run.session.close()


def test_cans_are_stacked(cans: Path) -> None:
    """On one another; a stack that stands is gone on with."""
    run = Run("mannequin", world=str(cans), seed=1)
    facts = run.judged(Stack(type="can", on="table", duration=1.0))
    assert facts["things"] == 2
    judge = judge_of("stack")
    assert judge.goal(run.record, {"type": "can", "on": "counter"}, {}) == "on 'counter' stand 0 of ['a', 'b']"
    before = {id: run.session.context.perception.pose(id).copy() for id in "ab"}
    assert run.session.run(Stack(type="can", on="table", duration=1.0)).success
    for id, X_WO in before.items():
        assert abs(X_WO - run.session.context.perception.pose(id)).max() < 1e-9
    run.session.close()


def test_a_cupboard_is_unloaded(cafe: Run) -> None:
    """Opened, emptied and closed."""
    asked = {"source": "cupboard", "door": "cupboard_door", "on": "table"}
    facts = cafe.judged(Unload(**asked, duration=1.0))
    assert facts["things"] == 1
    judge = judge_of("unload")
    assert judge.goal(cafe.record, {**asked, "on": "counter"}, {}) != ""
    assert cafe.started("unload") == ["open", "find", "place", "find", "close", "look"]
    outcome = cafe.session.run(Unload(**asked, duration=1.0))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.NOTHING_FOUND
    assert outcome.failure.message == "there was nothing of type 'graspable' in 'cupboard'"


@pytest.mark.parametrize(
    ("behavior", "kind", "message"),
    [
        (Stack(type="cann", on="table"), FailureKind.PARAMETER, "did you mean 'can'"),
        (Stack(type="furniture", on="table"), FailureKind.PARAMETER, "'table' is of type 'furniture' itself"),
        (Stack(type="bottle", on="brush"), FailureKind.NO_PLACE, "'brush' has no room for 'bottle_1'"),
        (Stack(type="bottle", on="counter"), FailureKind.NO_PLACE, "'bottle_1' does not carry 'bottle_2'"),
        (Unload(source="table", on="counter"), FailureKind.PARAMETER, "'table' has no inside"),
        (Unload(source="cupboard", on="table"), FailureKind.PARAMETER, "cupboard_door: name one as its door"),
        (
            Unload(source="cupboard", door="cupboard_door", type="bottel", on="table"),
            FailureKind.PARAMETER,
            "did you mean 'bottle'",
        ),
        (Unload(source="cupboard", on="cupboard"), FailureKind.PARAMETER, "what they are to be taken out of"),
        (
            Unload(source="cupboard", door="counter", on="table"),
            FailureKind.PARAMETER,
            "'counter' is no door of 'cupboard'",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, TaskBehavior) else None,
)
def test_what_cannot_be_done_is_refused_before_anything_moves(
    cafe: Run, behavior: TaskBehavior, kind: FailureKind, message: str
) -> None:
    """With the reason."""
    before = cafe.session.skills.position()[:3].copy()
    failure = cafe.session.run(behavior).failure
    assert failure is not None
    assert failure.kind is kind
    assert message in failure.message
    np.testing.assert_allclose(cafe.session.skills.position()[:3], before, atol=0.01)
