from __future__ import annotations

import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import Record, Step

from .setting import goal, holding, record_of, world


def put(X_WO: Array, dropped: float = 0.0) -> Record:
    """The vacuum held by the right hand, brought to a pose, let go, and ``dropped`` [m] after that."""
    held = holding()
    there = {**held.poses, "vacuum": X_WO}
    end = {**held.poses, "vacuum": pose((0.0, 0.0, -dropped)) @ X_WO}
    return record_of([held, Step(held.q, there, {"right": "vacuum"}), Step(held.q, end, {})])


@pytest.mark.parametrize(("offset", "reason"), [
    (pose(), ""),
    (pose((0.05, 0.0, 0.001)), ""),
    (pose((0.0, 0.0, 0.004)), "'vacuum' is 5.0 mm above the top of 'table'"),
    (pose((0.0, 0.0, -0.004)), "'vacuum' is -3.0 mm above the top of 'table'"),
    (pose((0.0, 1.0, 0.0)), "'vacuum' sticks out over the edge of 'table'"),
])  # fmt: skip
def test_an_object_has_to_rest_on_the_surface(offset: Array, reason: str) -> None:
    """Not above it, not in it, not over its edge."""
    assert goal("putdown", put(offset @ world().poses["vacuum"]), object="vacuum", on="table") == reason


def test_an_object_that_leans_falls_or_is_held_was_not_put_down() -> None:
    """Upright within two degrees, and still where it was let go."""
    X = world().poses["vacuum"]
    reason = goal("putdown", put(pose((0.0, 0.0, 0.002)) @ X, dropped=0.0015), object="vacuum", on="table")
    assert reason == "'vacuum' moved by 1.5 mm after it was let go"
    lying = pose((*X[:3, 3] + (0.0, 0.0, 0.1),), (1.5, 0.0, 0.0))
    assert goal("putdown", put(lying), object="vacuum", on="table") != ""
    held = holding()
    on_table = Step(held.q, world().poses, {"right": "vacuum"})
    assert "still holds" in goal("putdown", record_of([held, on_table]), object="vacuum", on="table")


def test_pick_and_place_has_to_bring_it_elsewhere() -> None:
    """Where it stood already nothing was done."""
    start = Step(holding().q, dict(world().poses), {})
    held = holding()
    moved = {**world().poses, "vacuum": pose((0.05, 0.0, 0.0)) @ world().poses["vacuum"]}
    there = [start, held, Step(held.q, moved, {"right": "vacuum"}), Step(held.q, moved, {})]
    assert goal("pick-and-place", record_of(there), object="vacuum", on="table") == ""
    back = [start, held, Step(held.q, start.poses, {"right": "vacuum"}), start]
    assert "was at the start" in goal("pick-and-place", record_of(back), object="vacuum", on="table")


def test_who_held_nothing_put_nothing_down() -> None:
    """What lies on the table already, or slid there by itself, is nobody's work."""
    start = Step(holding().q, world().poses, {})
    reason = goal("putdown", record_of([start, start]), object="vacuum", on="table")
    assert reason == "no hand held 'vacuum' at the start"
    moved = {**world().poses, "vacuum": pose((0.05, 0.0, 0.0)) @ world().poses["vacuum"]}
    slid = record_of([start, Step(start.q, moved, {})])
    assert goal("pick-and-place", slid, object="vacuum", on="table") == "no hand held 'vacuum' at any time"


def test_what_else_was_held_is_put_down_too() -> None:
    """On the surface; what was dropped from the hand into the air was not."""
    held = holding()
    lying = Step(held.q, dict(world().poses), {})
    can = {**held.poses, "vacuum": pose((0.05, 0.0, 0.0)) @ world().poses["vacuum"]}
    high = {**can, "soda_can": pose((0.0, 0.0, 0.3)) @ can["soda_can"]}
    for at, reason in ((can, ""), (high, "'soda_can' is 30")):
        first = Step(held.q, {**lying.poses, "soda_can": at["soda_can"]}, {"left": "soda_can"})
        steps = [first, Step(held.q, {**held.poses, "soda_can": at["soda_can"]}, {"right": "vacuum"})]
        steps += [Step(held.q, at, {"right": "vacuum"}), Step(held.q, at, {})]
        found = goal("pick-and-place", record_of(steps), object="vacuum", on="table")
        assert found.startswith(reason)
        assert bool(found) == bool(reason)
