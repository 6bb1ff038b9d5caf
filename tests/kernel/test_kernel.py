from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.collision.dynamic_scene import ADVANCE
from taskmatrix.kernel.collision.kernel import Kernel

from .trees import Referee, add, configuration, placement, shape, tree

ROUND = 0.012  # of a cylinder's size, by which its hull is larger


@given(st.integers(0, 2**31))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_no_contact_is_called_free(seed: int) -> None:
    """On random trees of joints, with margins too, and what is clearly apart is not in doubt."""
    model, geometry = tree(seed)
    kernel, referee = Kernel(model, geometry), Referee(model, geometry)
    random = np.random.default_rng(seed)
    margins = random.choice([0.0, 0.01, 0.05], referee.pairs)
    kernel.set_margins(margins)
    for _ in range(6):
        q = configuration(model, random)
        distances, doubtful = referee.distances(q), set(kernel.doubtful(q))
        assert set(np.flatnonzero(distances < margins - 1e-6)) <= doubtful
        assert doubtful <= set(np.flatnonzero(distances < margins + ROUND * 0.2 + 2e-4))


@given(st.integers(0, 2**31))
@settings(max_examples=10, deadline=None, derandomize=True)
def test_many_configurations_are_judged_as_each_alone(seed: int) -> None:
    """Also a number that sixteen does not divide."""
    model, geometry = tree(seed)
    kernel, random = Kernel(model, geometry), np.random.default_rng(seed)
    Q = np.array([configuration(model, random) for _ in range(37)])
    found = kernel.doubts(Q)
    for number, q in enumerate(Q):
        alone = set(kernel.doubtful(q))
        together = {pair for state, pair in found if state == number}
        assert alone == together


@given(st.integers(0, 2**31))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_no_contact_on_an_edge_is_missed(seed: int) -> None:
    """Whatever penetrates by more than a millimetre anywhere on an edge is in doubt there."""
    model, geometry = tree(seed, 5)
    kernel, referee = Kernel(model, geometry), Referee(model, geometry)
    random = np.random.default_rng(seed)
    start, end = configuration(model, random), configuration(model, random)
    if random.random() < 0.5:
        end = start + 0.1 * (end - start)
    pieces = kernel.doubtful_pieces(start, end)
    for t in np.linspace(0.0, 1.0, 120):
        deep = np.flatnonzero(referee.distances(start + t * (end - start)) < -ADVANCE - 1e-5)
        for pair in deep:
            assert any(p == pair and abs(t - middle) <= half + 1e-6 for p, middle, half in pieces) or any(
                p == pair and half == 0.0 for p, middle, half in pieces
            )


def test_an_edge_that_is_clear_leaves_no_doubt() -> None:
    """Two boxes that pass each other at a distance of 2 mm."""
    model, geometry = slider(clearance=0.002)
    kernel = Kernel(model, geometry)
    assert kernel.doubtful_pieces(np.array([-1.0]), np.array([1.0])) == []
    assert kernel.blocks < 60


def test_the_first_doubt_ends_the_search() -> None:
    """Where one will do, one is told."""
    model, geometry = slider(clearance=-0.01)
    kernel = Kernel(model, geometry)
    all_of_them = kernel.doubtful_pieces(np.array([-1.0]), np.array([1.0]))
    assert len(all_of_them) > 1
    assert len(kernel.doubtful_pieces(np.array([-1.0]), np.array([1.0]), first=True)) == 1
    assert kernel.doubtful_pieces(np.array([-1.0]), np.array([1.0])) == all_of_them


def slider(clearance: float) -> tuple[pin.Model, pin.GeometryModel]:
    """A cube that slides past another."""
    model, geometry = pin.Model(), pin.GeometryModel()
    joint = model.addJoint(0, pin.JointModelPX(), pin.SE3.Identity(), "slide")
    add(geometry, "cube", joint, pin.SE3.Identity(), coal.Box(0.1, 0.1, 0.1))
    add(geometry, "other", 0, pin.SE3(np.eye(3), np.array([0.0, 0.1 + clearance, 0.0])), coal.Box(0.1, 0.1, 0.1))
    geometry.addAllCollisionPairs()
    return model, geometry


