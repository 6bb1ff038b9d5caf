"""Pursuits of a target."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors.common.pursuit import Pursuit, stopping_speed

VELOCITY, ACCELERATION, DT = np.array([1.0, 2.0]), np.array([4.0, 8.0]), 0.01


def test_it_gets_there_within_the_limits_and_not_beyond() -> None:
    """Joints of different limits to different places, from rest to rest."""
    pursuit, goal = Pursuit(VELOCITY, ACCELERATION, DT), np.array([0.7, -1.3])
    path = [np.zeros(2)] * 3
    for _ in range(400):
        path.append(path[-1] + pursuit.step(goal - path[-1]))
    steps = np.diff(path, axis=0) / DT
    np.testing.assert_allclose(path[-1], goal, atol=1e-6)
    assert np.all(np.abs(path) <= np.abs(goal) + 1e-9)
    assert np.all(np.abs(steps) <= VELOCITY)
    assert np.all(np.abs(np.diff(steps, axis=0)) / DT <= ACCELERATION + 1e-9)


def test_a_step_is_no_larger_than_asked() -> None:
    """Whatever the limits."""
    pursuit = Pursuit(VELOCITY, ACCELERATION, DT)
    steps = [pursuit.step(np.array([5.0, 5.0]), 0.002) for _ in range(100)]
    assert np.max(steps) == pytest.approx(0.002)


def test_braking_comes_to_rest_within_the_limits() -> None:
    """And stays there."""
    pursuit = Pursuit(VELOCITY, ACCELERATION, DT)
    for _ in range(50):
        pursuit.step(np.array([5.0, 5.0]))
    before = pursuit.speed
    pursuit.brake()
    np.testing.assert_allclose(before - pursuit.speed, ACCELERATION * DT)
    for _ in range(50):
        pursuit.brake()
    np.testing.assert_array_equal(pursuit.speed, 0.0)


def test_at_the_stopping_speed_one_step_and_braking_use_up_the_room() -> None:
    """With none left, it is 0."""
    room = np.array([0.0, 0.3])
    speed = stopping_speed(room, ACCELERATION, DT)
    np.testing.assert_allclose(speed * DT + speed**2 / (2 * ACCELERATION), room, atol=1e-12)
