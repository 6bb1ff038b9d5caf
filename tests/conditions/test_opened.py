from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.conditions import Closed, HasJoint, Opened
from taskmatrix.conditions.opened import opening
from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.world.objects import Array


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with simulate("mannequin", world="kitchen", seed=0) as made:
        yield made


def opened(session: Session, part: str, share: float) -> None:
    model = session.world.objects[part]
    assert model.joint is not None
    X_WP = session.world.poses[model.joint.parent]
    session.plant.set_pose(part, X_WP @ model.joint.at(model.joint.opened(share)))
    session.context.perception.update(session.plant.observe(), 0.0)


def met(session: Session, condition: Condition) -> bool:
    return bool(condition.evaluate(session.context))


def test_how_far_a_drawer_and_a_door_are_open(session: Session) -> None:
    for part in ("unit_top_drawer", "cupboard_door"):
        for share, is_open, half, closed in (
            (0.0, False, False, True),
            (0.5, False, True, False),
            (1.0, True, True, False),
        ):
            opened(session, part, share)
            verdict = Opened(part).evaluate(session.context)
            assert verdict.values["share"] == pytest.approx(share)
            assert verdict.why == f"'{part}' is {share:.0%} open"
            found = [met(session, each) for each in (Opened(part), Opened(part, 0.5), Closed(part))]
            assert found == [is_open, half, closed]


def test_what_neither_opens_nor_closes_says_what_does(session: Session) -> None:
    verdict = HasJoint("table").evaluate(session.context)
    assert not verdict
    assert verdict.why == (
        "'table' does not move on anything, and neither opens nor closes; these do: "
        "unit_top_drawer, unit_middle_drawer, unit_bottom_drawer, cupboard_door"
    )
    assert "did you mean 'cupboard_door'" in Opened("cupbord_door").evaluate(session.context).why


@pytest.mark.parametrize("part", ["unit_top_drawer", "cupboard_door"])
def test_how_a_part_is_open_is_inverted(session: Session, part: str) -> None:
    """Into poses along its joint; also with what else is asked of them, and for what is no part there is none."""
    opened(session, part, 0.0)
    context, random = session.context, np.random.default_rng(0)

    def share(X_WO: Array) -> float:
        supposed = opening(replace(context, perception=context.perception.supposing({part: X_WO})), part)
        assert not isinstance(supposed, Verdict)
        return supposed

    shares = [share(X_WO) for X_WO in Opened(part, 0.4).sample(context, 50, random)]
    assert len(shares) == 50
    assert 0.4 - 1e-9 <= min(shares) < 0.5
    assert 0.9 < max(shares) <= 1.0 + 1e-9
    assert [share(X_WO) for X_WO in Closed(part).sample(context, 1, random)] == pytest.approx([0.0], abs=1e-9)
    ajar = Opened(part, 0.1) & ~Opened(part, 0.3)
    assert all(0.08 <= share(X_WO) <= 0.28 for X_WO in ajar.sample(context, 5, random))
    with pytest.raises(ParameterError, match="share is from 0, closed, to 1, not 2"):
        Opened(part, 2.0).sample(context, 1, random)
    assert not Opened("soda_can").sample(context, 1, random)
