"""The condition resting on, and where something can be put down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.conditions import Above, Near, RestingOn
from taskmatrix.core import ObjectModel, Percept, Shape
from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.geometry import box_distance, pose
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench, box_percept

from .satisfied import cup, sampled, supposing, table


@pytest.mark.parametrize(
    ("xyz", "holds", "why"),
    [
        ((1, 0, 0.751), True, "1.0 mm above the top of 'table'"),
        ((1, 0, 0.7475), True, "2.5 mm below"),
        ((1, 0, 0.755), False, "5.0 mm above"),
        ((1.49, 0, 0.75), True, "0.0 mm"),
        ((1.51, 0, 0.75), False, "its centre is not over it"),
    ],
)
def test_underside_touches_top_and_the_centre_is_over_it(
    xyz: tuple[float, float, float], holds: bool, why: str
) -> None:
    """Within 3 mm; and in projection."""
    verdict = RestingOn("cup", "table").evaluate(Bench([table(), cup(xyz)]).context)
    assert bool(verdict) is holds
    assert why in verdict.why
    assert verdict.values["height"] == pytest.approx(xyz[2] - 0.75)


def test_what_is_not_known_is_said() -> None:
    """With the nearest name."""
    assert "did you mean 'table'" in RestingOn("cup", "tabel").evaluate(Bench([table(), cup()]).context).why


@settings(max_examples=20, deadline=None)
@given(yaw=st.floats(-3.1, 3.1), seed=st.integers(0, 1000), places=st.lists(st.floats(-0.4, 0.4), max_size=4))
def test_sampled_it_stands_on_the_top_apart_from_the_rest(yaw: float, seed: int, places: list[float]) -> None:
    """On a table turned by any angle: 1 mm above it, no corner beyond the edge, 2 cm from what stands there."""
    support = table(yaw)
    others = [cup((support.X_WO @ [x, 0.1, 0.751, 1])[:3].tolist(), f"cup_{k}") for k, x in enumerate(places)]
    bench = Bench([support, cup(), *others])
    for X_WO in sampled(bench, RestingOn("cup", "table"), 5, seed):
        placed = supposing(bench.context, "cup", X_WO).perception
        assert placed.object("cup").box[0][2] == pytest.approx(0.701)
        for x in (-0.03, 0.03):
            for y in (-0.03, 0.03):
                corner = np.linalg.inv(support.X_WO) @ X_WO @ [x, y, 0, 1]
                assert (np.abs(corner[:2]) <= [0.5 + 1e-5, 0.3 + 1e-5]).all()
        for other in others:
            assert box_distance(placed.object("cup").box, placed.object(other.model.id).box) >= 0.02


@pytest.mark.parametrize("up", ["x", "-x", "y", "-y", "z", "-z"])
def test_any_axis_may_be_up(up: str) -> None:
    """Its box stands on the top then, and the condition with that axis holds there; with another it does not."""
    bench = Bench([table(0.3), cup()])
    poses = RestingOn("cup", "table", up).sample(bench.context, 5, np.random.default_rng(0))
    assert len(poses) == 5
    for X_WO in poses:
        axis = X_WO[:3, "xyz".index(up[-1])] * (-1 if up[0] == "-" else 1)
        np.testing.assert_allclose(axis, [0.0, 0.0, 1.0], atol=1e-9)
        placed = supposing(bench.context, "cup", X_WO)
        assert placed.perception.object("cup").box[0][2] == pytest.approx(0.701)
        assert RestingOn("cup", "table").evaluate(placed)
        other = RestingOn("cup", "table", "y" if up != "y" else "z").evaluate(placed)
        assert not other
        assert "deg from up" in other.why


def test_an_axis_that_there_is_not_is_told() -> None:
    """When the condition is made."""
    with pytest.raises(ParameterError, match="no axis 'w'"):
        RestingOn("cup", "table", "w")


def test_on_a_round_top_it_does_not_stand_in_the_corners_of_its_box() -> None:
    """All of it is over the seat."""
    seat = Percept(ObjectModel("stool", "furniture", (Shape("cylinder", (0.15, 0.4), pose()),)), pose((0, 0, 0.2)))
    bench = Bench([seat, cup((2, 0, 0.05))])
    for X_WO in sampled(bench, RestingOn("cup", "stool"), 30):
        assert np.linalg.norm(X_WO[:2, 3]) <= 0.15 - 0.03


def test_on_something_with_a_back_it_stands_on_what_is_highest_or_nowhere() -> None:
    """The top is what rises to the top of the box: the seat below does not count."""
    back = Shape("box", (0.02, 0.4, 0.9), pose((-0.2, 0, 0.45)))
    seat = Shape("box", (0.4, 0.4, 0.45), pose((0, 0, 0.225)))
    bench = Bench([Percept(ObjectModel("chair", "furniture", (back, seat)), pose((0, 0, 0))), cup((2, 0, 0.05))])
    assert RestingOn("cup", "chair").sample(bench.context, 3, np.random.default_rng(0)) == ()
    assert len(Above("cup", "chair").sample(bench.context, 3, np.random.default_rng(0))) == 3


def test_it_does_not_stand_between_two_tops() -> None:
    """On either arm of a couch, not over its seat; nor on cushions, which are only seen."""
    arms = [Shape("box", (0.8, 0.2, 0.6), pose((0, y, 0.3))) for y in (-0.5, 0.5)]
    seat = Shape("box", (0.8, 0.8, 0.4), pose((0, 0, 0.2)))
    cushion = replace(Shape("box", (0.8, 0.7, 0.2), pose((0, 0, 0.5))), collides=False)
    bench = Bench([Percept(ObjectModel("couch", "furniture", (*arms, seat, cushion)), pose()), cup((2, 0, 0.05))])
    sides = [X_WO[1, 3] for X_WO in sampled(bench, RestingOn("cup", "couch"), 20)]
    assert all(0.43 <= abs(side) <= 0.57 for side in sides)
    assert min(sides) < 0 < max(sides)
    soft = Bench([Percept(ObjectModel("cushion", "object", (cushion,)), pose()), cup((2, 0, 0.05))])
    on_it = RestingOn("cup", "cushion") & Near("cup", "cushion", 0.1)
    assert on_it.sample(soft.context, 3, np.random.default_rng(0)) == ()


def test_a_full_table_has_no_place() -> None:
    """Fewer poses than asked for, here none: the caller sees it by their number."""
    bench = Bench([table(size=(0.2, 0.2)), cup((1, 0, 0.751), "mug"), cup()])
    assert RestingOn("cup", "table").sample(bench.context, 5, np.random.default_rng(0)) == ()


def test_what_is_held_does_not_take_up_room() -> None:
    """Neither the object itself, in a hand over the table, nor another in the other hand."""
    bench = Bench([table(size=(0.2, 0.2)), cup((1, 0, 0.751)), cup((1, 0.02, 0.751), "mug")])
    bench.plant.attach("left", "cup")
    bench.plant.attach("right", "mug")
    bench.context.perception.update(bench.plant.observe(), 0.0)
    assert len(sampled(bench, RestingOn("cup", "table") & Near("cup", "table", 0.01), 5)) == 5


@pytest.mark.parametrize("yaw", [0.0, 0.3, 1.1, -2.0])
def test_on_a_top_of_its_own_size_there_is_one_place(yaw: float) -> None:
    """A box on a box, its edges along the other's, as nearly as its underside is over what is solid."""
    stand = Percept(box_percept("stand", size=(0.06, 0.08, 0.7)).model, pose((0.8, 0.1, 0.35), (0.0, 0.0, yaw)))
    bench = Bench([stand, box_percept("box", size=(0.06, 0.08, 0.1))])
    for X_WO in sampled(bench, RestingOn("box", "stand"), 5):
        np.testing.assert_allclose(X_WO[:3, 3], (0.8, 0.1, 0.751), atol=1e-3)
        assert abs(np.sin(yaw - np.arctan2(X_WO[1, 0], X_WO[0, 0]))) < 0.03


