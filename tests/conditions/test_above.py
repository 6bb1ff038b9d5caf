"""The condition above, and poses that satisfy it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix import TaskBehavior, simulate
from taskmatrix.conditions import Above, Near
from taskmatrix.core import ObjectModel, Percept, Shape
from taskmatrix.core.world.geometry import pose
from taskmatrix.testing import Bench

from .satisfied import cup, sampled, supposing, table


def vacuum() -> Percept:
    """0.3 m long, with its mouth ahead, 12 mm over its underside."""
    body = Shape("box", (0.3, 0.1, 0.2), pose((0, 0, 0.1)))
    return Percept(ObjectModel("vacuum", "tool", (body,), frames={"tip": pose((0.16, 0, 0.012))}), pose((-1, 0, 0)))


@pytest.mark.parametrize(("z", "holds"), [(0.751, True), (0.749, False), (2.0, True)])
def test_it_compares_underside_and_top(z: float, holds: bool) -> None:
    """Wherever it is otherwise."""
    bench = Bench([table(), cup((5, 5, z))])
    verdict = Above("cup", "table").evaluate(bench.context)
    assert bool(verdict) is holds
    assert verdict.values["height"] == pytest.approx(z - 0.75)
    assert ("above the top of 'table'" if holds else "below the top of 'table'") in verdict.why


def test_with_a_frame_its_origin_counts() -> None:
    """The vacuum stands on the floor as the debris does, but its mouth is higher."""
    debris = Percept(ObjectModel("crumb", "debris", (Shape("box", (0.02, 0.02, 0.004), pose()),)), pose((0, 0, 0.003)))
    bench = Bench([vacuum(), debris])
    assert not Above("vacuum", "crumb").evaluate(bench.context)
    verdict = Above("vacuum", "crumb", "tip").evaluate(bench.context)
    assert verdict
    assert verdict.values["height"] == pytest.approx(0.007)
    assert "no frame 'nose'" in Above("vacuum", "crumb", "nose").evaluate(bench.context).why
    assert "no object 'crump'" in Above("vacuum", "crump").evaluate(bench.context).why


@settings(max_examples=25, deadline=None)
@given(
    yaw=st.floats(-3.1, 3.1),
    size=st.tuples(st.floats(0.02, 0.4), st.floats(0.02, 0.25), st.floats(0.02, 0.5)),
    seed=st.integers(0, 1000),
)
def test_sampled_its_projection_is_within_that_of_what_it_is_above(
    yaw: float, size: tuple[float, float, float], seed: int
) -> None:
    """The rule of thesis 5.7.2, for a table turned by any angle: no corner is beyond the edge."""
    box = Percept(ObjectModel("box", "object", (Shape("box", size, pose()),)), pose((-2, 0, 1)))
    bench = Bench([table(yaw), box])
    X_TW = np.linalg.inv(table(yaw).X_WO)
    for X_WO in sampled(bench, Above("box", "table") & Near("box", "table", 0.002), 5, seed):
        assert 0.7 <= X_WO[2, 3] - size[2] / 2 <= 0.702 + 1e-9
        for x in (-0.5, 0.5):
            for y in (-0.5, 0.5):
                corner = X_TW @ X_WO @ [x * size[0], y * size[1], 0, 1]
                assert (np.abs(corner[:2]) <= [0.5 + 1e-5, 0.3 + 1e-5]).all()


def test_sampled_over_something_smaller_it_covers_it() -> None:
    """The smaller of the two lies within the larger, whichever it is."""
    bench = Bench([table(), cup()])
    for X_WO in sampled(bench, Above("table", "cup")):
        lower, upper = supposing(bench.context, "table", X_WO).perception.object("table").box
        assert (lower[:2] <= [0.17, -1.03]).all()
        assert (upper[:2] >= [0.23, -0.97]).all()
        assert 0.1 <= X_WO[2, 3] <= 0.6


def test_sampled_with_a_frame_its_origin_is_over_the_box() -> None:
    """The mouth of a vacuum over a piece of debris, at all yaws, and the vacuum not in the table."""
    crumb = Percept(ObjectModel("crumb", "debris", (Shape("box", (0.02, 0.02, 0.001), pose()),)), pose((1, 0, 0.7005)))
    bench = Bench([vacuum(), crumb, table()])
    over_it = Above("vacuum", "crumb", "tip") & Near("vacuum", "crumb", 0.03, "tip")
    yaws = []
    for X_WO in sampled(bench, over_it):
        p_WT = (X_WO @ pose((0.16, 0, 0.012)))[:3, 3]
        assert (np.abs(p_WT[:2] - [1, 0]) <= 0.01 + 1e-9).all()
        assert 0.712 <= p_WT[2] <= 0.731 + 1e-9
        yaws.append(np.arctan2(X_WO[1, 0], X_WO[0, 0]))
    assert max(yaws) - min(yaws) > 4.0


def test_too_large_a_thing_finds_no_place() -> None:
    """Neither within the other: nothing is found, after bounded work."""
    plank = Percept(ObjectModel("plank", "object", (Shape("box", (3, 0.1, 0.1), pose()),)), pose((-2, 0, 1)))
    bench = Bench([table(), plank])
    assert Above("plank", "table").sample(bench.context, 3, np.random.default_rng(0)) == ()


def test_the_yaw_can_be_given() -> None:
    """All poses have it."""
    bench = Bench([table(), replace(vacuum())])
    poses = Above("vacuum", "table").sample(bench.context, 5, np.random.default_rng(0), yaw=0.5)
    assert len(poses) == 5
    for X_WO in poses:
        np.testing.assert_allclose(X_WO[:3, :3], pose(rpy=(0, 0, 0.5))[:3, :3], atol=1e-12)


@pytest.mark.parametrize("what", ["soda_can", "vacuum"])
def test_in_a_real_world_it_finds_twenty_places_on_the_table(what: str) -> None:
    """Putdown's question (thesis 5.7.2) and the vacuum's, in the sparse world; nothing lies in anything."""
    with simulate("mannequin", seed=1) as session:
        session.run(TaskBehavior())
        context, random = session.context, np.random.default_rng(0)
        on_it = Above(what, "table") & Near(what, "table", 0.002)
        over_debris = Above("vacuum", "confetti_1", "tip") & Near("vacuum", "confetti_1", 0.03, "tip")
        for condition, subject in ((on_it, what), (over_debris, "vacuum")):
            poses = condition.sample(context, 20, random)
            assert len(poses) == 20
            for X_WO in poses:
                placed = supposing(context, subject, X_WO)
                assert condition.evaluate(placed)
                assert not Near(subject, "stool", 0.0).evaluate(placed)
                assert Above(subject, "table").evaluate(placed)
