from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from taskmatrix.core.objects import Array
from taskmatrix.skills import rrt

START, GOAL = np.array([-2.0, 0.0]), np.array([2.0, 0.0])


class Room:
    """A wall across the plane, with a door; joint 1 counts half."""

    def __init__(self, door: float | None = 1.5) -> None:
        self.checks = 0
        self.door = door
        weights = np.array([1.0, 0.5])
        bounds = np.array([3.0, 3.0])
        self.space = rrt.Space(-bounds, bounds, weights, self.is_free, self.edge_is_free, lambda: self.checks)

    def is_free(self, values: Array) -> bool:
        self.checks += 1
        in_door = self.door is not None and abs(values[1] - self.door) < 0.5
        return abs(values[0]) > 0.3 or in_door

    def edge_is_free(self, first: Array, second: Array) -> bool:
        return all(self.is_free(first + (second - first) * k / 40) for k in range(1, 41))


def test_a_path_through_the_door_is_found() -> None:
    """From start to goal, with all edges free."""
    room = Room()
    path = rrt.connect(room.space, START, GOAL, 1, 200_000).path
    assert path is not None
    np.testing.assert_allclose(path[[0, -1]], [START, GOAL])
    assert all(room.edge_is_free(a, b) for a, b in pairwise(path))


def test_the_same_seed_gives_the_same_path_and_another_another() -> None:
    """Whatever was planned in between."""
    first = rrt.connect(Room().space, START, GOAL, 7, 200_000)
    other = rrt.connect(Room().space, START, GOAL, 8, 200_000)
    again = rrt.connect(Room().space, START, GOAL, 7, 200_000)
    assert first.path is not None
    assert other.path is not None
    assert again.path is not None
    np.testing.assert_array_equal(first.path, again.path)
    np.testing.assert_array_equal(first.tree, again.tree)
    assert first.path.shape != other.path.shape or not np.allclose(first.path, other.path)


def distance(values: Array) -> float:
    return float(np.linalg.norm(values - GOAL))


def test_a_tree_grows_the_same_for_a_seed() -> None:
    """Trees without a goal to connect to."""
    trees = [rrt.grow(Room().space, START, distance, seed, 4000).tree for seed in (3, 4, 3)]
    np.testing.assert_array_equal(trees[0], trees[2])
    assert trees[0].shape != trees[1].shape or not np.allclose(trees[0], trees[1])


@pytest.mark.parametrize("budget", [500, 5000])
def test_the_work_is_bounded(budget: int) -> None:
    """Without a door it gives up after its checks, and at most one extension more."""
    room = Room(door=None)
    assert rrt.connect(room.space, START, GOAL, 1, budget).path is None
    assert budget <= room.checks <= budget + 200
    room = Room(door=None)
    rrt.grow(room.space, START, distance, 1, budget)
    assert budget <= room.checks <= budget + 200


def test_the_branches_of_a_tree_lead_back_to_the_start_along_free_edges() -> None:
    """Every node has one parent, and the tree passes the door."""
    room = Room()
    search = rrt.grow(room.space, START, distance, 1, 40_000)
    assert len(search.tree) == len(search.parents) > 20
    for index in range(len(search.tree)):
        branch = search.branch(index)
        np.testing.assert_allclose(branch[0], START)
        np.testing.assert_array_equal(branch[-1], search.tree[index])
        assert all(room.edge_is_free(a, b) for a, b in pairwise(branch))
    assert search.tree[:, 0].max() > 0.3


def test_nodes_stay_within_the_bounds() -> None:
    """Of the space."""
    tree = rrt.grow(Room().space, START, distance, 2, 20_000).tree
    assert np.abs(tree).max() <= 3.0 + 1e-9


def test_an_interpreter_that_planned_ends_in_silence() -> None:
    """Nothing is left behind that the bindings would complain of."""
    code = (
        "import numpy as np\n"
        "from taskmatrix.skills import rrt\n"
        "from tests.skills.test_rrt import GOAL, START, Room, distance\n"
        "rrt.connect(Room().space, START, GOAL, 1, 20000)\n"
        "rrt.grow(Room().space, START, distance, 1, 2000)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout + ended.stderr == ""
