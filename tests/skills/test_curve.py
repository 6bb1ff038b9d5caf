from __future__ import annotations

import pickle

import numpy as np
import pytest

from taskmatrix.skills.curve import Curve, Limits

KNOTS = np.array([0.0, 0.3, 0.5, 0.9, 1.0])
POINTS = np.array([[0, 0], [1, 0.5], [1, 1.0], [1, -0.5], [0.5, 0]], dtype=float)


def limits(upper: float) -> Limits:
    return Limits(np.full(2, -9.0), np.array([upper, 9.0]), np.ones(2), np.ones(2))


@pytest.mark.parametrize("upper", [1.0, 9.0])
def test_it_passes_all_points(upper: float) -> None:
    """Smooth or monotone."""
    curve = Curve.through(KNOTS, POINTS, limits(upper))
    np.testing.assert_allclose(curve(KNOTS), POINTS, atol=1e-12)
    np.testing.assert_array_equal(curve.path_interval, [0.0, 1.0])
    assert curve.dof == 2


def test_a_joint_that_would_overshoot_its_limit_does_not() -> None:
    """And only that joint gives up its continuous curvature."""
    along = np.linspace(0, 1, 500)
    free, held = Curve.through(KNOTS, POINTS, limits(9.0)), Curve.through(KNOTS, POINTS, limits(1.0))
    assert free(along)[:, 0].max() > 1.01
    assert held(along)[:, 0].max() <= 1.0 + 1e-12
    np.testing.assert_array_equal(held(along)[:, 1], free(along)[:, 1])


def test_a_start_beyond_the_limit_is_accepted() -> None:
    """The curve comes in without going further out."""
    curve = Curve.through(KNOTS, POINTS + np.array([0.2, 0.0]), limits(1.0))
    assert curve(np.linspace(0, 1, 500))[:, 0].max() <= 1.2 + 1e-12


@pytest.mark.parametrize("upper", [1.0, 9.0])
def test_derivatives_are_finite_differences(upper: float) -> None:
    """First and second, between the knots."""
    curve, h = Curve.through(KNOTS, POINTS, limits(upper)), 1e-5
    for s in (0.1, 0.4, 0.7, 0.95):
        np.testing.assert_allclose(curve(s, 1), (curve(s + h) - curve(s - h)) / (2 * h), atol=1e-6)
        np.testing.assert_allclose(curve(s, 2), (curve(s + h, 1) - curve(s - h, 1)) / (2 * h), atol=1e-5)


def test_it_survives_pickling() -> None:
    """It is part of a plan."""
    curve = Curve.through(KNOTS, POINTS, limits(1.0))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(curve))(0.37), curve(0.37))
