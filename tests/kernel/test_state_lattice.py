"""Ways of a base among furniture."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

import numpy as np
import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.paths.state_lattice import lattice_way

LIMIT: Array = np.array([5.0, 5.0, 2 * np.pi])
RADIUS = 0.3  # [m] of the base
GAP = (1.0, 1.8)  # [m] y of a door in the wall x = 1
GOAL: Array = np.array([2.0, 0.0, 0.0])


def is_free(place: Array) -> bool:
    """Whether a disc stands clear of a wall with a door."""
    beside = max(GAP[0] - place[1], place[1] - GAP[1], 0.0)
    corner = min(hypot(place[0] - 1.0, place[1] - y) for y in GAP)
    return corner >= RADIUS and (beside == 0.0 or abs(place[0] - 1.0) >= RADIUS)


class Room:
    """A room, that counts the lines that are checked."""

    def __init__(self) -> None:
        self.checks = 0

    def is_free(self, start: Array, end: Array) -> bool:
        """Whether a straight line is."""
        self.checks += 1
        return all(is_free(start + share * (end - start)) for share in np.linspace(0.0, 1.0, 20))

    def way(self, slides: bool, most: int = 2000, start: tuple[float, float, float] = (0.0, 0.0, 0.5)) -> Array | None:
        """From a start to the goal, where the base gets within 30 cm with any heading."""

        def remaining(x: float, y: float) -> float:
            door = 1.0, sum(GAP) / 2
            through = hypot(x - door[0], y - door[1]) + hypot(GOAL[0] - door[0], GOAL[1] - door[1])
            return through if x < 1.0 else hypot(x - GOAL[0], y - GOAL[1])

        def last_way(place: Array) -> Array | None:
            near = np.linalg.norm(place[:2] - GOAL[:2]) < 0.3 and self.is_free(place, GOAL)
            return np.array([place, GOAL]) if near else None

        return lattice_way(np.array(start), self.is_free, remaining, last_way, -LIMIT, LIMIT, most, slides, 6.0)


@pytest.mark.parametrize("slides", [True, False])
def test_it_goes_through_a_door(slides: bool) -> None:
    """Free all the way, in some dozens of checks and not in thousands."""
    room = Room()
    way = room.way(slides)
    assert way is not None
    np.testing.assert_allclose(way[0], (0.0, 0.0, 0.5))
    np.testing.assert_allclose(way[-1], GOAL)
    assert all(Room().is_free(*line) for line in pairwise(way))
    assert room.checks < 300


def test_a_base_that_does_not_slide_turns_on_the_spot_or_goes_along_its_heading() -> None:
    """Also out of where it cannot turn first."""
    way = Room().way(slides=False)
    assert way is not None
    for here, there in pairwise(way[:-1]):
        ahead, beside = _seen(there - here, here[2])
        assert abs(beside) < 1e-9
        assert ahead == pytest.approx(0.0, abs=1e-9) or here[2] == there[2]


def test_where_no_way_is_found_it_says_so() -> None:
    """After as many checks as it may make, or when there is nothing left to try."""
    room = Room()
    assert room.way(slides=True, most=20) is None
    assert room.checks <= 20
    assert Room().way(slides=True, start=(1.0, 0.0, 0.0)) is None


def _seen(step: Array, yaw: float) -> Array:
    """(2,) Ahead and to the left."""
    c, s = np.cos(yaw), np.sin(yaw)
    seen: Array = np.array([[c, s], [-s, c]]) @ step[:2]
    return seen
