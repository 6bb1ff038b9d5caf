from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.world.objects import Array
from taskmatrix.skills.grasping.closure import EDGES, Friction, antipodal, ball, wrench_ball, wrenches

ORIGIN = np.zeros(3)
HALF = Friction(0.5, 0.01)


def facing(gap: float = 0.1, tilt: float = 0.0) -> tuple[Array, Array]:
    """Two contacts on the y axis whose normals are turned by the same angle [rad] out of it, both towards x."""
    points = np.array([[0.0, -gap / 2, 0.0], [0.0, gap / 2, 0.0]])
    normals = np.array([[np.sin(tilt), np.cos(tilt), 0.0], [np.sin(tilt), -np.cos(tilt), 0.0]])
    return points, normals


@pytest.mark.parametrize("tilt", [0.0, 20.0, 26.0, 27.0, 45.0])
def test_two_soft_fingers_hold_while_their_line_is_in_both_cones(tilt: float) -> None:
    """The cone of friction 0.5 opens by 26.57 degrees."""
    points, normals = facing(tilt=np.radians(tilt))
    found = antipodal(points[:1], points[1:], normals[:1], normals[1:], HALF)
    assert found.tolist() == [tilt < 26.57]


@pytest.mark.parametrize("tilt", [0.0, 15.0, 30.0, 50.0])
def test_the_wrench_hull_says_the_same_as_the_cones(tilt: float) -> None:
    points, normals = facing(tilt=np.radians(tilt))
    held = wrench_ball(points, normals, ORIGIN, 0.1, HALF)
    assert (held > 1e-9) == (tilt < 26.57)


def test_fingers_without_torsion_do_not_hold_against_a_turn_about_their_line() -> None:
    points, normals = facing()
    assert wrench_ball(points, normals, ORIGIN, 0.1, Friction(0.5, 0.0)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("twist", [0.005, 0.01, 0.02])
def test_two_opposite_fingers_withstand_what_is_worked_out_by_hand(twist: float) -> None:
    """They are weakest against a turn about their line and one across it together.

    Against the first they have the torsion e = twist / 0.1 m; against the second k, the friction with its lever of
    0.05 m / 0.1 m, less by what the pyramid takes off the cone. The hull's support e |sin| or k |cos|, whichever is
    larger, is least where both are equal: e k / sqrt(e^2 + k^2).
    """
    held = wrench_ball(*facing(), ORIGIN, 0.1, Friction(0.5, twist))
    e, k = twist / 0.1, 0.5 * 0.05 / 0.1 * np.cos(np.pi / EDGES)
    assert held == pytest.approx(e * k / np.hypot(e, k), rel=1e-6)


def test_a_third_finger_never_makes_it_worse() -> None:
    points, normals = facing()
    third = np.vstack([points, [[0.03, 0.05, 0.0]]]), np.vstack([normals, [[0.0, -1.0, 0.0]]])
    assert wrench_ball(*third, ORIGIN, 0.1, HALF) >= wrench_ball(points, normals, ORIGIN, 0.1, HALF) - 1e-12


def test_three_hard_fingers_about_a_disc_hold_it_in_its_plane() -> None:
    """At 120 degrees, each pressing to the middle: forces in the plane span it; one finger less does not."""
    angles = np.radians([0.0, 120.0, 240.0])
    points = 0.05 * np.c_[np.cos(angles), np.sin(angles), 0 * angles]
    inward = -points / 0.05
    assert wrench_ball(points, inward, ORIGIN, 0.05, Friction(0.3, 0.005)) > 0.01
    assert wrench_ball(points[:2], inward[:2], ORIGIN, 0.05, Friction(0.3, 0.005)) == 0.0


def test_the_ball_of_an_octahedron_is_the_one_of_geometry() -> None:
    """Corners at unit distance: the faces are at 1 / sqrt(3)."""
    assert ball(np.vstack([np.eye(3), -np.eye(3)])) == pytest.approx(1 / np.sqrt(3))
    assert ball(np.eye(3) + 1.0) == 0.0
    assert ball(np.zeros((2, 3))) == 0.0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_no_direction_is_withstood_less_than_the_ball(seed: int) -> None:
    """For random contacts: what a linear program finds to be withstood is never less, and 0 only without a ball."""
    random = np.random.default_rng(seed)
    inward = random.normal(size=(4, 3))
    inward /= np.linalg.norm(inward, axis=1)[:, None]
    points = -0.05 * inward + random.normal(size=(4, 3)) * 0.005
    vectors = wrenches(points, inward, ORIGIN, 0.05, HALF)
    held = ball(vectors)
    directions = random.normal(size=(20, 6))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    for direction in directions:
        # the furthest point of the hull along a direction: maximise s with s * direction a convex combination
        count = len(vectors)
        found = scipy.optimize.linprog(
            np.r_[np.zeros(count), -1.0],
            A_eq=np.r_[np.c_[vectors.T, -direction], [np.r_[np.ones(count), 0.0]]],
            b_eq=np.r_[np.zeros(6), 1.0],
            bounds=[(0, None)] * count + [(None, None)],
        )
        if held > 0:
            assert found.success
            assert -found.fun >= held - 1e-7
