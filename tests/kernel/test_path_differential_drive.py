"""The local planner of bases that turn on the spot and roll, and trees, shortcuts and OMPL with it."""

from __future__ import annotations

from itertools import pairwise

import coal
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.paths.differential_drive import BACKWARDS
from taskmatrix.kernel.paths.tree_planner import TreePlanner
from taskmatrix.skills.planning import ompl_planner

from .room import is_free, obstacle

BASE = np.array([0, 1, 2])
START, GOAL = np.array([-2.0, 0.0, 0.5, 0.0]), np.array([2.0, 0.0, -1.0, 0.4])
BENT = 1e-5  # [rad] between heading and motion, at most


def car(walls: bool = True) -> tuple[pin.Model, pin.GeometryModel]:
    """A long box on a planar base, with an arm that swings; the walls leave a door beside its straight way."""
    model, geometry = pin.Model(), pin.GeometryModel()
    joint = 0
    for name, kind in (("x", pin.JointModelPX()), ("y", pin.JointModelPY()), ("yaw", pin.JointModelRZ())):
        joint = model.addJoint(joint, kind, pin.SE3.Identity(), name)
    geometry.addGeometryObject(pin.GeometryObject("car", joint, pin.SE3.Identity(), coal.Box(0.5, 0.2, 0.2)))
    joint = model.addJoint(joint, pin.JointModelRZ(), pin.SE3(np.eye(3), np.array([0.3, 0.0, 0.0])), "arm")
    reach = pin.SE3(np.eye(3), np.array([0.15, 0.0, 0.0]))
    geometry.addGeometryObject(pin.GeometryObject("arm", joint, reach, coal.Box(0.2, 0.05, 0.1)))
    model.lowerPositionLimit = np.array([-3.0, -3.0, -2 * np.pi, -1.5])
    model.upperPositionLimit = -model.lowerPositionLimit
    if walls:
        for name, first, last in (("left", -3.5, 0.9), ("right", 1.8, 3.5)):
            place = pin.SE3(np.eye(3), np.array([0.0, (first + last) / 2, 0.0]))
            size = 0.4, last - first, 1.0
            number = len(geometry.geometryObjects)
            obstacle(geometry, name, place, coal.Box(*size))
            geometry.addCollisionPair(pin.CollisionPair(1, number))
    return model, geometry


def planner(model: pin.Model, geometry: pin.GeometryModel, base: Indices | None = BASE) -> TreePlanner:
    checker = Checker(model, geometry)
    lower, upper = model.lowerPositionLimit, model.upperPositionLimit
    weights = checker.kernel.displacement()
    return TreePlanner(checker, np.zeros(4), np.eye(4), lower, upper, weights, base)


def slips(path: Array) -> bool:
    """Whether a base leaves its heading on a path (m, k), or turns while it rolls."""
    for a, b in pairwise(path):
        dx, dy = b[:2] - a[:2]
        far = np.hypot(dx, dy)
        if far > 1e-9 and (abs(np.cos(a[2]) * dy - np.sin(a[2]) * dx) > BENT * far or abs(b[2] - a[2]) > BENT):
            return True
    return False


OPEN = planner(*car(walls=False))
PLACES = st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.floats(-6, 6), st.floats(-1.5, 1.5)).map(np.array)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(a=PLACES, b=PLACES)
def test_a_way_turns_rolls_and_turns(a: Array, b: Array) -> None:
    """It has both ends, at most three phases, never slips, and the arm moves evenly over all of it."""
    way = OPEN.way(a, b)
    assert 2 <= len(way) <= 4
    np.testing.assert_array_equal(way[[0, -1]], [a, b])
    assert not slips(way)
    lengths = np.linalg.norm(OPEN.weights[:3] * np.diff(way[:, :3], axis=0), axis=1)
    if lengths.sum() > 1e-6:
        share = np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum()
        np.testing.assert_allclose(way[:, 3], a[3] + share * (b[3] - a[3]), atol=1e-5)
    assert (way >= OPEN.lower - 1e-9).all()
    assert (way <= OPEN.upper + 1e-9).all()


