from __future__ import annotations

import math

import numpy as np
import pytest
import toppra
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import PPoly
from toppra.algorithm import TOPPRA
from toppra.constraint import JointAccelerationConstraint, JointVelocityConstraint

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.timing.spline import lengths, resample, through
from taskmatrix.kernel.timing.time_parameterization import Course, follow, topp_ra

HEADROOM, FULL = 0.85, 0.97


class Reference(toppra.interpolator.AbstractGeometricPath):  # type: ignore[misc]  # toppra has no types
    """The same curve, for toppra."""

    def __init__(self, course: Course) -> None:
        pieces = PPoly(course.pieces[:, ::-1].swapaxes(0, 1), course.knots)
        self._orders = (pieces, pieces.derivative(1), pieces.derivative(2))

    def __call__(self, path_positions: Array, order: int = 0) -> Array:
        return np.asarray(self._orders[order](path_positions))

    @property
    def dof(self) -> int:
        return int(self._orders[0].c.shape[2])

    @property
    def path_interval(self) -> tuple[float, float]:
        return float(self._orders[0].x[0]), float(self._orders[0].x[-1])


def toppras_duration(course: Course, velocity: Array, acceleration: Array) -> float:
    """[s] With its whole slowed down until it keeps what ours keeps."""
    bounds = [
        JointVelocityConstraint(np.outer(velocity * HEADROOM, [-1.0, 1.0])),
        JointAccelerationConstraint(np.outer(acceleration * HEADROOM, [-1.0, 1.0])),
    ]
    solver = TOPPRA(bounds, Reference(course), gridpoints=course.grid.copy(), parametrizer="ParametrizeConstAccel")
    timed = solver.compute_trajectory(0.0, 0.0)
    times = np.linspace(0.0, timed.duration, max(200, int(timed.duration / 0.002)))
    fastest = np.max(np.abs(timed(times, 1)) / velocity)
    hardest = np.max(np.abs(timed(times, 2)) / acceleration)
    return float(timed.duration * max(1.0, fastest / FULL, math.sqrt(hardest / FULL)))


def paced(path: Array, velocity: Array, acceleration: Array, weights: Array, spacing: float = 0.08) -> Course:
    points = resample(path, weights, spacing)
    knots = lengths(points, weights)
    far = np.full(len(velocity), 1e9)
    return topp_ra(knots, through(knots, points, -far, far), velocity, acceleration, HEADROOM, FULL)


def played(course: Course, times: Array, rate: float = 1.0) -> Array:
    """(3, t, k)"""
    parts = np.empty((3, len(times), course.pieces.shape[2]))
    follow(course, times, rate, *parts)
    return parts


def instants(course: Course) -> Array:
    """Many, with all at which the acceleration changes."""
    return np.unique(np.concatenate([np.linspace(0.0, course.times[-1], 3000), course.times]))


def random_path(random: np.random.Generator, kind: str) -> Array:
    joints, corners = int(random.integers(1, 16)), int(random.integers(2, 9))
    path = random.uniform(-1.5, 1.5, (corners, joints))
    if kind == "points twice":
        path = np.repeat(path, 2, axis=0)
        path[1::2] += 1e-7
    elif kind == "one joint":
        path[:, 1:] = path[0, 1:]
    elif kind == "tiny":
        path *= 1e-5
    elif kind == "there and back":
        path = np.vstack([path, path[::-1]])
    elif kind == "long":
        path *= 20.0
    elif kind == "fine":
        path = path[0] + np.linspace(0, 1, 200)[:, None] ** random.uniform(0.5, 3.0, joints) * (path[1] - path[0])
    return path


KINDS = ("corners", "points twice", "one joint", "tiny", "there and back", "fine", "long")


def random_problem(seed: int, kind: str) -> tuple[Array, Array, Array, Array]:
    """Path, limits of velocity and acceleration, and weights."""
    random = np.random.default_rng(seed)
    path = random_path(random, kind)
    joints = int(path.shape[1])
    velocity, acceleration = random.uniform(0.3, 2.0, joints), random.uniform(0.8, 10.0, joints)
    return path, velocity, acceleration, random.uniform(0.03, 1.0, joints)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_limits_hold_at_every_instant(kind: str, seed: int) -> None:
    """On random paths of all kinds; and it is at rest at their ends."""
    path, velocity, acceleration, weights = random_problem(seed, kind)
    course = paced(path, velocity, acceleration, weights)
    q, v, a = played(course, instants(course))
    assert np.all(np.abs(v) <= FULL * velocity * (1 + 1e-6))
    assert np.all(np.abs(a) <= FULL * acceleration * (1 + 1e-6))
    np.testing.assert_allclose(q[[0, -1]], path[[0, -1]], atol=1e-7)
    np.testing.assert_allclose(v[[0, -1]], 0.0, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS[:-1])
@pytest.mark.parametrize("seed", range(5))
def test_it_takes_no_longer_than_with_toppra(seed: int, kind: str) -> None:
    """On the same curve and grid."""
    path, velocity, acceleration, weights = random_problem(seed, kind)
    course = paced(path, velocity, acceleration, weights)
    assert course.times[-1] <= 1.02 * toppras_duration(course, velocity, acceleration)


def test_a_line_takes_the_time_of_a_trapezoid() -> None:
    """Bounded by the slower joint, both in velocity and in acceleration."""
    path, velocity, acceleration = np.array([[0.0, 0.0], [2.0, 1.0]]), np.array([1.0, 3.0]), np.array([2.0, 9.0])
    course = paced(path, velocity, acceleration, np.ones(2))
    fastest = 2.0 / (HEADROOM * 1.0) + HEADROOM * 1.0 / (HEADROOM * 2.0)
    assert fastest <= course.times[-1] < 1.002 * fastest


def test_derivatives_are_finite_differences() -> None:
    """Of a motion that is played more slowly, too."""
    path = np.array([[0, 0], [0.5, 1.0], [0.2, -0.4], [1.0, 0.0]])
    course = paced(path, np.ones(2), 4 * np.ones(2), np.ones(2))
    for rate in (1.0, 0.4):
        changes = course.times / rate
        times = (changes[1:] + changes[:-1]) / 2  # where the acceleration does not jump
        h = 1e-3 * np.diff(changes).min()
        (before, slower, _), (_, v, a), (after, faster, _) = (
            played(course, times + shift, rate)[:3] for shift in (-h, 0.0, h)
        )
        np.testing.assert_allclose(v, (after - before) / (2 * h), atol=1e-5)
        np.testing.assert_allclose(a, (faster - slower) / (2 * h), atol=1e-4)


def test_it_is_at_rest_before_and_after() -> None:
    """At the ends of the path."""
    path = np.array([[0, 0], [0.5, 1.0], [1.0, 0.0]])
    course = paced(path, np.ones(2), np.ones(2), np.ones(2))
    q, v, a = played(course, np.array([-1.0, course.times[-1] + 1.0]))
    np.testing.assert_allclose(q, path[[0, -1]], atol=1e-12)
    assert not v.any()
    assert not a.any()


def test_times_need_not_rise() -> None:
    """Each is sampled as it would be alone."""
    course = paced(np.array([[0, 0], [0.5, 1.0], [1.0, 0.0]]), np.ones(2), np.ones(2), np.ones(2))
    times = np.random.default_rng(0).uniform(0.0, course.times[-1], 50)
    one_by_one = np.concatenate([played(course, times[i : i + 1]) for i in range(50)], axis=1)
    np.testing.assert_array_equal(played(course, times), one_by_one)
