from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from taskmatrix.simulation.scenes.object_motion import BRAKING, FigureEight, Roll, Route, Walk

CORNER = Route(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]]), 0.5)
SQUARE = Route(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), 0.25, repeat=True)
EIGHT = FigureEight((2.0, 0.8), 12.0, np.pi / 3)
MOTIONS = [Roll(CORNER, 0.1), Roll(SQUARE, 0.1), Walk(CORNER), Walk(SQUARE), EIGHT]


@pytest.mark.parametrize("motion", MOTIONS)
def test_motion_starts_where_the_object_is(motion: Roll | Walk | FigureEight) -> None:
    """At time 0 nothing is displaced or turned."""
    displacement, turn = motion.at(0.0)
    np.testing.assert_allclose(displacement, 0.0, atol=1e-12)
    np.testing.assert_allclose(turn, np.eye(3), atol=1e-12)


@pytest.mark.parametrize("motion", MOTIONS)
def test_motion_has_no_jumps_and_stays_on_its_plane(motion: Roll | Walk | FigureEight) -> None:
    """In a hundredth of a second nothing moves further than it travels, nor turns by more than a few degrees."""
    for time in np.arange(0.0, 20.0, 0.2):
        (before, R), (after, S) = motion.at(time), motion.at(time + 0.01)
        travelled = motion.travelled(time + 0.01) - motion.travelled(time)
        assert np.linalg.norm(after - before) <= travelled + 1e-4
        assert after[2] == 0.0
        assert Rotation.from_matrix(R.T @ S).magnitude() < 0.1
        np.testing.assert_allclose(S @ S.T, np.eye(3), atol=1e-9)


def test_path_comes_to_rest_at_its_last_waypoint() -> None:
    """At its speed until it brakes, evenly; from then on it stays."""
    assert CORNER.length == 3.0
    assert CORNER.travelled(2.0) == 1.0
    braking = 0.5 / BRAKING
    end = (3.0 - 0.5 * 0.5 / BRAKING / 2) / 0.5 + braking
    assert CORNER.travelled(end - 0.1) == pytest.approx(3.0 - BRAKING * 0.01 / 2)
    assert CORNER.travelled(end) == CORNER.travelled(100.0) == 3.0
    np.testing.assert_allclose(CORNER.point(3.0), [1.0, 2.0])


def test_short_path_is_all_braking() -> None:
    """One that is too short to brake gently on brakes harder, and does not pass its end."""
    short = Route(np.array([[0.0, 0.0], [0.1, 0.0]]), 1.0)
    assert short.travelled(0.1) == pytest.approx(0.1 - 5.0 * 0.01 / 2)
    assert short.travelled(0.2) == pytest.approx(0.1)
    assert short.travelled(9.0) == 0.1


def test_repeated_path_closes() -> None:
    """After the way round it is where it began, and a quarter further at the next corner."""
    np.testing.assert_allclose(SQUARE.point(SQUARE.travelled(16.0)), [0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(SQUARE.point(SQUARE.travelled(20.0)), [1.0, 0.0], atol=1e-12)


def test_ball_rolls_without_slipping() -> None:
    """Velocity of its lowest point is zero: v + omega x (0, 0, -r), on every stretch and in later rounds."""
    for motion in (Roll(CORNER, 0.1), Roll(SQUARE, 0.1)):
        for time in (0.5, 2.5, 4.1, 21.3):
            (p, R), (q, S) = motion.at(time), motion.at(time + 1e-5)
            omega = Rotation.from_matrix(S @ R.T).as_rotvec() / 1e-5
            slip = (q - p) / 1e-5 + np.cross(omega, [0.0, 0.0, -0.1])
            np.testing.assert_allclose(slip, 0.0, atol=1e-4)


@pytest.mark.parametrize(("motion", "first"), [(EIGHT, EIGHT.heading(0.0)), (Walk(SQUARE), Walk(SQUARE).heading(0.0))])
def test_walker_faces_where_it_goes(motion: Walk | FigureEight, first: float) -> None:
    """Its x axis, which starts in the direction of the path, stays there."""
    for time in (1.0, 1.7, 5.9, 9.7):
        (p, R), (q, _) = motion.at(time), motion.at(time + 1e-4)
        ahead = R @ [np.cos(first), np.sin(first), 0.0]
        way = (q - p) / np.linalg.norm(q - p)
        assert float(ahead @ way) > 0.99


def test_walker_turns_before_the_corner() -> None:
    """Halfway through a right angle it faces between the two ways."""
    walk = Walk(CORNER)
    assert walk.heading(1.0) == pytest.approx(np.pi / 4)
    assert walk.heading(0.5) == 0.0
    assert walk.heading(2.0) == pytest.approx(np.pi / 2)


def test_figure_eight_has_its_size_and_period() -> None:
    """Along its axis it is as long as said, across as wide; it closes, and passes the crossing in the middle."""
    places = np.array([EIGHT.at(time)[0][:2] for time in np.linspace(0, 12, 481)])
    axis, across = np.array([np.cos(np.pi / 3), np.sin(np.pi / 3)]), np.array([-np.sin(np.pi / 3), np.cos(np.pi / 3)])
    assert np.ptp(places @ axis) == pytest.approx(2.0)
    assert np.ptp(places @ across) == pytest.approx(0.8)
    np.testing.assert_allclose(places[240], 0.0, atol=1e-12)
    np.testing.assert_allclose(places[-1], 0.0, atol=1e-12)
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert EIGHT.travelled(30.0) == pytest.approx(2.5 * steps.sum(), rel=1e-3)
