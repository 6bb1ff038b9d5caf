from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from taskmatrix.core.objects import Array
from taskmatrix.skills.shortcut import shortcut

WEIGHTS = np.array([1.0, 0.5])


def length(path: Array) -> float:
    return float(np.linalg.norm(np.diff(path, axis=0) * WEIGHTS, axis=1).sum())


def outside_disc(first: Array, second: Array) -> bool:
    """Whether a line keeps out of the unit disc."""
    along = np.linspace(0, 1, 400)[:, None]
    return bool(np.all(np.linalg.norm(first + along * (second - first), axis=1) > 1.0))


def around(random: np.random.Generator) -> Array:
    """A detour from one side of the disc to the other."""
    angles = np.linspace(np.pi, 0.0, 9)
    radii = random.uniform(1.6, 3.0, 9)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])


@pytest.mark.parametrize("seed", range(6))
def test_it_is_never_longer_keeps_its_ends_and_all_edges_stay_free(seed: int) -> None:
    """Around a disc."""
    random = np.random.default_rng(seed)
    path = around(random)
    assert all(outside_disc(a, b) for a, b in pairwise(path))
    short = shortcut(path, WEIGHTS, outside_disc, random, 80)
    assert length(short) < length(path)
    np.testing.assert_array_equal(short[[0, -1]], path[[0, -1]])
    assert all(outside_disc(a, b) for a, b in pairwise(short))


def test_a_free_way_becomes_a_straight_line() -> None:
    """Nothing between the ends."""
    path = around(np.random.default_rng(0))
    np.testing.assert_array_equal(
        shortcut(path, WEIGHTS, lambda a, b: True, np.random.default_rng(0), 80), path[[0, -1]]
    )


def test_where_nothing_is_free_the_path_stays() -> None:
    """Every attempt to cut fails."""
    path = around(np.random.default_rng(1))
    np.testing.assert_array_equal(shortcut(path, WEIGHTS, lambda a, b: False, np.random.default_rng(0), 80), path)


def test_points_that_repeat_are_dropped() -> None:
    """And a path of one point is left alone."""
    path = np.array([[0.0, 0], [0, 0], [1, 0], [1, 0]])
    short = shortcut(path, WEIGHTS, lambda a, b: False, np.random.default_rng(0), 80)
    np.testing.assert_array_equal(short, [[0, 0], [1, 0]])
    np.testing.assert_array_equal(shortcut(path[:1], WEIGHTS, outside_disc, np.random.default_rng(0), 80), path[:1])


def test_the_work_is_bounded() -> None:
    """At most one check for each attempt, one for the straight line, and one for each waypoint between the ends."""
    calls = 0

    def never(first: Array, second: Array) -> bool:
        nonlocal calls
        calls += 1
        return False

    shortcut(around(np.random.default_rng(2)), WEIGHTS, never, np.random.default_rng(0), attempts=15)
    assert calls <= 15 + 1 + 7


def test_waypoints_that_can_be_skipped_are() -> None:
    """Without a single attempt to cut: many close to one another would make a motion slow."""
    angles = np.linspace(np.pi, 0.0, 40)
    path = 1.6 * np.column_stack([np.cos(angles), np.sin(angles)])
    pruned = shortcut(path, WEIGHTS, outside_disc, np.random.default_rng(0), attempts=0)
    assert 3 <= len(pruned) <= 4  # a chord of a circle of 1.6 that keeps out of the disc spans 103 degrees
    np.testing.assert_array_equal(pruned[[0, -1]], path[[0, -1]])
    assert all(outside_disc(a, b) for a, b in pairwise(pruned))
    assert all((point == path).all(axis=1).any() for point in pruned)
    assert not any(outside_disc(a, c) for a, c in zip(pruned[:-2], pruned[2:], strict=True))