def test_an_edge_of_no_length_is_its_configuration() -> None:
    """In doubt where that is."""
    model, geometry = slider(clearance=-0.01)
    kernel = Kernel(model, geometry)
    (here,) = kernel.doubtful_pieces(np.zeros(1), np.zeros(1))
    assert here[0] == 0
    assert here[2] == 0.0
    assert kernel.doubtful_pieces(np.ones(1), np.ones(1)) == []


def test_pairs_that_are_not_active_are_not_looked_at() -> None:
    """Neither in states nor on edges."""
    model, geometry = slider(clearance=-0.01)
    kernel = Kernel(model, geometry)
    kernel.active[:] = False
    assert len(kernel.doubtful(np.zeros(1))) == 0
    assert kernel.doubtful_pieces(np.array([-1.0]), np.array([1.0])) == []


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None, derandomize=True)
def test_loose_bodies_are_where_they_are_put(seed: int) -> None:
    """In the world and on a joint; the same as if the model had had them there from the start."""
    random = np.random.default_rng(seed)
    model, geometry = tree(seed, 4)
    held = int(random.integers(1, model.njoints))
    things = [shape(random), shape(random)]
    moved = geometry.copy()
    for name, joint, thing in zip(("held", "standing"), (held, 0), things, strict=True):
        add(geometry, name, joint, placement(random, 0.5), thing)
    geometry.removeAllCollisionPairs()
    geometry.addAllCollisionPairs()
    kernel = Kernel(model, geometry, (geometry.ngeoms - 2, geometry.ngeoms - 1))
    places = [placement(random, 0.2), placement(random, 0.5)]
    for name, joint, thing, X in zip(("held", "standing"), (held, 0), things, places, strict=True):
        add(moved, name, joint, X, thing)
    moved.removeAllCollisionPairs()
    moved.addAllCollisionPairs()
    for number, X in zip((geometry.ngeoms - 2, geometry.ngeoms - 1), places, strict=True):
        kernel.put(number, X)
    fresh = Kernel(model, moved)
    for _ in range(5):
        q = configuration(model, random)
        assert doubts(kernel, q) == doubts(fresh, q)
    start, end = configuration(model, random), configuration(model, random)
    pairs = {pair for pair, _, _ in kernel.doubtful_pieces(start, end)}
    assert pairs == {pair for pair, _, _ in fresh.doubtful_pieces(start, end)}


def doubts(kernel: Kernel, q: Array) -> set[int]:
    return set(kernel.doubtful(q))


def test_a_joint_of_several_coordinates_is_refused_by_name() -> None:
    """A free flyer has seven."""
    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
    with pytest.raises(ValueError, match=r"joint 'root' has 7 coordinates"):
        Kernel(model, pin.GeometryModel())


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_positions_that_are_no_numbers_are_refused(bad: float) -> None:
    """They are never called free."""
    model, geometry = tree(3)
    kernel, q = Kernel(model, geometry), np.zeros(6)
    wrong = q.copy()
    wrong[2] = bad
    for asked in (
        lambda: kernel.doubtful(wrong),
        lambda: kernel.doubts(np.array([q, wrong])),
        lambda: kernel.doubtful_pieces(q, wrong),
        lambda: kernel.doubtful_pieces(wrong, q),
    ):
        with pytest.raises(ValueError, match=r"must be finite numbers; those of 'joint_2' are not"):
            asked()


def test_many_objects_are_no_trouble() -> None:
    """Two thousand cubes, of which one is in the way."""
    model, geometry = slider(clearance=1.0)
    cube = coal.Box(0.05, 0.05, 0.05)
    for number in range(2000):
        x, y = divmod(number, 50)
        add(geometry, f"cube_{number}", 0, pin.SE3(np.eye(3), np.array([2.0 + 0.1 * x, 0.1 * y, 0.0])), cube)
    geometry.removeAllCollisionPairs()
    for number in range(1, geometry.ngeoms):
        geometry.addCollisionPair(pin.CollisionPair(0, number))
    kernel = Kernel(model, geometry)
    assert len(kernel.doubtful(np.zeros(1))) == 0
    touched = [geometry.collisionPairs[int(pair)].second for pair in kernel.doubtful(np.array([2.0]))]
    assert [geometry.geometryObjects[body].name for body in touched] == ["cube_0"]