def test_nothing_stands_on_a_ball() -> None:
    """Or a capsule: it has no level top."""
    for shape in (Shape("sphere", (0.2,), np.eye(4)), Shape("capsule", (0.2, 0.1), np.eye(4))):
        ball = Percept(ObjectModel("ball", "ball", (shape,)), pose((0.8, 0.1, 0.25)))
        bench = Bench([ball, cup()])
        assert not RestingOn("cup", "ball").sample(bench.context, 1, np.random.default_rng(0))


def round_percept(id: str, length: float, radius: float, X_WO: Array) -> Percept:
    return Percept(ObjectModel(id, "can", (Shape("cylinder", (radius, length), np.eye(4)),), movable=True), X_WO)


@pytest.mark.parametrize("yaw", [0.0, 0.1, 1.3])
def test_a_can_stands_on_a_can(yaw: float) -> None:
    """In the middle, turned in any way; not on one that is 3 mm narrower."""
    can, on_it = round_percept("can", 0.12, 0.033, pose((0.0, 0.0, 0.06))), RestingOn("can", "stand")
    place = pose((0.8, 0.1, 0.06), (0.0, 0.0, yaw))
    for X_WO in sampled(Bench([round_percept("stand", 0.12, 0.033, place), can]), on_it, 5):
        np.testing.assert_allclose(X_WO[:3, 3], (0.8, 0.1, 0.181), atol=1.1e-3)
    narrower = Bench([round_percept("stand", 0.12, 0.030, place), can])
    assert not on_it.sample(narrower.context, 1, np.random.default_rng(0))


@pytest.mark.parametrize("lies", [0.0, 0.001])
def test_on_a_mat_of_a_millimetre(lies: float) -> None:
    """On the mat, and on the table below it as well; the table has places beside it."""
    mat = box_percept("mat", (1.0, 0.0, 0.7005 + lies), (0.2, 0.2, 0.001))
    bench = Bench([table(), mat, cup()])
    for support, height in (("mat", 0.702 + lies), ("table", 0.701)):
        for X_WO in sampled(bench, RestingOn("cup", support), 10):
            assert supposing(bench.context, "cup", X_WO).perception.object("cup").box[0][2] == pytest.approx(height)
