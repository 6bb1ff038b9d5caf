from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.paths import tree_planner
from taskmatrix.kernel.paths.tree_planner import TreePlanner

from .room import GOAL, START, cup, is_free, obstacle, planner, room, sliding_ball


def test_a_path_through_the_door_is_found() -> None:
    """From start to goal, and free."""
    model, geometry = room()
    path = planner(model, geometry)[0].connect(START, GOAL, 1, 2000)
    assert path is not None
    np.testing.assert_allclose(path[[0, -1]], [START, GOAL])
    assert is_free(model, geometry, path)


def test_the_same_seed_gives_the_same_path_and_another_another() -> None:
    """Whatever was planned in between, and however much memory the trees began with."""
    space = planner(*room())[0]
    first, other, again = (space.connect(START, GOAL, seed, 2000) for seed in (7, 8, 7))
    assert first is not None
    assert other is not None
    assert again is not None
    np.testing.assert_array_equal(first, again)
    assert first.shape != other.shape or not np.allclose(first, other)


def test_trees_get_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the path is the same."""
    first = planner(*room())[0].connect(START, GOAL, 3, 2000)
    monkeypatch.setattr(tree_planner, "CAPACITY", 2)
    again = planner(*room())[0].connect(START, GOAL, 3, 2000)
    assert first is not None
    assert again is not None
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("checks", [50, 6000])
def test_the_work_is_bounded(checks: int) -> None:
    """Without a door it gives up after its checks, and at most one line more."""
    space = planner(*room(door=False))[0]
    assert space.connect(START, GOAL, 1, checks) is None
    assert checks <= space.checks <= checks + 200


def test_trees_that_find_nothing_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search with little patience still finds the path, after some beginnings."""
    monkeypatch.setattr(tree_planner, "FIRST_TRY", 4)
    space = planner(*room())[0]
    assert space.connect(START, GOAL, 1, 2000) is not None
    assert space.checks > 8


def test_what_is_compiled_ahead_serves_a_single_joint_and_strided_paths() -> None:
    """Nothing more is compiled for them: that would take many seconds, in the middle of a run."""
    every, checker = planner(*room())
    one = TreePlanner(checker, START * [1, 1, 0], np.eye(3)[:, 2:], every.lower[2:], every.upper[2:], every.weights[2:])
    functions = [getattr(tree_planner, name) for name in ("grow", "look", "shorten", "way")]
    before = [len(function.signatures) for function in functions]
    one.grow(START[2:], 1, 50)
    path = np.asfortranarray(np.linspace(START, START + np.array([0.0, 1.0, 0.5]), 4))
    every.shortened(path, 0, 5)
    assert every.direct(path[0], path[1]) is not None
    assert [len(function.signatures) for function in functions] == before


def test_a_tree_grows_the_same_for_a_seed() -> None:
    """Trees without a goal."""
    trees = [planner(*room())[0].grow(START, seed, 500).nodes for seed in (3, 4, 3)]
    np.testing.assert_array_equal(trees[0], trees[2])
    assert trees[0].shape != trees[1].shape or not np.allclose(trees[0], trees[1])


def test_the_branches_of_a_tree_lead_back_to_the_start_along_free_lines() -> None:
    """Every node has one parent, the tree passes the door, and stays within the bounds."""
    model, geometry = room()
    tree = planner(model, geometry)[0].grow(START, 1, 3000)
    assert len(tree.nodes) > 100
    for index in range(1, len(tree.nodes), 20):
        branch = tree.branch(index)
        np.testing.assert_allclose(branch[0], START)
        np.testing.assert_array_equal(branch[-1], tree.nodes[index])
        assert is_free(model, geometry, branch)
    assert tree.nodes[:, 0].max() > 0.4
    assert np.abs(tree.nodes).max() <= 3.0 + 1e-9


def test_a_hollow_body_has_room_inside() -> None:
    """Out of a cup whose convex hull is full, without a question to coal."""
    model, geometry = sliding_ball()
    obstacle(geometry, "cup", pin.SE3.Identity(), cup())
    start, goal = np.array([0.5, 0.0, 0.0]), np.array([-0.5, 0.0, 2.5])
    space, checker = planner(model, geometry)
    assert len(checker.kernel.doubtful(start)) == 0
    assert not checker.rough.any()
    path = space.connect(start, goal, 2, 20_000)
    assert path is not None
    assert is_free(model, geometry, path)
    short = space.shortened(path, 1, 100)
    assert is_free(model, geometry, short)
    assert length(short) < length(path)


def test_a_path_out_of_a_closed_cup_is_not_found() -> None:
    """With a lid on it."""
    model, geometry = sliding_ball()
    obstacle(geometry, "cup", pin.SE3.Identity(), cup())
    obstacle(geometry, "lid", pin.SE3(np.eye(3), np.array([0.0, 0.0, 1.05])), coal.Box(2.0, 2.0, 0.1))
    assert planner(model, geometry)[0].connect(np.zeros(3), np.array([0.0, 0.0, 2.5]), 2, 2000) is None


def test_a_detour_is_cut_off() -> None:
    """Between the same ends, free, about as long as it has to be, and what need not move does not."""
    model, geometry = room()
    space = planner(model, geometry)[0]
    detour = np.array([START, [-2.0, 2.9, 2.9], [0.0, 1.5, -2.9], [2.0, 2.9, 2.9], GOAL])
    short = space.shortened(detour, 0, 300)
    np.testing.assert_array_equal(short[[0, -1]], [START, GOAL])
    assert is_free(model, geometry, short)
    round_the_wall = 2 * np.hypot(1.8, 1.2) + 0.4
    assert length(short) < 1.1 * round_the_wall
    assert np.ptp(short[:, 2]) < 0.3


def test_of_two_paths_the_shorter_is_shortened() -> None:
    """From the same ends, free, and shorter than what as many attempts make of one, on the whole."""
    model, geometry = room()
    space = planner(model, geometry)[0]
    saved = 0.0
    for seed in range(12):
        path = space.connect(START, GOAL, seed, 2000)
        assert path is not None
        better, alone = space.improved(path, seed + 1, 30, 2000), space.shortened(path, seed + 1, 30)
        np.testing.assert_array_equal(better[[0, -1]], [START, GOAL])
        assert is_free(model, geometry, better)
        saved += length(alone) - length(better)
        np.testing.assert_array_equal(space.improved(path, seed, 30, 0)[[0, -1]], [START, GOAL])
    assert saved > 0.0


def test_a_path_that_can_be_straight_is() -> None:
    """Within one attempt; one that is stays as it is."""
    model, geometry = sliding_ball()
    space = planner(model, geometry)[0]
    np.testing.assert_array_equal(space.shortened(np.array([START, [0.0, 2.0, 0.0], GOAL]), 0, 1), [START, GOAL])
    np.testing.assert_array_equal(space.shortened(np.array([START, GOAL]), 0, 10), [START, GOAL])


def test_lines_are_judged_as_the_checker_judges_edges() -> None:
    """Whatever was looked at before."""
    model, geometry = room()
    space, checker = planner(model, geometry)
    random = np.random.default_rng(0)
    judged: list[bool] = []
    while len(judged) < 200:
        a, b = random.uniform(-3, 3, (2, 3))
        if checker.is_free(a):
            judged.append(space.line_is_free(a, b))
            assert judged[-1] == checker.edge_is_free(a, b)
    assert 20 < sum(judged) < 180


def length(path: Array) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
