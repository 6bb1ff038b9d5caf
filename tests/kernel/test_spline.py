from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PchipInterpolator, PPoly

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.timing.spline import lengths, resample, through

KNOTS = np.array([0.0, 0.3, 0.5, 0.9, 1.0])
POINTS = np.array([[0, 0], [1, 0.5], [1, 1.0], [1, -0.5], [0.5, 0]], dtype=float)
FAR = np.full(2, 9.0)
ZIGZAG = np.array([[0, 0, 0], [0.5, 1, 0], [0.6, -0.5, 1], [1.2, 0.3, 0.5]], dtype=float)
WEIGHTS = np.array([1.0, 0.6, 0.3])


def curve(knots: Array, points: Array, upper: Array) -> PPoly:
    """From the same coefficients as scipy has them."""
    return PPoly(through(knots, points, np.full(points.shape[1], -1e9), upper)[:, ::-1].swapaxes(0, 1), knots)


@pytest.mark.parametrize("upper", [1.0, 9.0])
def test_it_passes_all_points(upper: float) -> None:
    """Smooth or monotone."""
    np.testing.assert_allclose(curve(KNOTS, POINTS, np.array([upper, 9.0]))(KNOTS), POINTS, atol=1e-12)


def test_a_joint_that_would_overshoot_its_limit_does_not() -> None:
    """And only that joint gives up its continuous curvature."""
    along = np.linspace(0, 1, 500)
    free, held = curve(KNOTS, POINTS, FAR), curve(KNOTS, POINTS, np.array([1.0, 9.0]))
    assert free(along)[:, 0].max() > 1.01
    assert held(along)[:, 0].max() <= 1.0 + 1e-12
    np.testing.assert_array_equal(held(along)[:, 1], free(along)[:, 1])


def test_a_start_beyond_the_limit_is_accepted() -> None:
    """The curve comes in without going further out."""
    held = curve(KNOTS, POINTS + np.array([0.2, 0.0]), np.array([1.0, 9.0]))
    assert held(np.linspace(0, 1, 500))[:, 0].max() <= 1.2 + 1e-12


@given(st.integers(2, 30), st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_it_is_the_spline_of_scipy(count: int, seed: int) -> None:
    """With pieces of very different lengths too; and the monotone one, where the points are as far as it may go."""
    random = np.random.default_rng(seed)
    knots = np.cumsum(10.0 ** random.uniform(-2, 0, count))
    points = random.normal(size=(count, 2))
    along, top = np.linspace(knots[0], knots[-1], 2000), points.max(axis=0)
    smooth = CubicSpline(knots, points, bc_type="not-a-knot")(along)
    np.testing.assert_allclose(curve(knots, points, np.full(2, 1e9))(along), smooth, atol=1e-9 * np.abs(smooth).max())
    held, monotone = curve(knots, points, top)(along), PchipInterpolator(knots, points)(along)
    for j in np.flatnonzero((smooth > top + 1e-6).any(axis=0)):
        np.testing.assert_allclose(held[:, j], monotone[:, j], atol=1e-9)
    assert np.all(held <= top + 1e-8)


def test_resampling_keeps_the_corners_and_the_spacing() -> None:
    """No two points further apart than asked, every corner among them, no point twice."""
    path = np.vstack([ZIGZAG, ZIGZAG[-1:]])
    points = resample(path, WEIGHTS, 0.05)
    gaps = np.linalg.norm(np.diff(points, axis=0) * WEIGHTS, axis=1)
    assert gaps.max() <= 0.05 + 1e-12
    assert gaps.min() > 0
    np.testing.assert_allclose(lengths(points, WEIGHTS), np.append(0.0, np.cumsum(gaps)))
    for corner in ZIGZAG:
        assert np.abs(points - corner).sum(axis=1).min() < 1e-12