def test_it_rolls_forwards_unless_that_is_a_long_way_round() -> None:
    """A step back is gone backwards; a far place behind is faced."""
    behind = np.array([-1.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(OPEN.way(np.zeros(4), 0.3 * behind), [np.zeros(4), 0.3 * behind])
    faced = OPEN.way(np.zeros(4), 3.0 * behind)
    assert len(faced) == 4
    assert abs(faced[1, 2]) == pytest.approx(np.pi)
    assert 2 * np.pi * OPEN.weights[2] < 3.0 * (BACKWARDS - 1) * OPEN.weights[0]  # what it costs to turn twice


def test_of_the_yaws_of_a_heading_it_takes_the_nearest() -> None:
    """East is also at a whole turn, and west at half a turn to either side."""
    way = OPEN.way(np.array([0.0, 0.0, 6.0, 0.0]), np.array([1.0, 0.0, 6.2, 0.0]))
    np.testing.assert_allclose(way[:, 2], [6.0, 2 * np.pi, 2 * np.pi, 6.2])
    way = OPEN.way(np.array([0.0, 0.0, -3.0, 0.0]), np.array([-1.0, 0.0, -3.2, 0.0]))
    np.testing.assert_allclose(way[:, 2], [-3.0, -np.pi, -np.pi, -3.2])


@pytest.mark.parametrize("noise", [0.0, -0.0, 1e-12, -1e-12, 1e-9, -1e-9])
def test_of_ways_that_cost_the_same_it_always_takes_the_same(noise: float) -> None:
    """To a place straight behind it may turn to either side: it is not rounding that decides, and both ends agree."""
    for yaw in (0.0, 0.7, -0.4):
        here = np.array([0.0, 0.0, yaw, 0.0])
        there = np.array([-2.5 * np.cos(yaw), -2.5 * np.sin(yaw), yaw + noise, 0.0])
        there[:2] += noise * np.array([np.sin(yaw), np.cos(yaw)])
        way = OPEN.way(here, there)
        assert way[1, 2] == pytest.approx(yaw - np.pi, abs=1e-6)
        back = OPEN.way(there, here)
        assert back[1, 2] == pytest.approx(yaw, abs=1e-6)


def test_what_costs_the_same_forwards_and_backwards_is_gone_forwards() -> None:
    """Where turning round costs just what rolling backwards does, and a hair more or less."""
    length = np.pi * OPEN.weights[2] / ((BACKWARDS - 1) * OPEN.weights[0])
    for noise in (0.0, 1e-9, -1e-9):
        way = OPEN.way(np.zeros(4), np.array([-length - noise, 0.0, -np.pi, 0.0]))
        assert way[1, 2] == pytest.approx(-np.pi)


def test_without_a_heading_there_is_no_way() -> None:
    """As where the yaw hardly moves: forwards and backwards, but not aside."""
    model, geometry = car(walls=False)
    limits = np.array([3.0, 3.0, 0.1, 1.5])
    model.lowerPositionLimit, model.upperPositionLimit = -limits, limits
    space = planner(model, geometry)
    aside = np.array([0.0, 1.0, 0.0, 0.0])
    np.testing.assert_array_equal(space.way(np.zeros(4), aside), [np.zeros(4)])
    assert space.direct(np.zeros(4), aside) is None
    assert space.connect(np.zeros(4), np.array([1.0, 0.05, 0.0, 0.0]), 1, 2000) is not None


@settings(max_examples=100, deadline=None, derandomize=True)
@given(a=PLACES, b=PLACES)
def test_what_is_called_free_is_free_for_coal(a: Array, b: Array) -> None:
    """Sampled along the three phases."""
    model, geometry = ROOM
    space = IN_ROOM
    if space.is_free(a):
        direct = space.direct(a, b)
        assert direct is None or is_free(model, geometry, direct)


ROOM = car()
IN_ROOM = planner(*ROOM)


def test_trees_find_the_door_without_slipping() -> None:
    """And shortcuts keep to that; the same seed gives the same path."""
    for seed in range(5):
        path = IN_ROOM.connect(START, GOAL, seed, 20000)
        assert path is not None
        np.testing.assert_allclose(path[[0, -1]], [START, GOAL])
        short = IN_ROOM.shortened(path, seed, 120)
        np.testing.assert_allclose(short[[0, -1]], [START, GOAL])
        for found in (path, short):
            assert not slips(found)
            assert is_free(*ROOM, found)
        lengths = [np.linalg.norm(IN_ROOM.weights * np.diff(p, axis=0), axis=1).sum() for p in (short, path)]
        assert lengths[0] < lengths[1]
        again = IN_ROOM.connect(START, GOAL, seed, 20000)
        assert again is not None
        np.testing.assert_array_equal(again, path)


def test_one_tree_alone_does_not_slip_either() -> None:
    """Every edge of it is a phase."""
    tree = IN_ROOM.grow(START, 1, 1500)
    assert len(tree.nodes) > 100
    edges = [(tree.nodes[p], node) for node, p in zip(tree.nodes, tree.parents, strict=True) if p >= 0]
    assert not any(slips(np.array(edge)) for edge in edges)


def test_a_base_that_slides_does() -> None:
    """What these tests look for is not there by itself."""
    slid = planner(*ROOM, base=None).connect(START, GOAL, 1, 20000)
    assert slid is not None
    assert slips(slid)


@pytest.mark.parametrize("name", ["RRTConnect", "RRT", "PRM", "KPIECE1", "BITstar"])
def test_planners_of_ompl_find_the_door_without_slipping(name: str) -> None:
    """Or they find nothing."""
    path = ompl_planner.solve(IN_ROOM, name, START, GOAL, 2, 20000)
    if name == "RRTConnect":
        assert path is not None
    if path is not None:
        np.testing.assert_allclose(path[[0, -1]], [START, GOAL])
        assert not slips(path)
        assert is_free(*ROOM, path)
