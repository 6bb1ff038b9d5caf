"""A surface is rubbed with what a hand holds; judged."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from taskmatrix import Session, TaskBehavior, simulate
from taskmatrix.behaviors import Bring, Pickup, Position, Rub, Store, Wipe
from taskmatrix.behaviors.along.rub import HoldOn, lanes, through
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.simulation.judges import judge_of

from .judged import Run


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A robot at the start, of which nothing is asked that it does."""
    with simulate("mannequin", world="cafe", seed=1) as made:
        yield made


def test_a_table_is_wiped() -> None:
    """With a brush that is fetched first."""
    run = Run("g1", world="cafe", seed=1)
    wipe = Wipe(object="brush", on="table", length=0.25, duration=1.0)
    facts = run.judged(wipe)
    assert float(str(facts["area"])) > float(str(facts["wanted"])) == pytest.approx(0.25 * 0.1 + 0.35 * 0.06)
    judge = judge_of("wipe")
    reason = judge(run.record, {**wipe.parameters, "length": 1.0, "width": 0.5}).reason
    assert "of 5900 cm2 of 'table' were rubbed" in reason
    assert "0 of" in judge(run.record, {**wipe.parameters, "on": "counter"}).reason
    run.session.close()


def test_what_is_not_on_the_surface_is_not_rubbed() -> None:
    """Nor is what is unknown, and there is no patch that the surface has no room for: each is told before it moves."""
    run = Run("mannequin", world="cafe", seed=1)
    run.prepare(Pickup(object="brush"))
    for behavior, kind, message in (
        (Rub(on="table"), FailureKind.NOT_ACHIEVED, "'brush' is not on 'table': the underside of 'brush' is"),
        (Rub(on="tabel"), FailureKind.UNKNOWN_OBJECT, "did you mean 'table'"),
        (HoldOn(on="table", length=2.0), FailureKind.NO_PLACE, "has no room for a patch of 2 m by 0.1 m"),
    ):
        failure = run.session.run(behavior).failure
        assert failure is not None
        assert failure.root.kind is kind
        assert message in failure.explain()
    run.prepare(Position(on="table"))
    facts = run.judged(Rub(on="table", length=0.05, width=0.0, yaw=1.0))
    assert float(str(facts["area"])) > 0.05 * 0.06
    run.session.close()


@pytest.mark.parametrize(
    ("behavior", "kind", "message"),
    [
        (Wipe(object="brush", on="brush"), FailureKind.PARAMETER, "'brush' cannot be wiped with itself"),
        (Wipe(object="cupboard_door", on="table"), FailureKind.PARAMETER, "'cupboard_door' moves on 'cupboard'"),
        (Wipe(object="brush", on="table", length=0.6, width=0.6), FailureKind.NO_PLACE, "no room for a patch of 0.6 m"),
        (Bring(type="bottel", source="counter", on="table"), FailureKind.PARAMETER, "did you mean 'bottle'"),
        (Bring(type="bottle", source="cupboard", on="table"), FailureKind.NOTHING_FOUND, "bottle_4 can be taken out"),
        (Bring(type="bottle", source="counter", on="cupboard"), FailureKind.NO_PLACE, "has no room for 'bottle_1'"),
        (
            Store(object="bottle_4", into="cupboard", door="cupboard_door"),
            FailureKind.PRECONDITION,
            "'bottle_4' is there already",
        ),
    ],
    ids=range(7),
)
def test_what_cannot_be_done_is_refused_before_anything_moves(
    session: Session, behavior: TaskBehavior, kind: FailureKind, message: str
) -> None:
    """With what is wrong, and what there is."""
    before = session.context.clock.now()
    failure = session.run(behavior).failure
    assert failure is not None
    assert failure.kind is kind
    assert message in failure.message
    assert session.context.clock.now() - before < 0.1


def test_lanes_go_to_and_fro_beside_each_other() -> None:
    """No further apart than asked, all to the left of the first; one where there is no width."""
    corners = lanes(0.3, 0.1, 0.06, np.pi / 2)
    assert corners[[1, 2]] == pytest.approx(np.array([[0.0, 0.0, 0.0], [0.0, 0.3, 0.0]]))
    assert corners[[-2, -1]] == pytest.approx(np.array([[-0.1, 0.0, 0.0], [-0.1, 0.3, 0.0]]))
    assert len(lanes(0.3, 0.0, 0.06, 0.0)) == 3
    passed = through(corners)
    assert np.linalg.norm(np.diff(passed, axis=0), axis=1).max() <= 0.006 + 1e-9
    assert passed[-1] == pytest.approx([-0.1, 0.3, 0.0])


def test_a_table_is_set() -> None:
    """Bottle after bottle; what nobody brought is no success, and of what is not there nothing is brought."""
    run = Run("mannequin", world="cafe", seed=1)
    bring = Bring(type="bottle", source="counter", on="table", duration=1.0)
    facts = run.judged(bring)
    assert facts["things"] == 3
    assert (
        "no hand held 'brush'"
        in judge_of("bring")(run.record, {"type": "brush", "source": "table", "on": "counter"}).reason
    )
    for other, kind, message in (
        (
            Bring(type="bottle", source="counter", on="table"),
            FailureKind.NOTHING_FOUND,
            "none of type 'bottle' on 'counter'",
        ),
        (Bring(type="bottle", source="table", on="table"), FailureKind.PARAMETER, "where they are to be brought from"),
    ):
        failure = run.session.run(other).failure
        assert failure is not None
        assert failure.kind is kind
        assert message in failure.message
    run.session.close()
