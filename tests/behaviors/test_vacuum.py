from __future__ import annotations

import pytest

from taskmatrix.behaviors import Vacuum

from .judged import Run


@pytest.mark.slow
@pytest.mark.parametrize(("robot", "world"), [("asimo", "sparse"), ("bandit", "apartment")])
def test_all_debris_is_vacuumed_up(robot: str, world: str) -> None:
    """At least five pieces, one after the other, and the vacuum is back on the table."""
    run = Run(robot, world)
    surface = run.session.world.default_surface
    facts = run.judged(Vacuum(object="vacuum", on=surface), 600.0)
    assert facts["debris"] >= 5  # type: ignore[operator]
    assert facts["left"] == 0
    begun = run.started("vacuum")
    assert begun[0] == "pickup"
    assert begun[-2:] == ["find", "putdown"]
    assert begun.count("find") == begun.count("position") + 1
