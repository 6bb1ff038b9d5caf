from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.skills.planning.floor_map import CELL, FloorMap

from .setting import at, box

CLEARANCE, HEIGHT = 0.4, 1.8  # [m]
Box2 = tuple[float, float, float, float]  # xmin, ymin, xmax, ymax


def standing(*boxes: Box2, height: float = 2.0) -> dict[str, tuple[ObjectModel, Array]]:
    """Boxes on the floor by their corners."""
    return {
        f"box_{k}": (
            box(f"box_{k}", (right - left, back - front, height)),
            at((left + right) / 2, (front + back) / 2, height / 2),
        )
        for k, (left, front, right, back) in enumerate(boxes)
    }


def floor(*boxes: Box2, start: tuple[float, float] = (0.0, 0.0)) -> FloorMap:
    return FloorMap(standing(*boxes), np.array([*start, 0.3]), CLEARANCE, HEIGHT)


def along(way: Array, start: tuple[float, float] = (0.0, 0.0)) -> Array:
    """(m, 2) Points of a way, a few millimetres apart."""
    corners = np.vstack([start, way])
    return np.vstack([a + (b - a) * np.linspace(0.0, 1.0, 400)[:, None] for a, b in pairwise(corners)])


def clearance(points: Array, *boxes: Box2) -> float:
    """[m] From the nearest of points (m, 2) to the nearest box; 0 inside one."""
    low, high = np.array(boxes)[:, :2], np.array(boxes)[:, 2:]
    off = np.maximum(0.0, np.maximum(low - points[:, None], points[:, None] - high))
    return float(np.linalg.norm(off, axis=2).min())


WALL_WITH_A_DOOR = ((1.9, -3.0, 2.0, 0.9), (1.9, 2.1, 2.0, 6.0))
PEN = ((-1.1, -1.1, 1.1, -1.0), (-1.1, 1.0, 1.1, 1.1), (-1.1, -1.0, -1.0, 1.0), (1.0, -1.0, 1.1, 1.0))


def test_where_nothing_is_in_the_way_it_is_straight() -> None:
    """One corner: the goal itself, not a cell near it, however far."""
    goal = np.array([7.123, -4.567, 1.0])
    way = floor().way(goal)
    assert way is not None
    np.testing.assert_array_equal(way, [goal[:2]])


def test_the_way_leads_through_the_middle_of_a_door() -> None:
    """A wall with an opening of 1.2 m: through it, as far from its sides as wanted."""
    way = floor(*WALL_WITH_A_DOOR).way(np.array([4.0, 0.0]))
    assert way is not None
    points = along(way)
    through = points[np.abs(points[:, 0] - 1.95) < 0.05]
    assert len(through) > 0
    assert np.all((through[:, 1] > 0.9) & (through[:, 1] < 2.1))
    assert clearance(points, *WALL_WITH_A_DOOR) >= CLEARANCE - 1.5 * CELL
    np.testing.assert_array_equal(way[-1], [4.0, 0.0])


def test_the_way_is_pulled_straight() -> None:
    """A few corners, and hardly longer than the shortest way that keeps clear of the door's sides."""
    way = floor(*WALL_WITH_A_DOOR).way(np.array([4.0, 0.0]))
    assert way is not None
    assert len(way) <= 4
    length = float(np.linalg.norm(np.diff(np.vstack([[0.0, 0.0], way]), axis=0), axis=1).sum())
    corners = np.array([[0.0, 0.0], [1.9, 0.9 + CLEARANCE], [2.0, 0.9 + CLEARANCE], [4.0, 0.0]])
    shortest = float(np.linalg.norm(np.diff(corners, axis=0), axis=1).sum())
    assert length < 1.1 * shortest


def test_out_of_a_closed_room_there_is_no_way() -> None:
    """And within it there is."""
    floor_map = floor(*PEN)
    assert floor_map.way(np.array([3.0, 0.0])) is None
    assert floor_map.way(np.array([0.5, -0.5])) is not None


def test_into_furniture_there_is_no_way() -> None:
    """Its middle is not a place to stand."""
    assert floor((1.0, -0.5, 2.0, 0.5)).way(np.array([1.5, 0.0])) is None


def test_it_keeps_clear_of_furniture() -> None:
    """As far as wanted, where there is room."""
    table = (1.0, -0.6, 2.2, 0.5)
    way = floor(table).way(np.array([3.5, 0.0]))
    assert way is not None
    assert len(way) > 1
    assert clearance(along(way), table) >= CLEARANCE - 1.5 * CELL


def test_a_narrow_passage_is_taken_where_there_is_no_other() -> None:
    """With 0.6 m between two cupboards, through the middle."""
    cupboards = ((1.0, -6.0, 2.0, -0.3), (1.0, 0.3, 2.0, 6.0), (-1.5, -6.0, -1.4, 6.0))
    ends = ((-1.5, -6.1, 2.0, -6.0), (-1.5, 6.0, 2.0, 6.1))
    way = floor(*cupboards, *ends).way(np.array([3.5, 0.0]))
    assert way is not None
    assert clearance(along(way), *cupboards) >= 0.3 - 1.5 * CELL


