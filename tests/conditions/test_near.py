"""The condition near: boxes and reference points, and poses that satisfy it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.conditions import Near
from taskmatrix.core import NotFoundError, ParameterError, Percept
from taskmatrix.core.world.geometry import box_distance, pose
from taskmatrix.testing import Bench

from .satisfied import cup, sampled, supposing, table


def wand() -> Percept:
    """A stick with a tip 0.3 m ahead."""
    stick = cup((0, 0, 1), "wand")
    return replace(stick, model=replace(stick.model, frames={"tip": pose((0.3, 0, 0))}))


@pytest.mark.parametrize(("x", "holds"), [(0.159, True), (0.161, False), (0.0, True)])
def test_boxes_are_near_by_what_is_between_them(x: float, holds: bool) -> None:
    """Two boxes of 6 cm whose centres are 16 cm apart have 10 cm between them; within each other they are near."""
    bench = Bench([cup((0, 0, 1)), cup((x, 0, 1), "mug")])
    verdict = Near("cup", "mug", 0.1).evaluate(bench.context)
    assert bool(verdict) is holds
    assert verdict.values["distance"] == pytest.approx(max(0.0, x - 0.06))
    assert f"{max(0.0, x - 0.06) * 1000:.1f} mm" in verdict.why


@pytest.mark.parametrize(
    ("frame", "frame_of_y", "distance"),
    [(None, None, 0.44), ("tip", None, 0.17), ("centre", None, 0.47), ("tip", "centre", 0.2), (None, "centre", 0.47)],
)
def test_reference_points_take_the_place_of_boxes(frame: str | None, frame_of_y: str | None, distance: float) -> None:
    """A task frame, or the centre, of one or of both."""
    bench = Bench([wand(), cup((0.5, 0, 1))])
    verdict = Near("wand", "cup", 1.0, frame, frame_of_y).evaluate(bench.context)
    assert verdict.values["distance"] == pytest.approx(distance)


def test_what_is_not_known_is_said() -> None:
    """An object, a frame; each with what there is. Asked for poses, the same is an error."""
    bench = Bench([wand(), cup()])
    assert "no object 'cub'; did you mean 'cup'" in Near("wand", "cub", 1).evaluate(bench.context).why
    assert "no frame 'top'" in Near("wand", "cup", 1, "top").evaluate(bench.context).why
    assert "centre, tip" in Near("wand", "cup", 1, "top").evaluate(bench.context).why
    for condition in (Near("wand", "cub", 1), Near("wand", "cup", 1, "top")):
        with pytest.raises(NotFoundError):
            condition.sample(bench.context, 1, np.random.default_rng(0))


@pytest.mark.parametrize("distance", [-0.1, "far", None, float("nan"), True])
def test_a_distance_is_a_number(distance: object) -> None:
    """Whatever else it is, the error says so."""
    with pytest.raises(ParameterError, match="distance has to be a number"):
        Near("cup", "mug", distance).evaluate(Bench().context)


def test_its_arguments_can_be_symbols() -> None:
    """The distance too can be a parameter of a machine."""
    bench = Bench([wand(), cup()])
    symbols = {"what": "cup", "how_near": 5.0}
    bound = Near("wand", "what", "how_near").bind(lambda value: symbols.get(str(value), value))
    assert bound.evaluate(bench.context)


@pytest.mark.parametrize("distance", [0.002, 0.1])
def test_sampled_it_is_beside_over_and_under(distance: float) -> None:
    """Also a thin layer is hit, on every face of the box, and the boxes of solid things do not overlap."""
    bench = Bench([cup(), cup((0, 0, 1), "mug")])
    mug = bench.context.perception.object("mug").box
    sides: set[int] = set()
    for X_WO in sampled(bench, Near("cup", "mug", distance), 60):
        lower, upper = supposing(bench.context, "cup", X_WO).perception.object("cup").box
        outside = [*(lower >= mug[1] - 1e-9), *(upper <= mug[0] + 1e-9)]
        assert any(outside)
        assert box_distance((lower, upper), mug) <= distance
        sides.update(np.flatnonzero(outside).tolist())
    assert sides == set(range(6))


def test_sampled_under_a_table_it_keeps_clear_of_the_leg_and_the_floor() -> None:
    """Within the box of a table there is room."""
    bench = Bench([cup(), table()])
    under = 0
    for X_WO in sampled(bench, Near("cup", "table", 0.05), 40):
        lower, upper = supposing(bench.context, "cup", X_WO).perception.object("cup").box
        assert lower[2] >= 0
        inside = bool((np.abs(X_WO[:2, 3] - [1, 0]) < [0.5, 0.3]).all() and X_WO[2, 3] < 0.7)
        under += inside
        if inside:
            assert max(np.maximum(lower[:2] - [1.05, 0.05], [0.95, -0.05] - upper[:2])) >= 0
            assert upper[2] <= 0.66
    assert 10 <= under <= 30


def test_sampled_points_are_near() -> None:
    """With reference points, in the ball around one."""
    bench = Bench([wand(), cup()])
    for X_WO in sampled(bench, Near("wand", "cup", 0.2, "tip", "centre")):
        assert np.linalg.norm((X_WO @ pose((0.3, 0, 0)))[:3, 3] - bench.context.perception.pose("cup")[:3, 3]) <= 0.2