def test_a_long_way_round_is_preferred_to_a_way_along_a_wall() -> None:
    """Past a narrow gap, where the detour costs little."""
    boxes = ((1.0, -1.0, 2.0, -0.08), (1.0, 0.08, 2.0, 1.0))
    way = floor(*boxes).way(np.array([3.0, 0.0]))
    assert way is not None
    assert clearance(along(way), *boxes) > 0.3


def test_what_hangs_above_the_robot_is_in_nobodys_way() -> None:
    """A lamp above the height; lower it is."""
    goal, lamp = np.array([3.0, 0.0]), box("lamp", (1.0, 1.0, 0.2))
    for height, corners in ((HEIGHT + 0.3, 1), (HEIGHT - 0.3, 2)):
        way = FloorMap({"lamp": (lamp, at(1.5, 0.0, height))}, np.zeros(3), CLEARANCE, HEIGHT).way(goal)
        assert way is not None
        assert (len(way) > 1) == (corners > 1)


def test_what_does_not_collide_is_in_nobodys_way() -> None:
    """A rug."""
    rug = ObjectModel("rug", "rug", (Shape("box", (2.0, 2.0, 0.01), np.eye(4), collides=False),))
    way = FloorMap({"rug": (rug, at(1.5, 0.0, 0.0))}, np.zeros(3), CLEARANCE, HEIGHT).way(np.array([3.0, 0.0]))
    assert way is not None
    assert len(way) == 1


@pytest.mark.parametrize("yaw", [0.3, np.pi / 4, 1.2])
def test_turned_furniture_takes_the_room_that_it_has(yaw: float) -> None:
    """A way lengthways beside a turned bench stays clear of it, and a place beside it is not taken for occupied."""
    bench, X_WO = box("bench", (2.0, 0.3, 0.5)), pose((2.0, 0.0, 0.25), (0.0, 0.0, yaw))
    floor_map = FloorMap({"bench": (bench, X_WO)}, np.zeros(3), CLEARANCE, HEIGHT)
    beside = (X_WO @ [0.6, 0.6, 0.0, 1.0])[:2]
    for goal in (beside, np.array([4.0, 0.2])):
        way = floor_map.way(goal)
        assert way is not None
        points = along(way)
        in_bench = (np.column_stack([points, np.zeros(len(points)), np.ones(len(points))]) @ np.linalg.inv(X_WO).T)[
            :, :2
        ]
        assert clearance(in_bench, (-1.0, -0.15, 1.0, 0.15)) >= CLEARANCE - 1.5 * CELL


def test_a_start_nearer_to_furniture_than_wanted_can_leave() -> None:
    """Standing at the table, where the hand is at work."""
    table = (0.2, -0.6, 1.4, 0.6)
    way = floor(table).way(np.array([-2.0, 0.0]))
    assert way is not None
    assert clearance(along(way), table) == pytest.approx(0.2)  # at the start


def test_a_screen_as_thin_as_paper_is_an_obstacle() -> None:
    """Seen from above it is hardly more than a line."""
    screen = box("screen", (1e-4, 2.0, 1.5))
    way = FloorMap({"screen": (screen, at(1.5, 0.0, 0.75))}, np.zeros(3), CLEARANCE, HEIGHT).way(np.array([3.0, 0.0]))
    assert way is not None
    assert clearance(along(way), (1.5, -1.0, 1.5, 1.0)) >= CLEARANCE - 1.5 * CELL


def test_who_stands_under_a_table_top_finds_a_way_out() -> None:
    """From the nearest place that is free."""
    way = floor((-0.2, -1.0, 0.6, 1.0)).way(np.array([-2.0, 0.0]))
    assert way is not None
    np.testing.assert_allclose(way[-1], [-2.0, 0.0])


def test_points_stand_in_the_way_where_they_are() -> None:
    """A wall of points with a door is a wall with a door, and what is above the head is in nobody's way."""
    y, z = np.meshgrid(np.arange(-3.0, 6.0, 0.04), [0.5, 1.0], indexing="ij")
    wall = np.stack([np.full(y.size, 1.95), y.ravel(), z.ravel()], axis=1)
    wall = wall[(wall[:, 1] < 0.9) | (wall[:, 1] > 2.1)]
    lamp = np.array([[1.0, 0.0, 2.5]])
    shape = Shape("points", (0.06,), np.eye(4), points=np.vstack([wall, lamp]))
    objects = {"wall": (ObjectModel("wall", "obstacle", (shape,)), np.eye(4))}
    way = FloorMap(objects, np.array([0.0, 0.0, 0.3]), CLEARANCE, HEIGHT).way(np.array([4.0, 0.0]))
    assert way is not None
    points = along(way)
    crossing = points[np.abs(points[:, 0] - 1.95).argmin()]
    assert 0.9 + CLEARANCE - 2 * CELL < crossing[1] < 2.1 - CLEARANCE + 2 * CELL
